/** The page of a match: shows the match as the server knows it, and sends what the player does. */

import "./board.js";
import { Actions } from "./actions.js";
import { ApiError, get, post } from "./api.js";
import { Clocks } from "./clocks.js";
import { byId, onCustomEvent, pageData } from "./dom.js";
import { phrase } from "./i18n.js";
import { MoveList } from "./move_list.js";
import { playMoveSound, showTurn } from "./notify.js";
import { Offers, usefulActions } from "./offers.js";
import { showInvitations } from "./seat_links.js";
import { SeatList, playerName } from "./seats.js";
import { mayMove, statusText } from "./status.js";
import { Stream } from "./stream.js";

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
    this.seatList = new SeatList(pieces.swatches);
    this.moveList = new MoveList(pieces.turns);
    this.clocks = new Clocks((seat) => this.seatList.clockElement(seat));
    this.offers = new Offers((what, body) => this.send(what, body));
    /** @type {View["scene"] | null} an earlier position, while the page shows one */
    this.past = null;
    this.requestedPly = /** @type {number | null} */ (null); // to be shown when its answer comes
    this.refreshing = this.refreshAgain = false;
  }

  get query() {
    return this.flipped ? "?flip=1" : "";
  }

  async open() {
    this.addListeners();
    this.offers.measureLag(this.view);
    this.show(this.view);
    const secret = location.hash.slice(1);
    if (secret) {
      history.replaceState(null, "", location.pathname);
      await this.claimSeat(secret);
    }
    const stream = new Stream(this.view.id, () => this.view.seq);
    onCustomEvent(stream, "event", (event) => this.onEvent(event));
    stream.addEventListener("disconnect", async () => {
      this.showBanner(phrase("lost"));
      if (await this.isDeleted()) stream.close();
    });
    stream.addEventListener("reconnect", () => {
      this.showBanner("");
      this.refresh();
    });
  }

  /** @param {string} secret */
  async claimSeat(secret) {
    try {
      const name = localStorage.getItem("name") ?? "";
      const { seat } = await post(`${this.path}/claims`, { secret, name });
      // The player of the second side sees the board from there.
      this.flipped = this.view.seats.length === 2 && this.view.seats[seat].side === 1;
      await this.refresh();
      board.announce(phrase("seated"));
    } catch (error) {
      this.showError(error);
    }
  }

  // What the server sends.

  /** @param {{kind: string, seq?: number, seat?: number, present?: boolean[]}} event */
  onEvent({ kind, seq = 0, seat = -1, present }) {
    const { seats } = this.view;
    const left = present && seats.some((each, i) => each.present && !present[i]);
    present?.forEach((here, i) => (seats[i].present = here));
    if (present) this.show(this.view);
    // When a player has left, the server says from when the engine may play for them.
    if (left || seq > this.view.seq) this.refresh();
    const other = kind === "refuse" && !seats[seat]?.mine && seats[seat];
    if (other) board.announce(phrase("does_not_agree", { player: playerName(other) }));
  }

  /** Whether the match has been deleted; the banner says so then. */
  async isDeleted() {
    try {
      await get(this.path);
    } catch (error) {
      const deleted = error instanceof ApiError && error.status === 404;
      if (deleted) this.showBanner(phrase("deleted"));
      return deleted;
    }
    return false;
  }

  /** Read the match anew; calls during a request are answered by one more request after it. */
  async refresh() {
    this.refreshAgain = true;
    if (this.refreshing) return;
    this.refreshing = true;
    try {
      while (this.refreshAgain) {
        this.refreshAgain = false;
        this.update(await get(this.path + this.query));
      }
    } catch (error) {
      this.showError(error);
    } finally {
      this.refreshing = false;
    }
  }

  /** @param {View} view */
  update(view) {
    if (view.seq < this.view.seq) return;
    const before = this.view;
    this.view = view;
    this.offers.measureLag(view);
    if (view.moves.length > before.moves.length) {
      const player = playerName(view.seats[before.scene.turn ?? 0]);
      board.announce(phrase("played", { player, move: view.scene.last ?? "" }));
      playMoveSound();
    } else if (view.moves.length < before.moves.length) {
      board.announce(phrase("taken_back"));
      this.past = null;
    }
    this.show(view);
  }

  /**
   * Post to the match and show it as it is then. A move that crosses an event which leaves the
   * position alone, such as an offer, is sent again.
   * @param {string} what
   * @param {object} body
   * @param {number} tries
   * @returns {Promise<any>} the answer, or null if the server refuses
   */
  async send(what, body, tries = 5) {
    byId("wrong").textContent = "";
    try {
      const seq = this.view.seq;
      const answer = await post(`${this.path}/${what}${this.query}`, { seq, ...body });
      this.past = null;
      if (answer.view) this.update(answer.view);
      return answer;
    } catch (error) {
      const plies = this.view.moves.length;
      const stale = error instanceof ApiError && error.code === "stale";
      if (stale && what === "moves" && tries > 0) {
        this.update(await get(this.path + this.query));
        if (this.view.moves.length === plies) return this.send(what, body, tries - 1);
      }
      this.showError(error);
      await this.refresh();
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
    const scene = this.past ?? view.scene;
    board.show(scene.svg, this.past || !mayMove(view) ? null : scene.legal);
    this.seatList.show(view);
    this.clocks.show(view.clock);
    this.moveList.show(view.moves, this.requestedPly ?? scene.ply);
    this.offers.show(view);
    showInvitations(view, byId("invitations"));
    byId("status").textContent = this.past
      ? phrase("looking_back", { ply: this.past.ply, n: view.moves.length })
      : statusText(view);
    byId("status").classList.toggle("mine", !this.past && mayMove(view));
    byId("typed").hidden = !view.mine.length || view.scene.outcome !== null;
    byId("rename").hidden = !view.mine.length;
    byId("explore").setAttribute("href", `/explore?match=${view.id}&ply=${scene.ply}`);
    const useful = usefulActions(view);
    for (const button of document.querySelectorAll("[data-act]")) {
      const name = button.getAttribute("data-act") ?? "";
      if (name in useful) /** @type {HTMLElement} */ (button).hidden = !useful[name];
    }
    showTurn(mayMove(view));
  }

  /** @param {string} text an empty one hides the banner */
  showBanner(text) {
    byId("banner").textContent = text;
    byId("banner").hidden = !text;
  }

  addListeners() {
    onCustomEvent(board, "play", (move) => {
      board.announce(phrase("playing", { move }));
      this.send("moves", { move });
    });
    onCustomEvent(board, "illegal", (text) => this.explainIllegal(text));
    onCustomEvent(board, "announce", (text) => {
      byId("whisper").textContent = text;
      byId("wrong").textContent = "";
    });
    onCustomEvent(this.moveList, "go", (ply) => this.showPly(ply));
    new Actions(this).addListeners();
  }

  /**
   * Let the rules say why a move is not legal.
   * @param {string} text
   */
  async explainIllegal(text) {
    const { game, options, start, moves } = this.view;
    try {
      await post("/api/explore", { game, options, position: start, moves: [...moves, text] });
    } catch (error) {
      this.showError(error);
    }
  }

  /** @param {number} ply */
  async showPly(ply) {
    this.requestedPly = ply;
    try {
      const now = ply === this.view.moves.length;
      const past = now ? null : await get(`${this.path}/plies/${ply}${this.query}`);
      if (this.requestedPly !== ply) return; // the reader has gone on before the answer came
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
