/** The phrases of the modules, which the server has put into the page in its language. */

import { pageData } from "./dom.js";

/** @typedef {string | Record<string, string>} Text One text, or one for each plural form. */

/**
 * A function that says phrases in one language, with their values filled in: the plural form goes
 * with the value `n`, and numbers are written as the language writes them.
 * @param {Record<string, Text>} phrases
 * @param {string} language
 */
export function voice(phrases, language) {
  const pluralRules = new Intl.PluralRules(language || undefined);
  const numberFormat = new Intl.NumberFormat(language || undefined);

  /** @param {string | number} value */
  const formatValue = (value) => (typeof value === "number" ? numberFormat.format(value) : value);

  /**
   * @param {string} name
   * @param {Record<string, string | number>} [values]
   * @returns {string}
   */
  return (name, values = {}) => {
    const text = phrases[name] ?? name;
    const form =
      typeof text === "string" ? text : (text[pluralRules.select(Number(values.n))] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (whole, key) => formatValue(values[key] ?? whole));
  };
}

const phrases = pageData("phrases") ?? {};
// In a folder of files no server is asked.
if (pageData("site")) phrases.unreachable = phrases.device_failed;

/** A phrase of the page. */
export const phrase = voice(phrases, document.documentElement.lang);
