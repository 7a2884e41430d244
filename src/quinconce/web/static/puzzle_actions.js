/** What people do on a page of puzzles beside trying moves: share, choose, type, go on. */

import { inputById, onSubmit } from "./dom.js";
import { SharePanel } from "./share.js";

/** @typedef {import("./puzzles.js").PuzzlesPage} PuzzlesPage */

const CONTROLS = "input, textarea, select, button, a, summary, dialog"; // Enter is theirs

/**
 * @param {PuzzlesPage} page
 * @param {HTMLSelectElement | null} themeSelect
 */
export function addPuzzleListeners(page, themeSelect) {
  page.addListeners({
    previous: () => page.openNeighbour(-1),
    next: () => page.openNeighbour(1),
  });
  new SharePanel(() => sharedPuzzle(page));
  themeSelect?.addEventListener("change", () => page.openChosen());
  addEventListener("hashchange", () => page.openPuzzle(location.hash.slice(1)));
  // Before the board: once a puzzle is done, its places have no use for the key.
  document.addEventListener("keydown", (event) => page.done && goOn(event, page), true);
  onSubmit("typed", async () => {
    const field = inputById("typed-move");
    if (field.value.trim() && (await page.tryMove(field.value))) field.value = "";
  });
}

/**
 * The puzzle on show, and its position as far as it has been solved.
 * @param {PuzzlesPage} page
 * @returns {import("./share.js").Shared}
 */
function sharedPuzzle({ puzzle, scene, moves }) {
  const { id = "", game = "", options = {}, position: start = null, flipped = false } = puzzle ?? {};
  const position = scene?.position ?? start ?? "";
  const shown = moves.slice(0, scene?.ply);
  return { game, options, start, moves: shown, position, flipped, embed: `/embed/puzzle/${id}` };
}

/**
 * Go on to the next puzzle with the Enter key.
 * @param {KeyboardEvent} event
 * @param {PuzzlesPage} page
 */
function goOn(event, page) {
  if (event.key !== "Enter" || /** @type {Element} */ (event.target).closest(CONTROLS)) return;
  event.preventDefault();
  event.stopPropagation();
  page.openNeighbour(1);
}
