/** The review of a game that is over: asks for it, then shows what each move was worth. */

import { Accuracy } from "./accuracy.js";
import { ApiError, get, post } from "./api.js";
import { clearMarks, drawBadge, drawMove } from "./board_marks.js";
import { byId, onCustomEvent, sayVerdict } from "./dom.js";
import { watchEngine } from "./engine_progress.js";
import { phrase } from "./i18n.js";
import { Mistakes } from "./mistakes.js";
import { NextMistake } from "./next_mistake.js";
import { pause, repeat } from "./retry.js";
import { ReviewCurve } from "./review_curve.js";
import { playerName } from "./seats.js";

/** @typedef {import("./match.js").MatchPage} MatchPage */
/**
 * @typedef {object} PlyView
 * @property {number} ply
 * @property {number} seat
 * @property {string} move
 * @property {string | null} best
 * @property {"win" | "draw" | "loss" | null} proven_before
 * @property {"inaccuracy" | "mistake" | "blunder" | null} judgement
 * @property {number | null} punished_in plies after the move in which one sees that it was an error
 * @property {"win" | "draw" | "loss" | null} went_by what was proved and is no more, too far ahead to see
 * @property {number} score_before
 * @property {number} score_after
 * @property {string | null} mark
 * @property {string} words
 * @property {string[][]} touches
 * @property {string[][]} best_touches
 */
/**
 * @typedef {object} ReviewView
 * @property {"none" | "open" | "done" | "failed"} state
 * @property {number} done
 * @property {number} of
 * @property {boolean} outdated whether another version of the engine made it
 * @property {boolean} may_start
 * @property {PlyView[]} plies
 * @property {(number | null)[]} accuracy
 * @property {number[][]} curve
 */

const WENT_BY_SIGN = "○";
const READ_PAUSE = 400; // milliseconds between two reads: a review may come quickly

