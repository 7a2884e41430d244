/** The page of puzzles: shows a position, lets the server judge moves, and shows the replies. */

import "./board.js";
import { ApiError, get, post } from "./api.js";
import { byId, inputById, onCustomEvent, onSubmit, pageData } from "./dom.js";
import { preparationPath, whileWaiting } from "./engine_progress.js";
import { phrase } from "./i18n.js";
import { MoveList } from "./move_list.js";
import { playMoveSound } from "./notify.js";
import { solvedPuzzles } from "./solved_puzzles.js";
import { mustPass } from "./status.js";

/** @typedef {import("./api.js").Scene} Scene */
/**
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string} position
 * @property {number} grade
 * @property {string} words
 * @property {boolean} flipped
 * @property {Scene} scene
 */

const board = /** @type {import("./board.js").GameBoard} */ (byId("board"));
/** @type {string[]} */
const ids = pageData("puzzles");

class PuzzlesPage {
  constructor() {
    this.moveList = new MoveList(2);
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {Scene | null} */
    this.scene = null;
    this.done = false; // whether the puzzle is solved, or its solution has been shown
    this.requests = 0; // an answer counts only if no request has followed its own
  }

  async open() {
    this.addListeners();
    const wanted = location.hash.slice(1);
    const next = ids.find((id) => !solvedPuzzles.has(id)) ?? ids[0];
    await this.openPuzzle(ids.includes(wanted) ? wanted : next);
  }

  /** @param {string} id */
  async openPuzzle(id) {
    if (location.hash.slice(1) !== id) history.replaceState(null, "", `#${id}`);
    const puzzle = await this.ask(() => get(`/api/puzzles/${id}`));
    if (!puzzle) return;
    this.puzzle = puzzle;
    this.restart();
    this.updateList();
  }

  /** @param {number} step 1 for the next puzzle, -1 for the previous one */
  openNeighbour(step) {
    const id = ids[ids.indexOf(this.puzzle?.id ?? "") + step];
    if (id) this.openPuzzle(id);
  }

  restart() {
    if (!this.puzzle) return;
    this.moves = [];
    this.done = false;
    this.scene = this.puzzle.scene;
    this.announce("");
    this.show();
  }

  /**
   * Send a request; the answer is null if the server refuses, or if another request has followed.
   * @param {() => Promise<any>} request
   */
  async ask(request) {
    const number = ++this.requests;
    byId("wrong").textContent = "";
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
    this.done = answer.verdict === "solved";
    const right = ["right", "solved"].includes(answer.verdict);
    if (this.done) {
      solvedPuzzles.add(puzzle.id);
      this.updateList();
    }
    this.announce(right ? answer.words : "");
    byId("wrong").textContent = right ? "" : answer.words;
    this.show();
    return right;
  }

  async showSolution() {
    const { puzzle } = this;
    if (!puzzle) return;
    const answer = await this.ask(() => get(`/api/puzzles/${puzzle.id}/solution`));
    if (!answer) return;
    this.moves = answer.moves;
    this.done = true;
    await this.showPly(0);
    this.announce(`${phrase("solution", { moves: answer.moves.join(" ") })} ${answer.words}`);
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
    const { scene, puzzle, moves } = this;
    if (!scene || !puzzle) return;
    const active = scene.ply === moves.length && !this.done;
    board.show(scene.svg, active ? scene : null);
    this.moveList.show(moves, scene.ply);
    const n = ids.indexOf(puzzle.id) + 1;
    byId("banner").textContent = phrase("puzzle", { n, of: ids.length, grade: puzzle.grade });
    byId("status").textContent = scene.outcome && this.done ? scene.outcome.words : puzzle.words;
    byId("status").classList.toggle("mine", this.done && solvedPuzzles.has(puzzle.id));
    this.button("pass").hidden = !active || !mustPass(scene);
    this.button("previous").disabled = n === 1;
    this.button("next").disabled = n === ids.length;
    this.button("next").classList.toggle("main", this.done);
  }

  /** Show in the list of all puzzles which are solved and which is open. */
  updateList() {
    for (const link of document.querySelectorAll(".numbers a")) {
      const id = link.getAttribute("href")?.slice(1) ?? "";
      const solved = solvedPuzzles.has(id);
      link.classList.toggle("solved", solved);
      const label = phrase(solved ? "puzzle_solved" : "puzzle_open", { n: link.textContent ?? "" });
      link.setAttribute("aria-label", label);
      if (id === this.puzzle?.id) {
        link.setAttribute("aria-current", "true");
        const grade = link.closest("details");
        if (grade && !document.querySelector(".grade[open]")) grade.open = true;
      } else link.removeAttribute("aria-current");
    }
    for (const grade of document.querySelectorAll(".grade")) {
      const n = grade.querySelectorAll(".solved").length;
      const tally = grade.querySelector(".tally");
      if (tally) tally.textContent = `${n} / ${grade.querySelectorAll(".numbers a").length}`;
    }
    const n = ids.filter((id) => solvedPuzzles.has(id)).length;
    byId("progress").textContent = phrase("progress", { n, of: ids.length });
  }

  /** @param {string} text */
  announce(text) {
    byId("whisper").textContent = text;
  }

  /**
   * @param {string} action
   * @returns {HTMLButtonElement}
   */
  button(action) {
    return /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${action}]`));
  }

  addListeners() {
    onCustomEvent(board, "play", (move) => this.tryMove(move));
    onCustomEvent(board, "illegal", (text) => this.tryMove(text));
    onCustomEvent(board, "announce", (text) => this.announce(text));
    onCustomEvent(this.moveList, "go", (ply) => this.showPly(ply));
    const actions = {
      previous: () => this.openNeighbour(-1),
      next: () => this.openNeighbour(1),
      retry: () => this.restart(),
      solution: () => this.showSolution(),
      pass: () => this.tryMove(this.scene?.legal?.[0].move ?? ""),
    };
    for (const [action, run] of Object.entries(actions)) {
      this.button(action).addEventListener("click", run);
    }
    addEventListener("hashchange", () => this.openPuzzle(location.hash.slice(1)));
    onSubmit("typed", async () => {
      const field = inputById("typed-move");
      if (field.value.trim() && (await this.tryMove(field.value))) field.value = "";
    });
  }
}

new PuzzlesPage().open();
