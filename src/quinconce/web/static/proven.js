/** What is proved of a match: marked in the list of moves, and told of the position on show. */

import { Refusal, post } from "./api.js";
import { part } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {{result: "win" | "draw" | "loss", plies: number | null, words: string}} Proved */
/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {boolean} allowed whether one may be told: not while people play each other
 * @property {boolean} over whether the last move ends the game
 */

const SIGNS = { win: "+", draw: "=", loss: "−" };

export class Truths {
  /** The game, its options and its start, of which the rest is known. */
  of = "";
  /** @type {string[]} */
  known = [];
  /** @type {(Proved | null)[]} */
  positions = [];
  /** @type {(Proved | null)[]} */
  played = [];

  /**
   * @param {import("./move_list.js").Moves} moves
   * @param {() => Line} line
   */
  constructor(moves, line) {
    this.moves = moves;
    this.line = line;
    this.button = /** @type {HTMLElement} */ (document.querySelector("[data-act=truth]"));
    this.button.addEventListener("click", () => {
      localStorage.setItem("truth", this.wanted ? "no" : "yes");
      this.show();
    });
    moves.addEventListener("shown", () => this.show());
  }

  get wanted() {
    return localStorage.getItem("truth") === "yes";
  }

  async show() {
    const line = this.line();
    this.button.hidden = !line.allowed;
    this.button.setAttribute("aria-pressed", String(this.wanted));
    const told = line.allowed && this.wanted;
    part("proved").hidden = !told;
    if (told) await this.learn(line);
    this.moves.mark(told ? this.played.map(mark) : []);
    const { ply } = this.moves;
    const here = this.positions[ply];
    const end = line.over && ply === line.moves.length;
    part("proved").textContent = here
      ? say("proved", { words: here.words })
      : say(end ? "end" : "not_proved");
  }

  /**
   * Ask for what is not known yet.
   * @param {Line} line
   */
  async learn({ game, options, start, moves }) {
    const of = JSON.stringify([game, options, start]);
    if (of !== this.of) this.positions.length = this.played.length = 0;
    this.of = of;
    const other = moves.findIndex((move, i) => move !== this.known[i]);
    const same = other < 0 ? moves.length : other;
    this.positions.length = Math.min(this.positions.length, same + 1);
    this.played.length = Math.min(this.played.length, same);
    if (this.positions.length > moves.length) return;
    const since = Math.max(this.positions.length - 1, 0);
    try {
      const wish = { game, options, position: start, moves, since };
      const found = await post("/api/truths", wish);
      if (this.of !== of || this.positions.length < since) return; // another line meanwhile
      this.positions.splice(since, Infinity, ...found.positions);
      this.played.splice(since, Infinity, ...found.played);
      this.known = moves;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** @param {Proved | null} proved */
function mark(proved) {
  if (!proved) return null;
  const { result, plies, words } = proved;
  return { sign: SIGNS[result] + (plies ?? ""), kind: result, words };
}

/**
 * What is proved of one legal move, in words; nothing if nothing is.
 * @param {Omit<Line, "allowed" | "over">} line
 * @param {string} move
 */
export async function provedOf({ game, options, start, moves }, move) {
  try {
    const wish = { game, options, position: start, moves, since: moves.length };
    const { legal } = await post("/api/truths", wish);
    return legal[move] ? say("proved", { words: legal[move].words }) : "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return "";
  }
}