export class Review {
  /** @type {ReviewView | null} */
  told = null;
  seq = -1; // of the match for which the review was asked for
  readAgain = false;
  reading = false;
  renewed = false; // whether a review that is old has been asked for once more
  outage = ""; // why the engine does not begin
  /** @type {(() => void) | null} */
  stopWatching = null;

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.button = /** @type {HTMLElement} */ (document.querySelector("[data-act=review]"));
    this.rematch = /** @type {HTMLElement} */ (document.querySelector("[data-act=rematch]"));
    this.accuracy = new Accuracy(page);
    this.mistakes = new Mistakes(page, this);
    this.curve = new ReviewCurve(byId("curve"));
    this.button.addEventListener("click", () => this.start({}));
    byId("review-again").addEventListener("click", () => this.start({ again: true }));
    this.nextMistake = new NextMistake(this);
    onCustomEvent(this.curve, "go", (ply) => page.moveList.goTo(ply));
  }

  // What the server says.

  /** @param {object} body */
  async start(body) {
    try {
      this.told = await post(`${this.page.path}/review`, body);
      this.page.show(this.page.view);
      byId("curve").focus({ preventScroll: true }); // the button is gone
    } catch (error) {
      this.page.showError(error);
    }
  }

  /** Read the review anew; calls during a read are answered by one more after it. */
  async refresh() {
    this.readAgain = true;
    if (this.reading) return;
    this.reading = true;
    const { page } = this;
    const wanted = () => page.view.scene.outcome !== null && !page.banner.deleted;
    const read = (/** @type {AbortSignal} */ signal) => get(`${page.path}/review`, signal);
    try {
      while (this.readAgain) {
        this.readAgain = false;
        const told = await repeat(read, { wanted });
        if (told) this.told = told;
        page.show(page.view);
        await this.renew();
        if (told?.state === "open") await pause(READ_PAUSE);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the match goes on again, or is gone
    } finally {
      this.reading = false;
    }
  }

  /** Have a review made again that an older version made; the button stays if that is refused. */
  async renew() {
    const { told, page } = this;
    if (this.renewed || !told?.outdated || !told.may_start || told.state !== "done") return;
    this.renewed = true;
    try {
      this.told = await post(`${page.path}/review`, { again: true });
      page.show(page.view);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  // What the page shows.

  /** The errors of the seats that the reader looks at, in order. */
  get errors() {
    return (this.told?.plies ?? []).filter((ply) => ply.judgement && this.accuracy.looksAt(ply.seat));
  }

  /** The side that the curve of two is drawn for: the reader's own, or the first. */
  get side() {
    const { seats, mine } = this.page.view;
    return seats[mine[0] ?? 0]?.side ?? 0;
  }

  /** Whose curve it is, in words. */
  get whose() {
    const { seats, mine } = this.page.view;
    const own = mine.length > 0 && mine.length < seats.length;
    const names = seats.filter((seat) => seat.side === this.side).map(playerName);
    return own ? phrase("curve_own") : phrase("curve_whose", { player: names.join(", ") });
  }

  show() {
    const { page, told } = this;
    const { view } = page;
    if (view.scene.outcome === null) {
      this.told = null;
      this.seq = -1;
    } else if (this.seq !== view.seq) {
      this.seq = view.seq;
      this.refresh();
    }
    const begun = this.told !== null && this.told.state !== "none";
    const canStart = told?.state === "none" || told?.state === "failed";
    this.button.hidden = !(this.told && told?.may_start && canStart && told.of > 0);
    for (const id of ["review", "accuracy-line", "reviewed-record"]) byId(id).hidden = !begun;
    clearMarks(page.board);
    page.moveList.showMarks(this.told ? this.told.plies.map(toMark) : [], "review");
    // One row of buttons takes less of the board than two; what stays keeps the focus.
    const row = byId(begun ? "review-buttons" : "needed");
    if (this.rematch.parentElement !== row) row.append(this.rematch);
    if (this.told && begun) this.showBegun(this.told);
  }

  /** @param {ReviewView} told */
  showBegun(told) {
    const { page } = this;
    const scene = page.practice ?? page.past ?? page.view.scene;
    const ply = told.plies[scene.ply - 1];
    byId("review-again").hidden = !(told.outdated && told.may_start && told.state === "done");
    this.nextMistake.show();
    this.showProgress(told);
    this.accuracy.show(told.state === "done" ? told.accuracy : []);
    const { side } = this;
    const marks = told.plies.flatMap(({ ply: n, judgement, seat }) =>
      judgement ? [{ ply: n, kind: judgement, side: page.view.seats[seat].side }] : [],
    );
    const curve = { points: told.curve, of: told.of, side, marks, whose: this.whose };
    this.curve.show(curve, scene.ply, this.valueText(told, scene.ply, side));
    if (this.mistakes.show(ply)) return;
    sayVerdict(ply?.words ?? "", ply?.judgement ?? "");
    if (ply?.judgement || ply?.went_by) drawMove(page.board, ply.best ?? "", "", true);
    if (!ply?.judgement) return;
    drawBadge(page.board, ply.touches.at(-1)?.[0] ?? "", ply.mark ?? "", ply.judgement);
  }

  /** @param {ReviewView} told */
  showProgress({ state, done, of }) {
    this.watchOutage(state === "open" && done === 0);
    const found = this.errors.length;
    const soFar = found ? ` ${phrase("review_errors", { n: found })}` : "";
    const texts = {
      none: "",
      open: this.outage || phrase("review_progress", { n: done, of }) + soFar,
      failed: phrase("review_failed"),
      done: found ? "" : phrase("no_mistakes"),
    };
    byId("review-progress").textContent = this.mistakes.place || texts[state];
  }

  /**
   * Until the engine begins, say whether its computers cannot be reached.
   * @param {boolean} waits
   */
  watchOutage(waits) {
    if (waits && !this.stopWatching) {
      const { game, options } = this.page.view;
      const path = `/api/engine?${new URLSearchParams({ ...options, game })}`;
      this.stopWatching = watchEngine(path, (text) => {
        this.outage = byId("review-progress").textContent = text;
      });
    } else if (!waits && this.stopWatching) {
      this.stopWatching();
      this.stopWatching = null;
      this.outage = "";
    }
  }

  /**
   * A position of the curve for those who do not see it.
   * @param {ReviewView} told
   * @param {number} ply
   * @param {number} side
   */
  valueText(told, ply, side) {
    const share = told.curve[ply]?.[side];
    const percent = share === undefined ? "…" : phrase("percent", { n: Math.round(100 * share) });
    const { seats } = this.page.view;
    const player = playerName(seats.find((seat) => seat.side === side) ?? seats[0]);
    return phrase("curve_value", { ply, of: told.of, player, percent });
  }
}

/** @param {PlyView} ply */
function toMark({ mark, judgement, went_by, words }) {
  if (went_by) return { sign: WENT_BY_SIGN, kind: "went-by", words };
  return mark && judgement ? { sign: mark, kind: judgement, words } : null;
}
