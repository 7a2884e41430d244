/** The page of a match: shows the match as the server knows it, and sends what the player does. */

import "./board.js";
import { Actions } from "./actions.js";
import { ApiError, get } from "./api.js";
import { Arrival } from "./arrival.js";
import { Banner } from "./banner.js";
import { Clocks } from "./clocks.js";
import { Commentary } from "./commentary.js";
import { Connection } from "./connection.js";
import { byId, onCustomEvent, pageData } from "./dom.js";
import { ForcedPass } from "./forced_pass.js";
import { phrase } from "./i18n.js";
import { arrangeParts } from "./match_layout.js";
import { explainIllegal } from "./rule_questions.js";
import { MoveList } from "./move_list.js";
import { playMoveSound, showResult, showTurn } from "./notify.js";
import { Offers, showUsefulButtons } from "./offers.js";
import { Outbox } from "./outbox.js";
import { Remarks } from "./remarks.js";
import { repeat } from "./retry.js";
import { Review } from "./review.js";
import { showInvitations } from "./seat_links.js";
import { SeatList, playerName } from "./seats.js";
import { ServerTime } from "./server_time.js";
import { isPlayedHere, mayMove, showAnalysisLinks, showStatus } from "./status.js";

/** @typedef {import("./api.js").View} View */

const board = /** @type {import("./board.js").GameBoard} */ (byId("board"));

export class MatchPage {
  constructor() {
    this.board = board;
    /** @type {View} */
    this.view = pageData("view");
    const pieces = pageData("pieces");
    this.path = `/api/matches/${this.view.id}`;
    this.flipped = Boolean(pieces.flipped);
    this.seatList = new SeatList(pieces.swatches, pieces.order);
    this.moveList = new MoveList(pieces.turns);
    this.time = new ServerTime();
    this.clocks = new Clocks(this.time, (seat) => this.seatList.clockElement(seat));
    this.offers = new Offers((what, body) => this.send(what, body), this.time);
    this.outbox = new Outbox(this);
    this.banner = new Banner(this.outbox);
    this.connection = new Connection(this);
    this.actions = new Actions(this);
    this.commentary = new Commentary();
    this.arrival = new Arrival(this);
    this.forcedPass = new ForcedPass((move) => this.send("moves", { move }));
    /** @type {View["scene"] | null} an earlier position, while the page shows one */
    this.past = null;
    /** @type {View["scene"] | null} a position in which a mistake is tried again */
    this.practice = null;
    this.remarks = new Remarks(this);
    this.review = new Review(this);
    this.requestedPly = /** @type {number | null} */ (null); // to be shown when its answer comes
    this.lastSeq = this.view.seq; // of the last event that the page has heard of
    this.sending = 0; // acts whose answers will bring the view
    this.unsure = false; // whether what is under way may say less than the page has heard
  }

  get query() {
    return this.flipped ? "?flip=1" : "";
  }

  /** The match up to the position in which somebody at this screen plays. */
  get line() {
    const { game, options, start, moves } = this.view;
    return { game, options, start, moves: moves.slice(0, this.practice?.ply ?? moves.length) };
  }

  async open() {
    arrangeParts();
    this.addListeners();
    this.time.measure(this.view);
    this.show(this.view);
    await this.arrival.claim();
    this.connection.open();
  }

  /** Turn the board. */
  async flip() {
    this.flipped = !this.flipped;
    if (this.past) await this.showPly(this.past.ply);
    await this.review.mistakes.reload();
    this.connection.stream?.reopen(); // what it sends is drawn from the same side
    await this.connection.refresh();
  }

  // What the server sends.

  /** @param {{kind: string, seq?: number, seat?: number, present?: boolean[], view?: View}} event */
  onEvent({ kind, seq = 0, seat = -1, present, view }) {
    const { seats } = this.view;
    const left = present && seats.some((each, i) => each.present && !present[i]);
    present?.forEach((here, i) => (seats[i].present = here));
    if (present) this.show(this.view);
    if (present && (this.sending || this.connection.reading)) this.unsure = true;
    if (view) this.connection.onView(view);
    if (kind === "review") this.review.refresh();
    this.lastSeq = Math.max(this.lastSeq, seq);
    // When a player has left, the server says from when the engine may play for them.
    if (left) this.connection.refresh();
    else this.refreshIfBehind();
    const other = kind === "refuse" && !seats[seat]?.mine && seats[seat];
    if (other) board.announce(phrase("does_not_agree", { player: playerName(other) }));
  }

