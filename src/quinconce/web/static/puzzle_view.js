/** What a page of puzzles shows: the board, the lines around it, and which buttons are useful. */

import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { solvedPuzzles } from "./solved_puzzles.js";
import { mustPass } from "./status.js";

const MOVE_DELAY = 1100; // milliseconds in which one sees a move of the solution before the next

/** @typedef {import("./puzzles.js").PuzzlesPage} PuzzlesPage */
/**
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {Record<string, string>} options
 * @property {string} position
 * @property {number} grade
 * @property {string} words
 * @property {boolean} flipped
 * @property {string} rules what tells them from those of the game's other puzzles
 * @property {import("./api.js").Scene} scene
 */

/**
 * @param {PuzzlesPage} page
 * @param {import("./board.js").GameBoard} board
 */
export function showPuzzle(page, board) {
  const { scene, puzzle, moves, refutation, done } = page;
  if (!scene || !puzzle) return;
  const active = scene.ply === moves.length && !done && !refutation;
  board.show((refutation?.scene ?? scene).svg, active ? scene : null);
  page.moveList.show(moves, scene.ply);
  byId("banner").textContent = bannerText(page, puzzle);
  const over = scene.outcome && done ? scene.outcome.words : "";
  byId("status").textContent = refutation?.words || over || puzzle.words;
  byId("status").classList.toggle("mine", done && solvedPuzzles.has(puzzle.id));
  actionButton("pass").hidden = !active || !mustPass(scene);
  actionButton("hint").disabled = !active;
  actionButton("retry").classList.toggle("main", Boolean(refutation));
  actionButton("next").classList.toggle("main", done);
  showAnalysisLink(puzzle, moves, done);
  if (page.isRun) return;
  actionButton("previous").disabled = !page.neighbour(-1);
  actionButton("next").disabled = !page.neighbour(1);
}

/**
 * Play the moves on the board, one after the other, until the reader does something else.
 * @param {PuzzlesPage} page
 */
export async function playLine(page) {
  const { moves } = page;
  const atOnce = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (let ply = atOnce ? moves.length : 0; ply <= moves.length; ply += 1) {
    await page.showPly(ply);
    const asked = page.requests;
    if (ply < moves.length) await new Promise((resolve) => setTimeout(resolve, MOVE_DELAY));
    if (page.requests !== asked) return;
  }
}

/**
 * Once a puzzle is done, its line can be analysed.
 * @param {Puzzle} puzzle
 * @param {string[]} moves
 * @param {boolean} done
 */
function showAnalysisLink({ game, options, position }, moves, done) {
  const query = new URLSearchParams({ game, ...options, position });
  if (moves.length) query.set("moves", moves.join(" "));
  byId("analyse").hidden = !done;
  byId("analyse").setAttribute("href", done ? `/analysis?${query}` : "/analysis");
}

/**
 * @param {PuzzlesPage} page
 * @param {Puzzle} puzzle
 */
function bannerText({ isRun, daily, entries }, { id, title, rules, grade }) {
  const whole = [title, rules].filter(Boolean).join(" · ");
  if (isRun) return phrase("puzzle_of_run", { rules: whole, grade });
  if (daily.includes(id)) return phrase("puzzle_of_day", { grade });
  const n = entries.findIndex((entry) => entry.id === id) + 1;
  return phrase("puzzle", { n, of: entries.length, grade });
}

/**
 * @param {string} action
 * @returns {HTMLButtonElement}
 */
export function actionButton(action) {
  return /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${action}]`));
}
