/** The puzzles solved in this browser; only its own storage knows them, the server does not. */

import { kept } from "./browser_storage.js";

const KEY = "puzzles";

/** @returns {string[]} */
function storedIds() {
  const found = kept.readJson(KEY);
  return Array.isArray(found) ? found : [];
}

const ids = new Set(storedIds());

export const solvedPuzzles = {
  /** @param {string} id */
  has: (id) => ids.has(id),

  /** @param {string[]} solved */
  add(...solved) {
    for (const id of solved) ids.add(id);
    // Another window may have solved others meanwhile.
    kept.write(KEY, JSON.stringify([...new Set([...storedIds(), ...ids])]));
  },
};