  /** Read the match anew, if something has been heard of that no answer will bring. */
  refreshIfBehind() {
    if (this.sending || !(this.unsure || this.lastSeq > this.view.seq)) return;
    this.unsure = false;
    this.connection.refresh();
  }

  /** @param {View} view */
  update(view) {
    this.time.measure(view);
    if (view.seq < this.view.seq) return;
    const before = this.view;
    this.view = view;
    this.outbox.forgetPast(view);
    const more = view.moves.length - before.moves.length;
    if (more) this.review.mistakes.stop();
    if (more < 0) this.past = null;
    this.show(view);
    const { outcome } = view.scene;
    if (outcome && !before.scene.outcome) showResult(board, outcome.told);
    if (more > 0) playMoveSound();
    else if (more < 0) board.announce(phrase("taken_back"));
  }

  /**
   * Post to the match and show it as it is then.
   * @param {string} what
   * @param {object} body
   * @returns {Promise<any>} the answer, or null if the server refuses
   */
  async send(what, body) {
    byId("wrong").textContent = "";
    this.sending += 1;
    try {
      const answer = await this.outbox.send(what, body);
      if (!answer) return null;
      this.past = null;
      if (answer.view) this.update(answer.view);
      return answer;
    } catch (error) {
      this.showError(error);
      await this.connection.refresh();
    } finally {
      this.sending -= 1;
      this.refreshIfBehind();
    }
    return null;
  }

  /** @param {unknown} error */
  showError(error) {
    if (!(error instanceof ApiError)) throw error;
    byId("wrong").textContent = error.code === "stale" ? phrase("stale") : error.message;
  }

  // What the page shows.

  /** @param {View} view */
  show(view) {
    const scene = this.practice ?? this.past ?? view.scene;
    const playable = this.past || !mayMove(view) ? null : scene;
    board.show(scene.svg, this.practice ? this.review.mistakes.playable : playable);
    board.idle = this.past || view.scene.outcome ? "" : phrase("waiting_for");
    this.commentary.show(scene, scene === this.practice);
    this.seatList.show(view, scene);
    this.clocks.show(view);
    this.moveList.show(view.moves, this.requestedPly ?? scene.ply);
    this.offers.show(view);
    showInvitations(view, byId("invitations"), this.seatList.order);
    this.arrival.show(view);
    showStatus(view, this.practice ?? this.past, this.moveList);
    this.forcedPass.show(view, this.past !== null);
    this.remarks.show();
    byId("typed").hidden = !view.mine.length || view.scene.outcome !== null;
    byId("rename").hidden = !view.mine.length;
    showAnalysisLinks(view, scene.ply);
    showUsefulButtons(view);
    showTurn(mayMove(view));
    this.review.show();
  }

  /** Show what has not been sent, and where on the board. */
  showUnsent() {
    this.banner.show();
    const move = this.outbox.unsent.find((act) => act.what === "moves")?.body.move;
    if (move === undefined) return this.show(this.view);
    board.announce("");
    if (!this.past) board.hint(move);
    this.connection.refresh(); // the answer alone may have been lost
  }

  addListeners() {
    onCustomEvent(board, "play", (move) => {
      if (this.practice) return this.review.mistakes.tryMove(move);
      board.announce(phrase("playing", { move }));
      const sent = this.send("moves", { move });
      if (isPlayedHere(this.view)) board.held.until(sent);
    });
    onCustomEvent(board, "illegal", (text) => {
      explainIllegal(this.line, text).catch((error) => this.showError(error));
    });
    onCustomEvent(board, "announce", (text) => this.commentary.say(text));
    onCustomEvent(this.moveList, "go", (ply) => this.showPly(ply));
    this.outbox.addEventListener("change", () => this.showUnsent());
    addEventListener("hashchange", () => this.arrival.claim());
    this.actions.addListeners();
  }

  /** @param {number} ply */
  async showPly(ply) {
    this.review.mistakes.stop();
    this.requestedPly = ply;
    const wanted = () => this.requestedPly === ply; // else the reader has gone on
    const onChange = (/** @type {boolean} */ failed) => this.banner.report("ply", failed);
    const path = `${this.path}/plies/${ply}${this.query}`;
    const read = (/** @type {AbortSignal} */ signal) => get(path, signal);
    try {
      const now = ply === this.view.moves.length;
      const past = now ? null : await repeat(read, { wanted, onChange });
      if (!wanted()) return;
      this.past = past;
      this.show(this.view);
    } catch (error) {
      this.showError(error);
    } finally {
      if (this.requestedPly === ply) this.requestedPly = null;
    }
  }
}

new MatchPage().open();
