/** The pages of puzzles: which puzzle is on show, and what became of those before. */

import { here } from "./address.js";
import "./board.js";
import { get } from "./api.js";
import { byId, pageData } from "./dom.js";
import { playMoveSound } from "./notify.js";
import { addPuzzleListeners } from "./puzzle_actions.js";
import { PuzzleAttempt, shownButton } from "./puzzle_attempt.js";
import { showPuzzleList } from "./puzzle_list.js";
import { chooseNext, puzzleRun } from "./puzzle_run.js";
import { showPuzzle } from "./puzzle_view.js";
import { solvedPuzzles } from "./solved_puzzles.js";

/** @typedef {import("./puzzle_run.js").Entry} Entry */

const themeSelect = /** @type {HTMLSelectElement | null} */ (
  document.getElementById("theme-select")
);
/** @type {{entries: Entry[], daily: string[]}} */
const { entries, daily } = pageData("puzzles");
const isRun = document.getElementById("run") !== null;

export class PuzzlesPage extends PuzzleAttempt {
  entries = entries;
  daily = daily;
  isRun = isRun;
  counted = false; // whether the streak has been told of this puzzle

  async open() {
    addPuzzleListeners(this, themeSelect);
    const wanted = location.hash.slice(1);
    const known = entries.some(({ id }) => id === wanted);
    const open = entries.find(({ id }) => !solvedPuzzles.has(id)) ?? entries[0];
    await this.openPuzzle(known ? wanted : ((isRun && this.neighbour(1)) || open.id));
  }

  /** The puzzles with the theme that was chosen. */
  get chosen() {
    const theme = themeSelect?.value;
    return theme ? entries.filter(({ themes }) => themes.split(" ").includes(theme)) : entries;
  }

  /**
   * @param {number} step 1 for the next puzzle, -1 for the previous one
   * @returns {string | undefined}
   */
  neighbour(step) {
    const { chosen } = this;
    const current = this.puzzle?.id ?? "";
    if (isRun) return chooseNext(chosen, solvedPuzzles.has, current)?.id;
    const at = entries.findIndex(({ id }) => id === current);
    const beside = step > 0 ? entries.slice(at + 1) : entries.slice(0, at).reverse();
    return beside.find((entry) => chosen.includes(entry))?.id;
  }

  /** @param {string} id */
  async openPuzzle(id) {
    if (location.hash.slice(1) !== id) history.replaceState(null, "", `#${id}`);
    const puzzle = await this.ask(() => get(`/api/puzzles/${id}`));
    if (!puzzle) return;
    this.puzzle = puzzle;
    this.counted = solvedPuzzles.has(puzzle.id);
    const { pathname, search, hash } = here();
    puzzleRun.remember(pathname + search + (isRun ? "" : hash));
    const query = new URLSearchParams(puzzle.options);
    byId("rules-panel").dataset.rules = `/rules/${puzzle.game}/short?${query}`;
    this.restart();
    this.updateList();
  }

  /** @param {number} step */
  async openNeighbour(step) {
    const id = this.neighbour(step);
    const onButton = document.activeElement === shownButton("next");
    const { board } = this;
    if (id) await this.openPuzzle(id);
    // From a solved puzzle the keys lead to the board of the next.
    if (onButton) board.at(board.focused)?.focus({ preventScroll: true });
  }

  /**
   * @param {boolean} right
   * @param {number} before
   */
  onJudged(right, before) {
    if (this.moves.length > before) playMoveSound();
    if (!right || this.done) this.count(right);
  }

  onHelp() {
    this.count(false);
  }

  /**
   * Keep what became of the puzzle: only the first try counts for the streak.
   * @param {boolean} right
   */
  count(right) {
    const { puzzle } = this;
    if (!puzzle) return;
    if (!this.counted) right ? puzzleRun.succeed(puzzle.game) : puzzleRun.fail(puzzle.game);
    this.counted = true;
    if (right) solvedPuzzles.add(puzzle.id);
    this.updateList();
  }

  show() {
    super.show();
    showPuzzle(this);
  }

  /** Open a puzzle with the theme that was chosen, unless the one on show has it. */
  openChosen() {
    const { chosen } = this;
    if (chosen.some(({ id }) => id === this.puzzle?.id)) {
      this.show();
      this.updateList();
    } else this.openPuzzle((isRun && this.neighbour(1)) || chosen[0].id);
  }

  updateList() {
    showPuzzleList(entries, this.chosen, this.puzzle?.id ?? "");
  }
}

new PuzzlesPage().open();
