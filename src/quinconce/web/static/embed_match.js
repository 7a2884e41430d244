/** A game inside another site: live while it is played, and to step through; nobody plays here. */

import "./board.js";
import { ApiError, get } from "./api.js";
import { Clocks } from "./clocks.js";
import { Commentary } from "./commentary.js";
import { byId, onCustomEvent, pageData } from "./dom.js";
import { phrase } from "./i18n.js";
import { MoveList } from "./move_list.js";
import { repeat } from "./retry.js";
import { SeatList } from "./seats.js";
import { ServerTime } from "./server_time.js";
import { Stream } from "./stream.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").Scene} Scene */

class EmbeddedMatch {
  constructor() {
    const { view, swatches, order, turns, flipped } = pageData("embed");
    this.board = /** @type {import("./board.js").GameBoard} */ (byId("board"));
    /** @type {View} */
    this.view = view;
    this.path = `/api/matches/${view.id}`;
    this.flip = flipped ? "flip=1" : "";
    this.seatList = new SeatList(swatches, order);
    this.moveList = new MoveList(turns);
    this.commentary = new Commentary();
    this.time = new ServerTime();
    this.clocks = new Clocks(this.time, (seat) => this.seatList.clockElement(seat));
    /** @type {Scene | null} an earlier position, while the reader looks at one */
    this.past = null;
    this.requests = 0; // an answer counts only if no request has followed its own
    onCustomEvent(this.moveList, "go", (ply) => this.showPly(ply));
  }

  open() {
    this.update(this.view);
    const stream = new Stream(() => `${this.path}/events?after=${this.view.seq}&${this.flip}`);
    onCustomEvent(stream, "event", (event) => this.onEvent(event));
    stream.addEventListener("disconnect", () => this.showBanner(phrase("unreachable")));
    stream.addEventListener("reconnect", () => {
      this.showBanner("");
      this.refresh();
    });
  }

  /** @param {{seq?: number, present?: boolean[], view?: View}} event */
  onEvent({ seq = 0, present, view }) {
    present?.forEach((here, i) => (this.view.seats[i].present = here));
    if (view) this.update(view);
    else if (seq > this.view.seq) this.refresh();
    else if (present) this.show();
  }

  /** Read the match anew. */
  async refresh() {
    const read = (/** @type {AbortSignal} */ signal) => get(`${this.path}?${this.flip}`, signal);
    try {
      const view = await repeat(read, {});
      if (view) this.update(view);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.showBanner(error.message);
    }
  }

  /** @param {View} view */
  update(view) {
    if (view.seq < this.view.seq) return;
    this.time.measure(view);
    if (view.moves.length < this.view.moves.length) this.past = null;
    this.view = view;
    this.show();
  }

  /** @param {number} ply */
  async showPly(ply) {
    const number = ++this.requests;
    const { view } = this;
    try {
      const past =
        ply === view.moves.length ? null : await get(`${this.path}/plies/${ply}?${this.flip}`);
      if (number !== this.requests) return;
      this.past = past;
      this.show();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      byId("wrong").textContent = error.message;
    }
  }

  show() {
    const { view } = this;
    const scene = this.past ?? view.scene;
    this.board.show(scene.svg, null);
    this.commentary.show(scene);
    this.seatList.show(view, scene);
    this.clocks.show(view);
    this.moveList.show(view.moves, scene.ply);
    byId("status").textContent = [scene.status, ...scene.notices].join(" ");
  }

  /** @param {string} text */
  showBanner(text) {
    byId("banner").textContent = text;
    byId("banner").hidden = !text;
  }
}

new EmbeddedMatch().open();
