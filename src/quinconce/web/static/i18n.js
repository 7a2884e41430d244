/** The phrases of the modules, which the server has put into the page in its language. */

import { pageData } from "./dom.js";

/** @type {Record<string, string>} */
const phrases = pageData("phrases") ?? {};

/**
 * A phrase with its values filled in.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function phrase(name, values = {}) {
  const text = phrases[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}
