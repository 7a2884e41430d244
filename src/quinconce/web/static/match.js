/** The page of a match: keeps board, seats, moves and buttons as the server knows the match. */

import "./board.js";
import { Acts } from "./actions.js";
import { knock, showTurn } from "./notify.js";
import { Clocks } from "./clocks.js";
import { Refusal, get, post } from "./api.js";
import { invite } from "./seat_links.js";
import { Moves } from "./move_list.js";
import { Seats, called } from "./seats.js";
import { Stream } from "./stream.js";
import { mayMove, soothe, status } from "./status.js";
import { Wishes, sensible } from "./offers.js";
import { data, heard, part } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").Scene} Scene */

const board = /** @type {import("./board.js").GameBoard} */ (part("board"));

export class Table {
  constructor() {
    this.board = board;
    /** @type {View} */
    this.view = data("view");
    const pieces = data("pieces");
    this.path = `/api/matches/${this.view.id}`;
    this.flipped = Boolean(pieces.flipped);
    this.seats = new Seats(pieces.swatches);
    this.moves = new Moves(pieces.turns);
    this.clocks = new Clocks((seat) => this.seats.face(seat));
    this.wishes = new Wishes((what, body) => this.send(what, body));
    /** @type {Scene | null} a position of the past, while one looks at it */
    this.past = null;
    this.wanted = /** @type {number | null} */ (null); // the ply to look at, until it is there
    this.asking = this.again = false;
  }

  get query() {
    return this.flipped ? "?flip=1" : "";
  }

  async open() {
    this.wire();
    this.wishes.hear(this.view);
    this.show(this.view);
    const secret = location.hash.slice(1);
    if (secret) {
      history.replaceState(null, "", location.pathname);
      await this.claim(secret);
    }
    const stream = new Stream(this.view.id, () => this.view.seq);
    heard(stream, "news", (news) => this.hear(news));
    stream.addEventListener("lost", async () => {
      this.banner(say("lost"));
      if (await this.gone()) stream.close();
    });
    stream.addEventListener("found", () => {
      this.banner("");
      this.refresh();
    });
  }

  /** @param {string} secret */
  async claim(secret) {
    try {
      const name = localStorage.getItem("name") ?? "";
      const { seat } = await post(`${this.path}/claims`, { secret, name });
      // Whoever plays the second side sees the board from there.
      this.flipped = this.view.seats.length === 2 && this.view.seats[seat].side === 1;
      await this.refresh();
      board.whisper(say("seated"));
    } catch (error) {
      this.complain(error);
    }
  }

  // What the server says.

  /** @param {{kind: string, seq?: number, seat?: number, present?: boolean[]}} news */
  hear({ kind, seq = 0, seat = -1, present }) {
    const { seats } = this.view;
    const left = present && seats.some((each, i) => each.present && !present[i]);
    present?.forEach((here, i) => (seats[i].present = here));
    if (present) this.show(this.view);
    // When somebody has left, the server says from when the engine may play for him.
    if (left || seq > this.view.seq) this.refresh();
    const other = kind === "refuse" && seats[seat];
    if (other && !other.mine) board.whisper(say("does_not_agree", { player: called(other) }));
  }

  /** Whether there is no such match any more, which is told then. */
  async gone() {
    try {
      await get(this.path);
    } catch (error) {
      const gone = error instanceof Refusal && error.status === 404;
      if (gone) this.banner(say("deleted"));
      return gone;
    }
    return false;
  }

