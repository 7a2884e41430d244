/** The puzzles solved in this browser; only its own storage knows them, the server does not. */

const KEY = "puzzles";

/** @returns {string[]} */
function storedIds() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // the browser allows no storage, or its content is not ours
  }
}

const ids = new Set(storedIds());

export const solvedPuzzles = {
  /** @param {string} id */
  has: (id) => ids.has(id),

  /** @param {string} id */
  add(id) {
    ids.add(id);
    try {
      // Another window may have solved others meanwhile.
      localStorage.setItem(KEY, JSON.stringify([...new Set([...storedIds(), ...ids])]));
    } catch {
      // without storage, the page alone remembers it
    }
  },
};
