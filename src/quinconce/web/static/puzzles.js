/** The page of puzzles: a position is shown, moves are judged by the house, and answered. */

import "./board.js";
import { knock } from "./notify.js";
import { Refusal, get, post } from "./api.js";
import { Moves } from "./move_list.js";
import { solved } from "./solved_puzzles.js";
import { mustPass } from "./status.js";
import { data, heard, input, part, sent } from "./dom.js";
import { say } from "./i18n.js";

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

const board = /** @type {import("./board.js").GameBoard} */ (part("board"));
/** @type {string[]} */
const ids = data("puzzles");

class Solving {
  constructor() {
    this.moves = new Moves(2);
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {string[]} */
    this.played = [];
    /** @type {Scene | null} */
    this.scene = null;
    this.done = false; // whether it is solved, or its solution has been shown
    this.asked = 0; // the last question: what answers an earlier one comes too late
  }

  async open() {
    this.wire();
    const wanted = location.hash.slice(1);
    await this.go(ids.includes(wanted) ? wanted : ids.find((id) => !solved.has(id)) ?? ids[0]);
  }

  /**
   * Put a puzzle on the table.
   * @param {string} id
   */
  async go(id) {
    if (location.hash.slice(1) !== id) history.replaceState(null, "", `#${id}`);
    const puzzle = await this.ask(() => get(`/api/puzzles/${id}`));
    if (!puzzle) return;
    this.puzzle = puzzle;
    this.retry();
    this.list();
  }

  retry() {
    if (!this.puzzle) return;
    this.played = [];
    this.done = false;
    this.scene = this.puzzle.scene;
    this.tell("");
    this.show();
  }

  /**
   * Ask the house; the answer is null if it refuses, or if something else was asked meanwhile.
   * @param {() => Promise<any>} question
   */
  async ask(question) {
    const now = ++this.asked;
    part("wrong").textContent = "";
    try {
      const answer = await question();
      return now === this.asked ? answer : null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (now === this.asked) {
        part("wrong").textContent = error.message;
        this.show();
      }
      return null;
    }
  }

  /** @param {string} move */
  async try(move) {
    const { puzzle, played } = this;
    if (!puzzle || this.done) return false;
    this.tell(say("judging"));
    const wish = { moves: [...played, move] };
    const answer = await this.ask(() => post(`/api/puzzles/${puzzle.id}/moves`, wish));
    if (!answer) {
      this.tell("");
      return false;
    }
    if (answer.moves.length > played.length) knock();
    this.played = answer.moves;
    this.scene = answer.scene;
    this.done = answer.verdict === "solved";
    const good = ["right", "solved"].includes(answer.verdict);
    if (this.done) {
      solved.add(puzzle.id);
      this.list();
    }
    this.tell(good ? answer.words : "");
    part("wrong").textContent = good ? "" : answer.words;
    this.show();
    return good;
  }

  async solution() {
    const { puzzle } = this;
    if (!puzzle) return;
    const found = await this.ask(() => get(`/api/puzzles/${puzzle.id}/solution`));
    if (!found) return;
    this.played = found.moves;
    this.done = true;
    await this.leaf(0);
    this.tell(`${say("solution", { moves: found.moves.join(" ") })} ${found.words}`);
  }

  /**
   * Look at the position after so many of the moves.
   * @param {number} ply
   */
  async leaf(ply) {
    const { puzzle, played } = this;
    if (!puzzle) return;
    const { game, options, position } = puzzle;
    const wish = { game, options, position, moves: played.slice(0, ply) };
    const found = await this.ask(() => post(`/api/explore?flip=${Number(puzzle.flipped)}`, wish));
    if (!found) return;
    this.scene = found.scene;
    this.show();
  }

  show() {
    const { scene, puzzle, played } = this;
    if (!scene || !puzzle) return;
    const now = scene.ply === played.length && !this.done;
    board.show(scene.svg, now ? scene.legal : null);
    this.moves.show(played, scene.ply);
    const number = ids.indexOf(puzzle.id) + 1;
    part("banner").textContent = say("puzzle", { n: number, of: ids.length, grade: puzzle.grade });
    part("status").textContent = scene.outcome && this.done ? scene.outcome.words : puzzle.words;
    part("status").classList.toggle("mine", this.done && solved.has(puzzle.id));
    this.button("pass").hidden = !now || !mustPass(scene);
    this.button("previous").disabled = number === 1;
    this.button("next").disabled = number === ids.length;
    this.button("next").classList.toggle("main", this.done);
  }

  /** What is solved, in the list of all. */
  list() {
    for (const link of document.querySelectorAll(".numbers a")) {
      const id = link.getAttribute("href")?.slice(1) ?? "";
      const done = solved.has(id);
      link.classList.toggle("solved", done);
      const name = say(done ? "puzzle_solved" : "puzzle_open", { n: link.textContent ?? "" });
      link.setAttribute("aria-label", name);
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
    const n = ids.filter((id) => solved.has(id)).length;
    part("progress").textContent = say("progress", { n, of: ids.length });
  }

  /** @param {string} text */
  tell(text) {
    part("whisper").textContent = text;
  }

  /**
   * @param {string} act
   * @returns {HTMLButtonElement}
   */
  button(act) {
    return /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${act}]`));
  }

  /** @param {number} step */
  beside(step) {
    const id = ids[ids.indexOf(this.puzzle?.id ?? "") + step];
    if (id) this.go(id);
  }

  wire() {
    heard(board, "play", (move) => this.try(move));
    heard(board, "refuse", (text) => this.try(text));
    heard(board, "whisper", (text) => this.tell(text));
    heard(this.moves, "go", (ply) => this.leaf(ply));
    const acts = {
      previous: () => this.beside(-1),
      next: () => this.beside(1),
      retry: () => this.retry(),
      solution: () => this.solution(),
      pass: () => this.try(this.scene?.legal?.[0].move ?? ""),
    };
    for (const [act, does] of Object.entries(acts)) {
      this.button(act).addEventListener("click", does);
    }
    addEventListener("hashchange", () => this.go(location.hash.slice(1)));
    sent("typed", async () => {
      const field = input("typed-move");
      if (field.value.trim() && (await this.try(field.value))) field.value = "";
    });
  }
}

new Solving().open();
