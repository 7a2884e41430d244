/** What this browser has solved, kept in its own storage: the house does not know. */

const KEY = "puzzles";

/** @returns {string[]} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // a browser may keep nothing, or somebody has written there
  }
}

const ids = new Set(kept());

export const solved = {
  /** @param {string} id */
  has: (id) => ids.has(id),

  /** @param {string} id */
  add(id) {
    ids.add(id);
    try {
      // Another window may have solved others meanwhile.
      localStorage.setItem(KEY, JSON.stringify([...new Set([...kept(), ...ids])]));
    } catch {
      // then it is forgotten with the page
    }
  },
};
