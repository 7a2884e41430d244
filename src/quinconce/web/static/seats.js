/** The seats beside the board: who plays with what, who is there, whose turn it is. */

import { drawing, element, part } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").SeatView} SeatView */

/**
 * What people call a seat, without its colours.
 * @param {SeatView} seat
 */
export function called(seat) {
  if (seat.name) return seat.name;
  if (seat.level !== null && !seat.lent) return say("engine", { level: seat.level });
  return say("player", { n: seat.seat + 1 });
}

export class Seats {
  /** @param {string[]} swatches the pieces of every seat, drawn */
  constructor(swatches) {
    this.swatches = swatches;
    this.list = part("seats");
  }

  /**
   * Where the clock of a seat is shown.
   * @param {number} seat
   * @returns {HTMLElement | null}
   */
  face(seat) {
    return this.list.querySelector(`[data-seat="${seat}"] .clock`);
  }

  /** @param {View} view */
  show(view) {
    if (this.list.children.length !== view.seats.length) {
      this.list.replaceChildren(...view.seats.map((seat) => this.row(seat)));
    }
    view.seats.forEach((seat, i) => this.fill(this.list.children[i], seat, view));
  }

  /** @param {SeatView} seat */
  row(seat) {
    return element(
      "li",
      { "data-seat": String(seat.seat) },
      element("span", { class: "swatches" }, drawing(this.swatches[seat.seat])),
      element("span", { class: "who" }),
      element("span", { class: "tags" }),
      element("span", { class: "clock" }),
    );
  }

  /**
   * @param {Element} row
   * @param {SeatView} seat
   * @param {View} view
   */
  fill(row, seat, view) {
    const turn = view.scene.turn === seat.seat;
    row.classList.toggle("turn", turn);
    row.classList.toggle("won", view.scene.outcome?.winners.includes(seat.seat) ?? false);
    if (turn) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    const who = /** @type {HTMLElement} */ (row.querySelector(".who"));
    who.textContent = called(seat);
    who.title = seat.called;
    const tags = /** @type {HTMLElement} */ (row.querySelector(".tags"));
    tags.textContent = this.tags(seat, view).join(" · ");
  }

  /**
   * @param {SeatView} seat
   * @param {View} view
   */
  tags(seat, view) {
    const tags = [];
    const mates = view.seats.filter((other) => other.side === seat.side).length;
    const teams = view.seats.some((a) => view.seats.some((b) => a !== b && a.side === b.side));
    if (seat.mine && view.mine.length < view.seats.length) tags.push(say("you"));
    if (teams && mates > 1) tags.push(say("team", { n: seat.side + 1 }));
    if (seat.lent) tags.push(say("lent"));
    else if (!seat.claimed) tags.push(say("not_come"));
    else if (seat.kind !== "engine" && !seat.mine && !seat.present) tags.push(say("away"));
    return tags;
  }
}
