/** Learn from mistakes: one looks for better moves, once for each, the soonest punished first. */

import { ApiError, post } from "./api.js";
import { AttemptSearch, lineOf } from "./attempt_search.js";
import { drawMove } from "./board_marks.js";
import { byId, sayVerdict } from "./dom.js";
import { phrase } from "./i18n.js";
import { playerName } from "./seats.js";

/** @typedef {import("./match.js").MatchPage} MatchPage */
/** @typedef {import("./review.js").PlyView} PlyView */
/** @typedef {import("./review.js").Review} Review */

export class Mistakes {
  /** @type {PlyView | null} the mistake on show, while the reader looks for something better */
  mistake = null;
  text = ""; // what the reader is told
  kind = "";
  solved = false; // whether a good move has been found, or shown
  answered = false; // whether it has been shown
  /** @type {string[]} the good move that was found */
  found = [];
  /** @type {PlyView[]} the mistakes of this round, and those of them that were found */
  round = [];
  /** @type {Set<PlyView>} */
  foundOnes = new Set();
  /** @type {{ply: number, text: string} | null} what is said at the end, until one goes elsewhere */
  summary = null;

  /**
   * @param {MatchPage} page
   * @param {Review} review
   */
  constructor(page, review) {
    this.page = page;
    this.review = review;
    this.search = new AttemptSearch();
    byId("learn").addEventListener("click", () => this.begin());
    byId("retry").addEventListener("click", () => this.begin(this.onShow));
    byId("answer").addEventListener("click", () => this.showAnswer());
    byId("end-practice").addEventListener("click", () => this.leave());
  }

  /** The position to play in, while a better move is still to be found. */
  get playable() {
    return this.solved ? null : this.page.practice;
  }

  /** Which of the mistakes of the round is on show: «2 / 7». */
  get place() {
    const { mistake, round } = this;
    return mistake && round.length > 1 ? `${round.indexOf(mistake) + 1} / ${round.length}` : "";
  }

  get isLast() {
    return this.mistake === this.round.at(-1);
  }

  /** What the button to the next mistake is called. */
  get nextName() {
    return this.isLast ? "finish_practice" : "next_mistake";
  }

  /** The mistake that led to the position on show. */
  get onShow() {
    const { past, view } = this.page;
    const ply = this.review.told?.plies[(past ?? view.scene).ply - 1];
    return ply?.judgement ? ply : undefined;
  }

  /**
   * Show the buttons that make sense, and what there is to say while a mistake is tried again.
   * @param {PlyView | undefined} ply that led to the position on show
   * @returns {boolean} whether one is
   */
  show(ply) {
    const { mistake, solved } = this;
    byId("learn").hidden = mistake !== null || !this.review.errors.length;
    byId("retry").hidden = mistake !== null || !ply?.judgement;
    byId("answer").hidden = mistake === null || solved;
    byId("end-practice").hidden = mistake === null;
    byId("review").classList.toggle("practice", mistake !== null);
    if (this.summary && this.summary.ply !== ply?.ply) this.summary = null;
    if (!mistake) return this.showSummary();
    sayVerdict(this.text, this.kind);
    if (this.answered) drawMove(this.page.board, mistake.best ?? "");
    return true;
  }

  /** @returns {boolean} whether there is one */
  showSummary() {
    if (!this.summary) return false;
    sayVerdict(this.summary.text, "good");
    return true;
  }

  /**
   * Begin a round: all mistakes once, the soonest punished first.
   * @param {PlyView} [first] the one to begin with
   */
  begin(first) {
    const others = this.review.errors.filter((each) => each !== first).sort(bySoonest);
    this.round = first ? [first, ...others] : others;
    this.foundOnes = new Set();
    return this.start(this.round[0]);
  }

  /**
   * Let the reader find something better.
   * @param {PlyView | undefined} mistake
   */
  async start(mistake) {
    if (!mistake) return;
    this.found = [];
    if (!(await this.load(mistake, []))) return;
    const { seats, mine } = this.page.view;
    const own = mine.length === 1 && mine[0] === mistake.seat;
    const values = { move: mistake.move, player: playerName(seats[mistake.seat]) };
    this.solved = this.answered = false;
    this.tell(phrase(own ? "practice_own" : "practice", values));
    const { board } = this.page;
    board.at(board.focused)?.focus({ preventScroll: true });
  }

  /**
   * Show the position before a mistake, or after other moves there.
   * @param {PlyView} mistake
   * @param {string[]} tried
   * @returns {Promise<boolean>} whether the server has answered
   */
  async load(mistake, tried) {
    const { page } = this;
    try {
      const { scene } = await post(`/api/explore${page.query}`, lineOf(page.view, mistake, tried));
      page.practice = scene;
      this.mistake = mistake;
      return true;
    } catch (error) {
      page.showError(error);
      return false;
    }
  }

  /**
   * Let a move be judged that the reader tries.
   * @param {string} move
   */
  async tryMove(move) {
    const { page, mistake } = this;
    if (!mistake) return;
    this.tell(phrase("judging"));
    const found = await this.search.find(page.view, mistake, move);
    try {
      if (this.mistake !== mistake) return;
      const body = { ply: mistake.ply, move, found };
      const answer = await post(`${page.path}/review/attempts`, body);
      if (this.mistake !== mistake) return;
      if (answer.good) {
        this.solved = true;
        this.foundOnes.add(mistake);
        this.found = [answer.move];
        await this.load(mistake, this.found);
      }
      this.tell(answer.words, answer.good ? "good" : "bad");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.tell(error.message, "bad");
    }
  }

  async showAnswer() {
    const { mistake } = this;
    if (!mistake) return;
    this.solved = this.answered = true;
    this.tell(mistake.words);
    byId("next-mistake").focus({ preventScroll: true });
  }

  goToNext() {
    const { mistake, round } = this;
    return mistake && !this.isLast ? this.start(round[round.indexOf(mistake) + 1]) : this.finish();
  }

  /** Back to the review, with how many mistakes were found. */
  async finish() {
    const ply = this.mistake?.ply ?? 0;
    const text = phrase("practice_end", { found: this.foundOnes.size, n: this.round.length });
    await this.leave();
    this.summary = { ply, text };
    this.page.show(this.page.view);
  }

  /** Show the position anew, from the other side of the board. */
  async reload() {
    if (this.mistake) await this.load(this.mistake, this.found);
  }

  /** Try no longer, without going anywhere. */
  stop() {
    this.mistake = null;
    this.page.practice = null;
    this.search.close();
  }

  /** Back to the review, where the mistake was made. */
  async leave() {
    const ply = this.mistake?.ply ?? 0;
    this.stop();
    await this.page.showPly(ply);
    byId("learn").focus({ preventScroll: true });
  }

  /**
   * @param {string} text
   * @param {string} [kind]
   */
  tell(text, kind = "task") {
    this.text = text;
    this.kind = kind;
    this.page.show(this.page.view);
  }
}

/**
 * Those that are punished sooner first, then those that cost more, then the earlier ones.
 * @param {PlyView} one
 * @param {PlyView} other
 */
function bySoonest(one, other) {
  const soon = (one.punished_in ?? Infinity) - (other.punished_in ?? Infinity);
  return soon || lossOf(other) - lossOf(one) || one.ply - other.ply;
}

/**
 * In hundredths of the point.
 * @param {PlyView} ply
 */
const lossOf = ({ score_before, score_after }) => Math.round(100 * (score_before - score_after));
