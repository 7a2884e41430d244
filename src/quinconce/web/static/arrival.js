/** Somebody comes to the match by a link: to a seat, or to a table where they pick a free one. */

import { here, replaceAddress } from "./address.js";
import { ApiError, post } from "./api.js";
import { byId, element, inputById, onSubmit, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";
import { lastName, rememberName } from "./new_match.js";
import { repeat } from "./retry.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./match.js").MatchPage} MatchPage */

const TABLE = "table="; // stands before the secret of a table

export class Arrival {
  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("arrival"));
    this.secret = ""; // of the table at which a seat is being chosen
    this.shown = "";
    onSubmit("introduce", () => this.introduce());
  }

  /** Take the seat whose secret stands in the address, if one does; at a table, let it be chosen. */
  async claim() {
    const secret = location.hash.slice(1);
    if (!secret || document.getElementById(secret)) return; // a place on the page is no secret
    replaceAddress(here().pathname, null);
    try {
      if (!secret.startsWith(TABLE)) await this.sitDown("claims", { secret, name: lastName() });
      else await this.comeToTable(secret.slice(TABLE.length));
    } catch (error) {
      this.page.showError(error);
    }
  }

  /**
   * Get the cookie by which the server will know this browser, then show the free seats.
   * @param {string} secret
   */
  async comeToTable(secret) {
    await this.post("table", { secret });
    await this.page.connection.refresh();
    const { view } = this.page;
    if (view.mine.length) return;
    if (!freeSeats(view).length) return this.page.board.announce(phrase("table_full"));
    this.secret = secret;
    inputById("guest").value = lastName();
    byId("arrival-wrong").textContent = "";
    this.shown = "";
    this.dialog.showModal();
    this.show(view);
  }

  /** @param {number} seat */
  async choose(seat) {
    const name = inputById("guest").value.trim();
    rememberName(name);
    try {
      await this.sitDown("table", { secret: this.secret, seat, name });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await this.page.connection.refresh(); // which shows the seats that are still free
      byId("arrival-wrong").textContent = error.message;
    }
  }

  /**
   * Take a seat, and show the match as it is seen from there.
   * @param {string} what
   * @param {object} body
   */
  async sitDown(what, body) {
    const { page } = this;
    await this.post(what, body);
    this.dialog.close();
    await page.connection.refresh();
    if (page.view.far_side !== page.flipped) await page.flip();
    page.actions.showOwnSeats();
    page.connection.stream?.reopen(); // the others see by it that somebody sits there
    if (!over(page.view)) page.board.announce(phrase("seated"));
  }

  /**
   * Post until the server answers.
   * @param {string} what
   * @param {object} body
   */
  post(what, body) {
    const onChange = (/** @type {boolean} */ failed) => this.page.banner.report("claim", failed);
    const send = (/** @type {AbortSignal} */ patience) =>
      post(`${this.page.path}/${what}`, body, patience);
    return repeat(send, { onChange });
  }

  /** Tell the others one's name. */
  async introduce() {
    const name = inputById("introduced").value.trim();
    if (!name) return;
    rememberName(name);
    await this.page.send("seat", { name, seat: this.page.view.mine[0] });
  }

  /**
   * Show the seats that are free now, and ask a friend who sits without a name for one.
   * @param {View} view
   */
  show(view) {
    const own = view.seats.filter((seat) => seat.mine && seat.kind === "friend");
    byId("introduce").hidden = !own.length || own.some((seat) => seat.name) || over(view);
    if (!this.dialog.open) return;
    const free = freeSeats(view);
    const key = JSON.stringify(free.map((seat) => seat.seat));
    if (key === this.shown) return; // the focus may be on one of the buttons
    this.shown = key;
    byId("arrival-how").textContent = phrase(free.length ? "table_choose" : "table_full");
    const { order, swatches } = this.page.seatList;
    const buttons = order.flatMap((n) => free.filter((seat) => seat.seat === n));
    byId("free-seats").replaceChildren(
      ...buttons.map((seat) => this.seatButton(seat, swatches[seat.seat], view)),
    );
  }

  /**
   * @param {View["seats"][0]} seat
   * @param {string} swatches
   * @param {View} view
   */
  seatButton(seat, swatches, view) {
    const team = view.seats.filter((other) => other.side === seat.side).length > 1;
    const words = [seat.called, ...(team ? [phrase("team", { n: seat.side + 1 })] : [])];
    const made = element("button", { type: "button" });
    made.append(element("span", { class: "swatches" }, parseSvg(swatches)), words.join(" · "));
    made.addEventListener("click", () => this.choose(seat.seat));
    return made;
  }
}

/** @param {View} view */
const over = (view) => view.scene.outcome !== null;

/**
 * The seats at which a friend is waited for.
 * @param {View} view
 */
function freeSeats(view) {
  return view.seats.filter((seat) => seat.kind === "friend" && !seat.claimed);
}
