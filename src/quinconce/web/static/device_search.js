/** The engine on this device: a worker that searches one position at a time. */

import { phrase } from "./i18n.js";

/**
 * @typedef {object} PageSearch a position to search, as the server packs it
 * @property {string} kind
 * @property {number} fields
 * @property {string} state
 * @property {string} moves
 * @property {string[]} texts
 * @property {number[]} quiet_turns
 * @property {number} quiet_limit
 * @property {string} repeated
 * @property {number} max_moves
 * @property {number[]} weights
 * @property {number} fair
 * @property {number} points
 * @property {number} doubt
 */
/**
 * @typedef {object} FoundLine
 * @property {string} move the first
 * @property {number} score
 * @property {number} proved the score, or what is proved of it
 * @property {string} states from the one after the first move on
 */
/**
 * @typedef {object} SearchReport
 * @property {number} number of the search
 * @property {boolean} done
 * @property {number} depth
 * @property {number} nodes
 * @property {number} milliseconds
 * @property {number} bytes of the module's memory
 * @property {number} searches under way in the worker
 * @property {FoundLine[]} lines
 * @property {number[]} seen the scores of searches of 1, 2, … plies, where it is for a review
 */

const HIDDEN_MILLISECONDS = 60_000; // after which a page that nobody sees gives its memory back
const DEEPEST = 1000; // plies; the search itself goes less deep

// Scores of proofs, as the search has them: docs/engine.md.
const PROVED = 250_000;
const MAX_ESTIMATE = 100_000;

export class DeviceSearch {
  /** @type {Worker | null} */
  worker = null;
  number = 0; // of the search that is wanted
  running = false;
  /** Whether this browser can; until it has tried, it is thought to. */
  able = typeof WebAssembly === "object" && typeof BigInt64Array === "function";

  /**
   * @param {object} hooks
   * @param {(report: SearchReport) => unknown} hooks.onReport
   * @param {() => unknown} hooks.onFailure when the search that is wanted cannot be made here
   * @param {() => unknown} hooks.onReturn when the reader comes back to a search that was given up
   */
  constructor({ onReport, onFailure, onReturn }) {
    this.onReport = onReport;
    this.onFailure = onFailure;
    let timer = 0;
    let left = false;
    const leave = () => {
      left ||= this.running;
      this.close();
    };
    const comeBack = () => {
      if (left) onReturn();
      left = false;
    };
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(leave, HIDDEN_MILLISECONDS);
      else comeBack();
    });
    addEventListener("pagehide", leave);
    addEventListener("pageshow", comeBack); // by the button that goes back, as it was left
  }

  /**
   * Search a position; the one before is left.
   * @param {PageSearch} search
   * @param {number} lines
   * @param {{depth?: number, nodes?: number}} [limits] with `nodes` it ends after them
   */
  start(search, lines, { depth = DEEPEST, nodes } = {}) {
    this.send({ search, lines, depth, nodes });
  }

  /**
   * Look at a position once, as a review does.
   * @param {PageSearch} search
   */
  review(search) {
    this.send({ search, review: true });
  }

  /** @param {object} wish */
  send(wish) {
    this.running = true;
    this.number += 1;
    this.worker ??= this.open();
    this.worker.postMessage({ number: this.number, ...wish });
  }

  /** Search no longer; what was loaded stays for the next position. */
  stop() {
    if (!this.running) return;
    this.running = false;
    this.number += 1;
    this.worker?.postMessage({ number: this.number });
  }

  /** Give everything back. */
  close() {
    this.running = false;
    this.worker?.terminate();
    this.worker = null;
  }

  open() {
    const worker = new Worker(new URL("./search_worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (data.number !== this.number || worker !== this.worker) return;
      if (data.failed) return this.fail();
      if (data.done) this.running = false;
      this.onReport(data);
    });
    worker.addEventListener("error", () => worker === this.worker && this.fail());
    return worker;
  }

  fail() {
    this.able = false;
    this.close();
    this.onFailure();
  }
}

/**
 * What a score of this device is worth, before the server has said it in words.
 * @param {PageSearch} search
 * @param {number} score
 * @param {number} proved
 */
export function judge({ fair, points, doubt }, score, proved) {
  const odds = (fair / (1 - fair)) * 10 ** (score / points);
  const hoped = doubt + ((1 - 2 * doubt) * odds) / (1 + odds);
  const share = Math.abs(score) > MAX_ESTIMATE ? Number(score > 0) : hoped;
  const proven = Math.abs(proved) > PROVED;
  const value = /** @type {"win" | "loss"} */ (proved > 0 ? "win" : "loss");
  const words = phrase("percent", { n: Math.round(100 * share) });
  return { score: share, value: proven ? value : null, proven, words };
}

/**
 * What the server is told of the lines that were found.
 * @param {SearchReport} found
 */
export function linesToSend({ lines }) {
  return lines.map(({ states, score, proved }) => ({ states, score, proved }));
}
