/** The engine of an analysis: on or off, it follows the position and shows its best lines. */

import { ApiError, isTemporary, postForLines } from "./api.js";
import { byId, element } from "./dom.js";
import { phrase } from "./i18n.js";
import { SIGNS } from "./proven.js";
import { pause, retryDelay } from "./retry.js";
import { ValueBar } from "./value_bar.js";

/** @typedef {import("./analysis_board.js").AnalysisBoard} AnalysisBoard */
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

const LINES = 3;
const REST = 120; // milliseconds at a position before the engine is asked
const VISITOR = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(36),
).join("");

export class EngineLines {
  on = false;
  request = new AbortController();
  timer = 0;
  /** @type {EngineLine[]} of the position on show */
  lines = [];

  /**
   * @param {AnalysisBoard} analysis
   * @param {import("./board_arrows.js").BoardArrows} arrows
   */
  constructor(analysis, arrows) {
    this.analysis = analysis;
    this.arrows = arrows;
    this.bar = new ValueBar();
    this.button = byId("engine");
    this.state = byId("engine-state");
    this.rows = Array.from({ length: LINES }, (_, i) => this.row(i));
    byId("engine-lines").replaceChildren(...this.rows.map(({ item }) => item));
    this.button.addEventListener("click", () => this.switch(!this.on));
    byId("engine-again").addEventListener("click", () => this.follow());
    analysis.addEventListener("shown", () => this.follow());
    addEventListener("pagehide", () => this.request.abort());
  }

  /** @param {boolean} on */
  switch(on) {
    this.on = on;
    this.follow();
  }

  /** Think about the position on show, if the engine is on; what it thought before is over. */
  follow() {
    const { analysis } = this;
    this.request.abort();
    clearTimeout(this.timer);
    this.button.hidden = !analysis.fair;
    this.on &&= analysis.fair;
    this.button.setAttribute("aria-pressed", String(this.on));
    byId("engine-box").hidden = !this.on;
    byId("engine-again").hidden = true;
    this.show([]);
    this.state.textContent = "";
    if (!this.on) return this.bar.hide();
    if (analysis.scene?.outcome) this.tell(phrase("end"));
    else this.timer = setTimeout(() => this.think(), REST);
  }

  /** Read what the engine says until it is done, or the position changes. */
  async think() {
    const { game, options, start, moves } = this.analysis.line;
    const match = this.analysis.match?.id;
    const body = { game, options, position: start, moves, match, lines: LINES, visitor: VISITOR };
    const { signal } = (this.request = new AbortController());
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        for await (const report of postForLines("/api/analysis", body, signal)) {
          if (signal.aborted) return;
          failures = 0;
          this.report(report);
          if (report.done && report.state !== "bye") return;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        this.tell(error.message);
        if (!isTemporary(error)) return;
      }
      await pause(retryDelay(failures), signal);
    }
  }

  /** @param {Report} report */
  report({ state, depth, nodes, lines, done, words }) {
    if (lines.length) {
      this.show(lines);
      const told = phrase(done ? "engine_done" : "engine_depth", { depth, nodes: short(nodes) });
      this.state.textContent = told;
    } else if (words) this.tell(words);
    byId("engine-again").hidden = state !== "replaced";
    if (done && lines.length) byId("engine-told").textContent = this.spoken();
  }

  /** @param {string} words */
  tell(words) {
    this.state.textContent = words;
    byId("engine-told").textContent = words;
  }

  /** What a reader hears of the lines. */
  spoken() {
    return this.lines.map(({ moves, words }) => `${moves[0]}: ${words}`).join(". ");
  }

  /** @param {EngineLine[]} lines */
  show(lines) {
    const first = !this.lines.length && lines.length > 0;
    this.lines = lines;
    const { answer } = this.analysis;
    if (lines.length && answer) this.bar.show(answer, lines[0].score, this.analysis.flipped);
    this.rows.forEach((row, i) => this.fill(row, lines[i]));
    this.arrows.show(lines.map(({ moves }) => moves[0]));
    if (first) byId("engine-told").textContent = this.spoken();
  }

  /**
   * A row of the list; it stays, whatever it says, so that the focus stays too.
   * @param {number} i
   */
  row(i) {
    const score = element("span", { class: "score" });
    const button = element("button", { type: "button", class: "move-button" });
    const rest = element("span", { class: "rest" });
    button.addEventListener("click", () => this.analysis.play(this.lines[i]?.moves[0] ?? ""));
    this.arrows.pointFrom(button, () => this.lines[i]?.moves[0] ?? "");
    return { item: element("li", {}, score, button, rest), score, button, rest };
  }

  /**
   * @param {ReturnType<EngineLines["row"]>} row
   * @param {EngineLine | undefined} line
   */
  fill({ item, score, button, rest }, line) {
    item.hidden = !line;
    if (!line) return;
    const [move, ...others] = line.moves;
    const kind = line.proven ? line.value : null;
    const turns = this.analysis.answer?.sides.length === 2 ? line.plies : null; // in turn
    score.className = `score ${kind ?? ""}`;
    score.textContent = kind
      ? SIGNS[kind] + (turns ? Math.ceil(turns / 2) : "")
      : phrase("percent", { n: Math.round(100 * line.score) });
    score.title = line.words;
    button.textContent = move;
    button.setAttribute("aria-label", phrase("play_move", { move, words: line.words }));
    rest.textContent = others.join(" ");
    rest.title = line.moves.join(" ");
  }
}

/** @param {number} nodes */
function short(nodes) {
  const format = { notation: /** @type {const} */ ("compact"), maximumFractionDigits: 1 };
  return new Intl.NumberFormat(document.documentElement.lang, format).format(nodes);
}
