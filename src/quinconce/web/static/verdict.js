/** The line that says what a move was worth. */

import { byId } from "./dom.js";

/**
 * Say what there is to say of the move on show; the same again is not read out again.
 * @param {string} text
 * @param {string} [kind] its CSS class
 */
export function sayVerdict(text, kind = "") {
  const line = byId("verdict");
  line.className = `verdict ${kind}`;
  if (line.textContent !== text) line.textContent = text;
}
