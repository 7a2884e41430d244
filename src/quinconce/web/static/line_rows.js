/** The lines of an engine as rows: a score, a move to play, and how it may go on. */

import { SIGNS } from "./board_marks.js";
import { element } from "./dom.js";

/**
 * @typedef {object} EngineLine
 * @property {number} score that the player to move may expect, from 0 to 1
 * @property {"win" | "draw" | "loss" | null} value
 * @property {boolean} proven
 * @property {number | null} plies
 * @property {string[]} moves
 * @property {string} words
 */
/**
 * @typedef {object} Report
 * @property {string} state preparing, thinking, done, replaced, bye or failed
 * @property {number} depth
 * @property {number} nodes
 * @property {EngineLine[]} lines
 * @property {boolean} done
 * @property {string | null} words
 */

export class LineRows {
  /** @type {EngineLine[]} */
  lines = [];

  /**
   * @param {HTMLElement} list
   * @param {number} count how many rows it has
   * @param {import("./board_arrows.js").BoardArrows} arrows which show the first move of each
   * @param {(move: string) => unknown} play
   * @param {typeof import("./i18n.js").phrase} phrase
   */
  constructor(list, count, arrows, play, phrase) {
    this.arrows = arrows;
    this.play = play;
    this.phrase = phrase;
    this.rows = Array.from({ length: count }, (_, i) => this.row(i));
    list.replaceChildren(...this.rows.map(({ item }) => item));
  }

  /**
   * @param {EngineLine[]} lines the best first
   * @param {number} sides of the game
   */
  show(lines, sides) {
    this.lines = lines;
    this.rows.forEach((row, i) => this.fill(row, lines[i], sides));
    this.arrows.show(lines.map(({ moves }) => moves[0]));
  }

  /**
   * A row of the list; it stays, whatever it says, so that the focus stays too.
   * @param {number} i
   */
  row(i) {
    const score = element("span", { class: "score" });
    const button = element("button", { type: "button", class: "move-button" });
    const rest = element("span", { class: "rest" });
    button.addEventListener("click", () => this.play(this.lines[i]?.moves[0] ?? ""));
    this.arrows.pointFrom(button, () => this.lines[i]?.moves[0] ?? "");
    return { item: element("li", {}, score, button, rest), score, button, rest };
  }

  /**
   * @param {ReturnType<LineRows["row"]>} row
   * @param {EngineLine | undefined} line
   * @param {number} sides
   */
  fill({ item, score, button, rest }, line, sides) {
    item.hidden = !line;
    if (!line) return;
    const [move, ...others] = line.moves;
    const kind = line.proven ? line.value : null;
    const turns = sides === 2 ? line.plies : null; // in turn
    score.className = `score ${kind ?? ""}`;
    score.textContent = kind
      ? SIGNS[kind] + (turns ? Math.ceil(turns / 2) : "")
      : this.phrase("percent", { n: Math.round(100 * line.score) });
    score.title = line.words;
    button.textContent = move;
    button.setAttribute("aria-label", this.phrase("play_move", { move, words: line.words }));
    rest.textContent = others.join(" ");
    rest.title = line.moves.join(" ");
  }
}

/**
 * A large number in few signs.
 * @param {number} n
 * @param {string} [language]
 */
export function shortNumber(n, language = document.documentElement.lang) {
  const format = { notation: /** @type {const} */ ("compact"), maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language || undefined, format).format(n);
}
