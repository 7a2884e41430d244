/** What people do on a page of puzzles: touches, buttons, keys and choices. */

import { inputById, onCustomEvent, onSubmit } from "./dom.js";

/** @typedef {import("./puzzles.js").PuzzlesPage} PuzzlesPage */

const CONTROLS = "input, textarea, select, button, a, summary, dialog"; // Enter is theirs

/**
 * @param {PuzzlesPage} page
 * @param {import("./board.js").GameBoard} board
 * @param {HTMLSelectElement | null} themeSelect
 */
export function addPuzzleListeners(page, board, themeSelect) {
  onCustomEvent(board, "play", (move) => page.tryMove(move));
  onCustomEvent(board, "illegal", (text) => page.tryMove(text));
  onCustomEvent(board, "announce", (text) => page.announce(text));
  onCustomEvent(board, "idle", () => {
    if (page.refutation) page.resume(); // a touch takes the wrong move back
  });
  onCustomEvent(page.moveList, "go", (ply) => page.showPly(ply));
  /** @type {Record<string, () => unknown>} */
  const actions = {
    previous: () => page.openNeighbour(-1),
    next: () => page.openNeighbour(1),
    retry: () => (page.refutation ? page.resume() : page.restart()),
    hint: () => page.showHint(),
    solution: () => page.showSolution(),
    pass: () => page.tryMove(page.scene?.legal?.[0].move ?? ""),
  };
  for (const [action, run] of Object.entries(actions)) {
    document.querySelector(`[data-act=${action}]`)?.addEventListener("click", run);
  }
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
