/** The pages of puzzles: show a position, let the server judge moves, and show the replies. */

import "./board.js";
import { ApiError, get, post } from "./api.js";
import { byId, pageData } from "./dom.js";
import { preparationPath, whileWaiting } from "./engine_progress.js";
import { phrase } from "./i18n.js";
import { MoveList } from "./move_list.js";
import { playMoveSound, showResult } from "./notify.js";
import { addPuzzleListeners } from "./puzzle_actions.js";
import { showPuzzleList } from "./puzzle_list.js";
import { chooseNext, puzzleRun } from "./puzzle_run.js";
import { actionButton, playLine, showPuzzle } from "./puzzle_view.js";
import { solvedPuzzles } from "./solved_puzzles.js";

/** @typedef {import("./api.js").Scene} Scene */
/** @typedef {import("./puzzle_run.js").Entry} Entry */
/** @typedef {import("./puzzle_view.js").Puzzle} Puzzle */

const board = /** @type {import("./board.js").GameBoard} */ (byId("board"));
const themeSelect = /** @type {HTMLSelectElement | null} */ (
  document.getElementById("theme-select")
);
/** @type {{entries: Entry[], daily: string[]}} */
const { entries, daily } = pageData("puzzles");
const isRun = document.getElementById("run") !== null;

export class PuzzlesPage {
  constructor() {
    this.entries = entries;
    this.daily = daily;
    this.isRun = isRun;
    this.moveList = new MoveList(2);
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{words: string, scene: Scene} | null} why the last move was wrong, while it shows */
    this.refutation = null;
    this.done = false; // whether the puzzle is solved, or its solution has been shown
    this.counted = false; // whether the streak has been told of this puzzle
    this.requests = 0; // an answer counts only if no request has followed its own
  }

  async open() {
    addPuzzleListeners(this, board, themeSelect);
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
    puzzleRun.remember(location.pathname + location.search + (isRun ? "" : location.hash));
    const query = new URLSearchParams(puzzle.options);
    byId("rules-panel").dataset.rules = `/rules/${puzzle.game}/short?${query}`;
    this.restart();
    this.updateList();
  }

  /** @param {number} step */
  async openNeighbour(step) {
    const id = this.neighbour(step);
    const onButton = document.activeElement === actionButton("next");
    if (id) await this.openPuzzle(id);
    // From a solved puzzle the keys lead to the board of the next.
    if (onButton) board.at(board.focused)?.focus({ preventScroll: true });
  }

  restart() {
    if (!this.puzzle) return;
    this.moves = [];
    this.done = false;
    this.refutation = null;
    this.scene = this.puzzle.scene;
    this.announce("");
    byId("wrong").textContent = "";
    this.show();
  }

  /** Take back a wrong move whose refutation is on show. */
  resume() {
    this.refutation = null;
    byId("wrong").textContent = "";
    this.show();
  }

  /**
   * Send a request; the answer is null if the server refuses, or if another request has followed.
   * @param {() => Promise<any>} request
   */
  async ask(request) {
    const number = ++this.requests;
    byId("wrong").textContent = "";
    this.refutation = null;
    try {
      const answer = await request();
      return number === this.requests ? answer : null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (number === this.requests) {
        byId("wrong").textContent = error.message;
        this.show();
      }
      return null;
    }
  }

  /** @param {string} move */
  async tryMove(move) {
    const { puzzle, moves } = this;
    if (!puzzle || this.done) return false;
    this.announce(phrase("judging"));
    const body = { moves: [...moves, move] };
    const answer = await this.ask(() =>
      whileWaiting(
        post(`/api/puzzles/${puzzle.id}/moves`, body),
        preparationPath(puzzle, "puzzles"),
        (text) => this.announce(text),
      ),
    );
    if (!answer) {
      this.announce("");
      return false;
    }
    if (answer.moves.length > moves.length) playMoveSound();
    this.moves = answer.moves;
    this.scene = answer.scene;
    this.refutation = answer.refutation;
    this.done = answer.verdict === "solved";
    const right = ["right", "solved"].includes(answer.verdict);
    if (!right || this.done) this.count(right);
    this.announce(right ? answer.words : "");
    byId("wrong").textContent = right ? "" : answer.words;
    this.show();
    if (this.done) {
      showResult(board, phrase("solved"));
      actionButton("next").focus({ preventScroll: true });
    }
    return right;
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

  async showHint() {
    const { puzzle, moves } = this;
    if (!puzzle || this.done) return;
    const answer = await this.ask(() => post(`/api/puzzles/${puzzle.id}/hints`, { moves }));
    if (!answer) return;
    this.count(false);
    this.show();
    board.partialMove.clear();
    board.hinted = answer.places;
    board.updateMarks();
    // Where it is, and not what stands there.
    const places = answer.places.map((/** @type {string} */ place) => board.label(place).split(/\s*:/)[0]);
    this.announce(phrase("begins_here", { place: places.join(", ") || phrase("pass") }));
  }

  async showSolution() {
    const { puzzle } = this;
    if (!puzzle) return;
    const answer = await this.ask(() => get(`/api/puzzles/${puzzle.id}/solution`));
    if (!answer) return;
    if (!this.done) this.count(false);
    this.moves = answer.moves;
    this.done = true;
    this.announce(`${phrase("solution")} ${answer.words}`);
    await playLine(this);
  }

  /** @param {number} ply */
  async showPly(ply) {
    const { puzzle, moves } = this;
    if (!puzzle) return;
    const { game, options, position } = puzzle;
    const body = { game, options, position, moves: moves.slice(0, ply) };
    const answer = await this.ask(() => post(`/api/explore?flip=${Number(puzzle.flipped)}`, body));
    if (!answer) return;
    this.scene = answer.scene;
    this.show();
  }

  show() {
    showPuzzle(this, board);
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

  /** @param {string} text */
  announce(text) {
    byId("whisper").textContent = text;
  }
}

new PuzzlesPage().open();
