/** Asks in a dialog whether somebody really wants something. */

import { byId } from "./dom.js";

/**
 * Whether the reader says yes; the page has the question in a template `sure-QUESTION`.
 * @param {string} question
 * @returns {Promise<boolean>}
 */
export function askToConfirm(question) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("sure"));
  const text = /** @type {HTMLTemplateElement} */ (byId(`sure-${question}`));
  byId("sure-text").textContent = text.content.textContent;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
