/** What a page of puzzles shows around the board: its title, the result, ways to other puzzles. */

import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { shownButton } from "./puzzle_attempt.js";
import { solvedPuzzles } from "./solved_puzzles.js";

/** @typedef {import("./puzzle_attempt.js").Puzzle} Puzzle */
/** @typedef {import("./puzzles.js").PuzzlesPage} PuzzlesPage */

/** @param {PuzzlesPage} page */
export function showPuzzle(page) {
  const { scene, puzzle, moves, refutation, done } = page;
  if (!scene || !puzzle) return;
  byId("banner").textContent = bannerText(page, puzzle);
  if (!refutation && scene.outcome && done) byId("status").textContent = scene.outcome.words;
  byId("status").classList.toggle("mine", done && solvedPuzzles.has(puzzle.id));
  shownButton("next").classList.toggle("main", done);
  showAnalysisLink(puzzle, moves, done);
  if (page.isRun) return;
  shownButton("previous").disabled = !page.neighbour(-1);
  shownButton("next").disabled = !page.neighbour(1);
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
