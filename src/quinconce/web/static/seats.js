/** The list of seats beside the board: who plays which colours, who is there, whose turn it is. */

import { byId, element, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").SeatView} SeatView */

/**
 * The name of the player in a seat, without the colours.
 * @param {SeatView} seat
 */
export function playerName(seat) {
  if (seat.name) return seat.name;
  if (seat.level !== null && !seat.lent) return phrase("engine", { level: seat.level });
  return phrase("player", { n: seat.seat + 1 });
}

export class SeatList {
  /**
   * @param {string[]} swatches a drawing of the pieces of each seat
   * @param {number[]} order the seats in the order in which they move
   */
  constructor(swatches, order) {
    this.swatches = swatches;
    this.order = order;
    this.list = byId("seats");
  }

  /**
   * The element for the clock of a seat.
   * @param {number} seat
   * @returns {HTMLElement | null}
   */
  clockElement(seat) {
    return this.list.querySelector(`[data-seat="${seat}"] .clock`);
  }

  /**
   * @param {View} view
   * @param {import("./api.js").Scene} scene the position on show
   */
  show(view, scene) {
    const seats = this.order.map((seat) => view.seats[seat]);
    if (this.list.children.length !== seats.length) {
      this.list.replaceChildren(...seats.map((seat) => this.row(seat)));
    }
    seats.forEach((seat, i) => this.updateRow(this.list.children[i], seat, view, scene));
  }

  /** @param {SeatView} seat */
  row(seat) {
    return element(
      "li",
      { "data-seat": String(seat.seat) },
      element("span", { class: "swatches" }, parseSvg(this.swatches[seat.seat])),
      element("span", { class: "player" }),
      element("span", { class: "remarks" }),
      element("span", { class: "clock" }),
    );
  }

  /**
   * @param {Element} row
   * @param {SeatView} seat
   * @param {View} view
   * @param {import("./api.js").Scene} scene
   */
  updateRow(row, seat, view, scene) {
    const turn = view.scene.turn === seat.seat;
    row.classList.toggle("turn", turn);
    row.classList.toggle("won", view.scene.outcome?.winners.includes(seat.seat) ?? false);
    if (turn) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    const player = /** @type {HTMLElement} */ (row.querySelector(".player"));
    player.textContent = playerName(seat);
    player.title = seat.called;
    const remarks = /** @type {HTMLElement} */ (row.querySelector(".remarks"));
    remarks.textContent = this.remarks(seat, view, scene).join(" · ");
  }

  /**
   * What the list says of a seat beside its name: «you», «team 2»; and «not here», as long as
   * somebody may wait for them.
   * @param {SeatView} seat
   * @param {View} view
   * @param {import("./api.js").Scene} scene whose pieces are counted
   */
  remarks(seat, view, scene) {
    const remarks = [];
    const teamSize = view.seats.filter((other) => other.side === seat.side).length;
    if (seat.mine && view.mine.length < view.seats.length) remarks.push(phrase("you"));
    if (teamSize > 1) remarks.push(phrase("team", { n: seat.side + 1 }));
    remarks.push(...scene.tallies[seat.seat].map((tally) => tally.words));
    if (view.scene.outcome) return remarks;
    if (seat.lent) remarks.push(phrase("lent"));
    else if (!seat.claimed) remarks.push(phrase("not_come"));
    else if (seat.kind !== "engine" && !seat.mine && !seat.present) remarks.push(phrase("away"));
    return remarks;
  }
}
