/** Every legal move of the position on show with its proven value, the best first. */

import { ApiError, post } from "./api.js";
import { SIGNS } from "./board_marks.js";
import { kept } from "./browser_storage.js";
import { byId, element } from "./dom.js";
import { phrase } from "./i18n.js";
import { repeat } from "./retry.js";

/** @typedef {import("./analysis_board.js").AnalysisBoard} AnalysisBoard */
/** @typedef {import("./variation_tree.js").TreeNode} TreeNode */
/**
 * @typedef {object} KnownMove
 * @property {string} move
 * @property {"win" | "draw" | "loss" | null} result null where it is open
 * @property {number | null} moves of the winner, to the end
 * @property {number | null} capture_turns to the next capture
 * @property {string} words
 */

const REST = 150; // milliseconds at a position before the server is asked

export class ProvenMoves {
  request = new AbortController();
  timer = 0;
  /** @type {WeakMap<TreeNode, KnownMove[]>} */
  known = new WeakMap();

  /**
   * @param {AnalysisBoard} analysis
   * @param {import("./board_arrows.js").BoardArrows} arrows
   */
  constructor(analysis, arrows) {
    this.analysis = analysis;
    this.arrows = arrows;
    this.box = byId("proven-moves");
    analysis.addEventListener("shown", () => this.follow());
    document.querySelector("[data-act=truth]")?.addEventListener("click", () => this.follow());
  }

  get wanted() {
    return this.analysis.fair && kept.read("truth") === "yes";
  }

  /** Show the moves of the position on show, if the reader wants to know. */
  follow() {
    const { node, scene } = this.analysis;
    this.request.abort();
    clearTimeout(this.timer);
    const known = this.known.get(node);
    this.box.hidden = true;
    this.arrows.showValues([]);
    if (!this.wanted || !scene || scene.outcome) return;
    if (known) this.show(known);
    else this.timer = setTimeout(() => this.load(node), REST);
  }

  /** @param {TreeNode} node */
  async load(node) {
    const { game, options, start, moves } = this.analysis.line;
    const { signal } = (this.request = new AbortController());
    const match = this.analysis.match?.id;
    const body = { game, options, position: start, moves, since: moves.length, match };
    const ask = () => post("/api/truths", body, signal);
    try {
      const answer = await repeat(ask, { wanted: () => !signal.aborted });
      if (!answer || signal.aborted) return;
      this.known.set(node, answer.moves ?? []);
      const best = bestOf(answer.moves ?? []);
      if (best) this.analysis.proven.set(node, best);
      this.show(answer.moves ?? []);
      this.analysis.view.show(node); // the sentence above may say more now
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // there is nothing to show
    }
  }

  /** @param {KnownMove[]} moves */
  show(moves) {
    const proven = moves.filter(({ result }) => result);
    const open = moves.filter(({ result }) => !result);
    this.arrows.showValues(moves);
    this.box.hidden = !proven.length;
    if (!proven.length) return;
    const label = phrase("moves_proven", { n: proven.length });
    const list = element("ul", { class: "known-moves", "aria-label": label, tabindex: "0" });
    list.append(...proven.map((move) => this.entry(move)));
    this.box.replaceChildren(element("p", { class: "facts" }, label), list);
    if (!open.length) return;
    const summary = element("summary", {}, phrase("moves_open", { n: open.length }));
    const others = element("ul", { class: "known-moves open" });
    others.append(...open.map((move) => this.entry(move)));
    this.box.append(element("details", {}, summary, others));
  }

  /** @param {KnownMove} known */
  entry({ move, result, moves, words }) {
    const sign = result ? SIGNS[result] + (moves ?? "") : "?";
    const label = phrase("play_move", { move, words });
    const button = element(
      "button",
      { type: "button", "aria-label": label },
      element("span", { class: `score ${result ?? "unknown"}` }, sign),
      element("b", {}, move),
      element("span", { class: "words" }, words),
    );
    button.addEventListener("click", () => this.analysis.play(move));
    this.arrows.pointFrom(button, () => move);
    return element("li", {}, button);
  }
}

/**
 * What the legal moves prove of a position: a win if one wins, the best of all if none is open.
 * @param {KnownMove[]} moves the best first
 */
function bestOf(moves) {
  const decided = moves[0]?.result === "win" || moves.every(({ result }) => result);
  return (decided && moves[0]) || null;
}
