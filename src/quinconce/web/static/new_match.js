/** Makes matches, and remembers the level and the name that were used last. */

import { post } from "./api.js";
import { kept } from "./browser_storage.js";
import { storeLinks } from "./seat_links.js";

const NAME = "name";
const LEVEL = "level";

/** The name that the player gave last, or an empty one. */
export const lastName = () => kept.read(NAME) ?? "";

/** @param {string} name */
export const rememberName = (name) => kept.write(NAME, name);

/** @param {number} level */
export const rememberLevel = (level) => kept.write(LEVEL, String(level));

/**
 * Choose the level that was used last; a first-time player finds the one that the page proposes.
 * @param {HTMLSelectElement} select
 */
export function chooseLastLevel(select) {
  const level = kept.read(LEVEL);
  const known = [...select.options].some((option) => option.value === level);
  if (level && known) select.value = level;
}

/**
 * Make a match, and remember the links of its seats for its page.
 * @param {object} setup
 * @returns {Promise<string>} the id of the match
 */
export async function makeMatch(setup) {
  const made = await post("/api/matches", setup);
  storeLinks(made.id, made.reach, made.seats);
  return made.id;
}
