/** Somebody at a puzzle: moves are tried and judged by the server, hints and solutions are shown. */

import { ApiError, get, post } from "./api.js";
import { byId, onCustomEvent } from "./dom.js";
import { phrase } from "./i18n.js";
import { MoveList } from "./move_list.js";
import { showResult } from "./notify.js";
import { mustPass } from "./status.js";

/** @typedef {import("./api.js").Scene} Scene */
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
 * @property {Scene} scene
 */

const MOVE_DELAY = 1100; // milliseconds in which one sees a move of the solution before the next

export class PuzzleAttempt {
  /** @type {Puzzle | null} */
  puzzle = null;
  /** @type {string[]} */
  moves = [];
  /** @type {Scene | null} */
  scene = null;
  /** @type {{words: string, scene: Scene} | null} why the last move was wrong, while it shows */
  refutation = null;
  done = false; // whether it is solved, or its solution has been shown
  requests = 0; // an answer counts only if no request has followed its own
  moveList = new MoveList(2);
  board = /** @type {import("./board.js").GameBoard} */ (byId("board"));

  get path() {
    return `/api/puzzles/${this.puzzle?.id}`;
  }

  /** Whether a move can be tried in the position on show. */
  get isActive() {
    return this.scene?.ply === this.moves.length && !this.done && !this.refutation;
  }

  /**
   * Listen to the board, the list of moves and the buttons.
   * @param {Record<string, () => unknown>} [more] what other buttons do, by name
   */
  addListeners(more = {}) {
    const { board } = this;
    onCustomEvent(board, "play", (move) => this.tryMove(move));
    onCustomEvent(board, "illegal", (text) => this.tryMove(text));
    onCustomEvent(board, "announce", (text) => this.announce(text));
    // A touch takes the wrong move back.
    onCustomEvent(board, "idle", () => this.refutation && this.resume());
    onCustomEvent(this.moveList, "go", (ply) => this.showPly(ply));
    /** @type {Record<string, () => unknown>} */
    const actions = {
      hint: () => this.showHint(),
      retry: () => (this.refutation ? this.resume() : this.restart()),
      solution: () => this.showSolution(),
      pass: () => this.tryMove(this.scene?.legal?.[0].move ?? ""),
      ...more,
    };
    for (const [action, run] of Object.entries(actions)) {
      actionButton(action)?.addEventListener("click", run);
    }
  }

  // What a page adds.

  /**
   * A move has been judged.
   * @param {boolean} _right
   * @param {number} _before how many moves there were before it
   */
  onJudged(_right, _before) {}

  /** Help was asked for. */
  onHelp() {}

  // What one does.

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

  /**
   * @param {string} move
   * @returns {Promise<boolean>} whether it is right
   */
  async tryMove(move) {
    const { puzzle, moves, path } = this;
    if (!puzzle || this.done) return false;
    this.announce(phrase("judging"));
    const answer = await this.ask(() => post(`${path}/moves`, { moves: [...moves, move] }));
    if (!answer) {
      this.announce("");
      return false;
    }
    const right = ["right", "solved"].includes(answer.verdict);
    this.moves = answer.moves;
    this.scene = answer.scene;
    this.refutation = answer.refutation;
    this.done = answer.verdict === "solved";
    this.onJudged(right, moves.length);
    this.announce(right ? answer.words : "");
    byId("wrong").textContent = right ? "" : answer.words;
    this.show();
    if (this.done) {
      showResult(this.board, phrase("solved"));
      actionButton("next")?.focus({ preventScroll: true });
    }
    return right;
  }

  /** Show where the next right move begins. */
  async showHint() {
    const { board, moves, path } = this;
    if (!this.puzzle || this.done) return;
    const answer = await this.ask(() => post(`${path}/hints`, { moves }));
    if (!answer) return;
    this.onHelp();
    this.show();
    board.partialMove.clear();
    board.hinted = answer.places;
    board.updateMarks();
    // Where it is, and not what stands there.
    const places = answer.places.map((/** @type {string} */ place) => board.label(place).split(/\s*:/)[0]);
    this.announce(phrase("begins_here", { place: places.join(", ") || phrase("pass") }));
  }

  async showSolution() {
    const { path } = this;
    if (!this.puzzle) return;
    const answer = await this.ask(() => get(`${path}/solution`));
    if (!answer) return;
    if (!this.done) this.onHelp();
    this.moves = answer.moves;
    this.done = true;
    this.announce(`${phrase("solution")} ${answer.words}`);
    await this.playLine();
  }

  /** Play the moves on the board, one after the other, until the reader does something else. */
  async playLine() {
    const { moves } = this;
    const atOnce = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (let ply = atOnce ? moves.length : 0; ply <= moves.length; ply += 1) {
      const shown = this.showPly(ply);
      const asked = this.requests; // also a reader who acts before the position has come ends this
      await shown;
      if (this.requests === asked && ply < moves.length) await new Promise((resolve) => setTimeout(resolve, MOVE_DELAY));
      if (this.requests !== asked) return;
    }
  }

  /** @param {number} ply */
  async showPly(ply) {
    if (!this.puzzle) return;
    const { game, options, position, flipped } = this.puzzle;
    const body = { game, options, position, moves: this.moves.slice(0, ply) };
    const answer = await this.ask(() => post(`/api/explore?flip=${Number(flipped)}`, body));
    if (!answer) return;
    this.scene = answer.scene;
    this.show();
  }

  /** Take back a wrong move whose refutation is on show. */
  resume() {
    this.refutation = null;
    byId("wrong").textContent = "";
    this.show();
  }

  restart() {
    if (!this.puzzle) return;
    this.requests += 1;
    this.moves = [];
    this.done = false;
    this.scene = this.puzzle.scene;
    this.announce("");
    this.resume();
  }

  /** Show the position, and which buttons are of use. */
  show() {
    const { scene, puzzle, moves, refutation, isActive } = this;
    if (!scene || !puzzle) return;
    this.board.show((refutation?.scene ?? scene).svg, isActive ? scene : null);
    this.moveList.show(moves, scene.ply);
    byId("status").textContent = refutation?.words || puzzle.words;
    shownButton("pass").hidden = !isActive || !mustPass(scene);
    shownButton("hint").disabled = !isActive;
    shownButton("retry").classList.toggle("main", Boolean(refutation));
  }

  /** @param {string} text */
  announce(text) {
    byId("whisper").textContent = text;
  }
}

/**
 * A button by what it does, where the page has it.
 * @param {string} action
 * @returns {HTMLButtonElement | null}
 */
function actionButton(action) {
  return document.querySelector(`[data-act=${action}]`);
}

/**
 * A button that the page has.
 * @param {string} action
 */
export function shownButton(action) {
  return /** @type {HTMLButtonElement} */ (actionButton(action));
}
