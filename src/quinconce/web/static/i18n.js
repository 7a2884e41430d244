/** The phrases of the page's language, which the page hands over. */

import { data } from "./dom.js";

/** @type {Record<string, string>} */
const phrases = data("phrases") ?? {};

/**
 * A phrase with its values filled in.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function say(name, values = {}) {
  const text = phrases[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}
