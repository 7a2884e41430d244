/** The engine of an analysis: on or off, it follows the position and shows its best lines. */

import { ApiError, isTemporary, post, postForLines } from "./api.js";
import { DeviceSearch, judge, linesToSend } from "./device_search.js";
import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { LineRows, shortNumber } from "./line_rows.js";
import { pause, retryDelay } from "./retry.js";
import { ValueBar } from "./value_bar.js";

/** @typedef {import("./analysis_board.js").AnalysisBoard} AnalysisBoard */
/** @typedef {import("./line_rows.js").EngineLine} EngineLine */
/** @typedef {import("./line_rows.js").Report} Report */

const LINES = 3;
const REST = 200; // milliseconds at a position before the server is asked anything about it
const WORDS_PAUSE = 1000; // milliseconds between two requests for words, at least
const WORDS_RATIO = 4; // so much longer a search has gone on when its lines are told once more
const VISITOR = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(36),
).join("");

export class EngineLines {
  on = false;
  request = new AbortController();
  timer = 0;
  /** @type {EngineLine[]} of the position on show */
  lines = [];
  /** @type {import("./device_search.js").SearchReport | null} the last one, of this device */
  found = null;
  /** @type {import("./device_search.js").SearchReport | null} the last one that is in words */
  told = null;
  /** @type {Map<string, string[]>} the lines in words, by their first moves */
  words = new Map();
  /** @type {AbortSignal | null} of the position whose lines are being put into words */
  telling = null;

  /**
   * @param {AnalysisBoard} analysis
   * @param {import("./board_arrows.js").BoardArrows} arrows
   */
  constructor(analysis, arrows) {
    this.analysis = analysis;
    this.bar = new ValueBar();
    this.button = byId("engine");
    this.state = byId("engine-state");
    const play = (/** @type {string} */ move) => analysis.play(move);
    this.rows = new LineRows(byId("engine-lines"), LINES, arrows, play, phrase);
    this.button.addEventListener("click", () => this.switch(!this.on));
    byId("engine-again").addEventListener("click", () => this.follow());
    analysis.addEventListener("shown", () => this.follow());
    addEventListener("pagehide", () => this.request.abort());
    this.device = new DeviceSearch({
      onReport: (found) => this.reportHere(found),
      onFailure: () => this.follow(),
      onReturn: () => this.follow(),
    });
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
    this.device.stop();
    clearTimeout(this.timer);
    this.button.hidden = !analysis.fair;
    this.on &&= analysis.fair;
    this.button.setAttribute("aria-pressed", String(this.on));
    byId("engine-box").hidden = !this.on;
    byId("engine-again").hidden = true;
    this.show([]);
    this.state.textContent = "";
    if (!this.on) return this.leave();
    if (analysis.scene?.outcome) this.tell(phrase("end"));
    else if (this.device.able && analysis.answer?.search) this.thinkHere(analysis.answer.search);
    else this.timer = setTimeout(() => this.think(), REST);
  }

  /** The engine is switched off: its memory is given back. */
  leave() {
    this.bar.hide();
    this.device.close();
  }

  /** What the server needs to know of the position. */
  get question() {
    const { game, options, start, moves } = this.analysis.line;
    return { game, options, position: start, moves, match: this.analysis.match?.id };
  }

  /**
   * Think on this device; words come from the server, as far as it can be reached.
   * @param {import("./device_search.js").PageSearch} search
   */
  thinkHere(search) {
    this.request = new AbortController();
    this.found = this.told = null;
    this.words.clear();
    this.device.start(search, LINES);
  }

  /** Let the server put into words what was found last, until all of it is told. */
  async tellFound() {
    const { signal } = this.request;
    this.telling = signal;
    await pause(REST, signal);
    for (let failures = 0; !signal.aborted && this.found !== this.told; ) {
      if (this.isToldSoon) failures = (await this.tellInWords(signal)) ? 0 : failures + 1;
      await pause(failures ? retryDelay(failures) : WORDS_PAUSE, signal);
    }
    if (this.telling === signal) this.telling = null;
  }

  /** Whether it is time to tell what was found: the deeper a search, the more seldom it changes. */
  get isToldSoon() {
    const { found, told } = this;
    if (!found || !told || found.done) return true;
    const moves = told.lines.map(({ move }) => move);
    const isNew = found.lines.some(({ move }) => !moves.includes(move));
    return isNew || found.milliseconds >= WORDS_RATIO * told.milliseconds;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether the server has answered
   */
  async tellInWords(signal) {
    const { found, question } = this;
    if (!found) return true;
    try {
      const body = { ...question, depth: found.depth, lines: linesToSend(found) };
      /** @type {EngineLine[]} */
      const told = await post("/api/analysis/words", body, signal);
      if (signal.aborted) return true;
      this.told = found;
      this.words = new Map(told.map((line) => [line.moves[0], line.moves]));
      this.show(told);
      if (this.found && this.found !== found) this.showFound(this.found);
      if (found.done) byId("engine-told").textContent = this.spoken();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { message } = error;
      if (signal.aborted || isTemporary(error)) return false; // what is on show stays
      this.device.stop();
      this.request.abort();
      this.tell(message);
    }
    return true;
  }

  /** @param {import("./device_search.js").SearchReport} found */
  reportHere(found) {
    this.found = found;
    this.showFound(found);
    if (this.telling !== this.request.signal) this.tellFound();
  }

  /**
   * Show what was found on this device: moves beyond the first are those that were told before.
   * @param {import("./device_search.js").SearchReport} found
   */
  showFound(found) {
    const { search } = this.analysis.answer ?? {};
    if (!search) return;
    this.show(
      found.lines.map(({ move, score, proved }) => ({
        ...judge(search, score, proved),
        plies: null,
        moves: this.words.get(move) ?? [move],
      })),
    );
    const { depth, nodes, milliseconds, done } = found;
    const speed = shortNumber((1000 * nodes) / Math.max(milliseconds, 1));
    const values = { depth, nodes: shortNumber(nodes), speed };
    this.state.textContent = phrase(done ? "engine_done_here" : "engine_depth_here", values);
  }

  /** Read what the engine says until it is done, or the position changes. */
  async think() {
    const body = { ...this.question, lines: LINES, visitor: VISITOR };
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
      const told = phrase(done ? "engine_done" : "engine_depth", { depth, nodes: shortNumber(nodes) });
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
    this.rows.show(lines, answer?.sides.length ?? 0);
    if (first) byId("engine-told").textContent = this.spoken();
  }
}
