/** Shows what is proved of a match: a mark at each move, and the value of the position on show. */

import { ApiError, post } from "./api.js";
import { byId } from "./dom.js";
import { preparationPath, whileWaiting } from "./engine_progress.js";
import { phrase } from "./i18n.js";

/** @typedef {{result: "win" | "draw" | "loss", plies: number | null, words: string}} ProvenValue */
/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {boolean} allowed whether values may be shown: not while people play each other
 * @property {boolean} over whether the last move ends the game
 */

const SIGNS = { win: "+", draw: "=", loss: "−" };

export class ProvenValues {
  /** The game, its options and its start, to which the loaded values belong. */
  key = "";
  /** @type {string[]} the moves to which the loaded values belong */
  loadedMoves = [];
  /** @type {(ProvenValue | null)[]} the value of each position */
  positions = [];
  /** @type {(ProvenValue | null)[]} the value of each move, for the player who made it */
  played = [];

  /**
   * @param {import("./move_list.js").MoveList} moveList
   * @param {() => Line} line
   */
  constructor(moveList, line) {
    this.moveList = moveList;
    this.line = line;
    this.button = /** @type {HTMLElement} */ (document.querySelector("[data-act=truth]"));
    this.button.addEventListener("click", () => {
      localStorage.setItem("truth", this.wanted ? "no" : "yes");
      this.show();
    });
    moveList.addEventListener("shown", () => this.show());
  }

  get wanted() {
    return localStorage.getItem("truth") === "yes";
  }

  async show() {
    const line = this.line();
    this.button.hidden = !line.allowed;
    this.button.setAttribute("aria-pressed", String(this.wanted));
    const visible = line.allowed && this.wanted;
    byId("proved").hidden = !visible;
    if (visible) await this.load(line);
    this.moveList.showMarks(visible ? this.played.map(toMark) : []);
    const { ply } = this.moveList;
    const here = this.positions[ply];
    const end = line.over && ply === line.moves.length;
    byId("proved").textContent = here
      ? phrase("proved", { words: here.words })
      : phrase(end ? "end" : "not_proved");
  }

  /**
   * Ask the server for the values that are not loaded yet.
   * @param {Line} line
   */
  async load({ game, options, start, moves }) {
    const key = JSON.stringify([game, options, start]);
    if (key !== this.key) this.positions.length = this.played.length = 0;
    this.key = key;
    const firstNew = moves.findIndex((move, i) => move !== this.loadedMoves[i]);
    const same = firstNew < 0 ? moves.length : firstNew;
    this.positions.length = Math.min(this.positions.length, same + 1);
    this.played.length = Math.min(this.played.length, same);
    if (this.positions.length > moves.length) return;
    const since = Math.max(this.positions.length - 1, 0);
    try {
      const body = { game, options, position: start, moves, since };
      const answer = await whileWaiting(
        post("/api/truths", body),
        preparationPath({ game, options }, "proofs"),
        (text) => (byId("proved").textContent = text),
      );
      if (this.key !== key || this.positions.length < since) return; // another line meanwhile
      this.positions.splice(since, Infinity, ...answer.positions);
      this.played.splice(since, Infinity, ...answer.played);
      this.loadedMoves = moves;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/** @param {ProvenValue | null} value */
function toMark(value) {
  if (!value) return null;
  const { result, plies, words } = value;
  return { sign: SIGNS[result] + (plies ?? ""), kind: result, words };
}

/**
 * A sentence about the proven value of one legal move; empty if nothing is proved.
 * @param {Omit<Line, "allowed" | "over">} line
 * @param {string} move
 */
export async function provenText({ game, options, start, moves }, move) {
  try {
    const body = { game, options, position: start, moves, since: moves.length };
    const { legal } = await post("/api/truths", body);
    return legal[move] ? phrase("proved", { words: legal[move].words }) : "";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return "";
  }
}