  /** Read the match anew; while an answer is awaited, further news are read together after it. */
  async refresh() {
    this.again = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.again) {
        this.again = false;
        this.take(await get(this.path + this.query));
      }
    } catch (error) {
      this.complain(error);
    } finally {
      this.asking = false;
    }
  }

  /** @param {View} view */
  take(view) {
    if (view.seq < this.view.seq) return;
    const before = this.view;
    this.view = view;
    this.wishes.hear(view);
    if (view.moves.length > before.moves.length) {
      const seat = view.seats[before.scene.turn ?? 0];
      board.whisper(say("played", { player: called(seat), move: view.scene.last ?? "" }));
      knock();
    } else if (view.moves.length < before.moves.length) {
      board.whisper(say("taken_back"));
      this.past = null;
    }
    this.show(view);
  }

  /**
   * Ask for something; the answer is the match as it is then. A move that met something else, a
   * friend who came or an offer, is sent again: the position is still the one it was made in.
   * @param {string} what
   * @param {object} body
   * @param {number} tries
   * @returns {Promise<any>}
   */
  async send(what, body, tries = 5) {
    part("wrong").textContent = "";
    try {
      const done = await post(`${this.path}/${what}${this.query}`, { seq: this.view.seq, ...body });
      this.past = null;
      if (done.view) this.take(done.view);
      return done;
    } catch (error) {
      const plies = this.view.moves.length;
      const stale = error instanceof Refusal && error.code === "stale";
      if (stale && what === "moves" && tries > 0) {
        this.take(await get(this.path + this.query));
        if (this.view.moves.length === plies) return this.send(what, body, tries - 1);
      }
      this.complain(error);
      await this.refresh();
    }
    return null;
  }

  /** @param {unknown} error */
  complain(error) {
    if (!(error instanceof Refusal)) throw error;
    part("wrong").textContent = error.code === "stale" ? say("stale") : error.message;
  }

  // What is shown.

  /** @param {View} view */
  show(view) {
    const scene = this.past ?? view.scene;
    board.show(scene.svg, this.past || !mayMove(view) ? null : scene.legal);
    this.seats.show(view);
    this.clocks.show(view.clock);
    this.moves.show(view.moves, this.wanted ?? scene.ply);
    this.wishes.show(view);
    invite(view, part("invitations"));
    part("status").textContent = this.past
      ? say("looking_back", { ply: this.past.ply, n: view.moves.length })
      : status(view);
    part("status").classList.toggle("mine", !this.past && mayMove(view));
    part("typed").hidden = !view.mine.length || view.scene.outcome !== null;
    part("rename").hidden = !view.mine.length;
    part("explore").setAttribute("href", `/explore?match=${view.id}&ply=${scene.ply}`);
    const useful = sensible(view);
    for (const act of document.querySelectorAll("[data-act]")) {
      const name = act.getAttribute("data-act") ?? "";
      if (name in useful) /** @type {HTMLElement} */ (act).hidden = !useful[name];
    }
    showTurn(mayMove(view));
    soothe(view, (text) => board.whisper(text));
  }

  /** @param {string} text */
  banner(text) {
    part("banner").textContent = text;
    part("banner").hidden = !text;
  }

  wire() {
    heard(board, "play", (move) => {
      board.whisper(say("playing", { move }));
      this.send("moves", { move });
    });
    heard(board, "refuse", (text) => this.why(text));
    heard(board, "whisper", (text) => {
      part("whisper").textContent = text;
      part("wrong").textContent = "";
    });
    heard(this.moves, "go", (ply) => this.lookBack(ply));
    new Acts(this).wire();
  }

  /**
   * Let the rules say why a move cannot be played.
   * @param {string} text
   */
  async why(text) {
    const { game, options, start, moves } = this.view;
    try {
      await post("/api/explore", { game, options, position: start, moves: [...moves, text] });
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {number} ply */
  async lookBack(ply) {
    this.wanted = ply;
    try {
      const now = ply === this.view.moves.length;
      const past = now ? null : await get(`${this.path}/plies/${ply}${this.query}`);
      if (this.wanted !== ply) return; // somebody leafs faster than answers come
      this.past = past;
      this.show(this.view);
    } catch (error) {
      this.complain(error);
    } finally {
      if (this.wanted === ply) this.wanted = null;
    }
  }
}

new Table().open();
