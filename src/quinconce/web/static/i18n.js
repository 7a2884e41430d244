/** The phrases of the modules, which the server has put into the page in its language. */

import { pageData } from "./dom.js";

/** @typedef {string | Record<string, string>} Text One text, or one for each plural form. */

/** @type {Record<string, Text>} */
const phrases = pageData("phrases") ?? {};
const language = document.documentElement.lang;
const pluralRules = new Intl.PluralRules(language);
const numberFormat = new Intl.NumberFormat(language);

/**
 * A phrase with its values filled in: the plural form goes with the value `n`, and numbers are
 * written as the language writes them.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function phrase(name, values = {}) {
  const text = phrases[name] ?? name;
  const form = typeof text === "string" ? text : pluralForm(text, Number(values.n));
  return form.replace(/\{(\w+)\}/g, (whole, key) => formatValue(values[key] ?? whole));
}

/**
 * @param {Record<string, string>} forms
 * @param {number} count
 * @returns {string}
 */
function pluralForm(forms, count) {
  return forms[pluralRules.select(count)] ?? forms.other;
}

/**
 * @param {string | number} value
 * @returns {string}
 */
function formatValue(value) {
  return typeof value === "number" ? numberFormat.format(value) : value;
}
