/** What people ask of each other: the offers on the table, and the buttons that make them. */

import { button, element, part } from "./dom.js";
import { say } from "./i18n.js";
import { called } from "./seats.js";
import { mayMove, mustPass } from "./status.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").Offer} Offer */
/** @typedef {(what: string, body: object) => Promise<unknown>} Send */

const MARGIN = 100; // milliseconds after a moment in which the server has surely seen it too

export class Wishes {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.holder = part("offers");
    this.shown = "";
    this.lag = 0; // how far the clock of this machine is ahead of the server's, in seconds
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * A match as the server has just told it.
   * @param {View} view
   */
  hear(view) {
    this.lag = Date.now() / 1000 - view.now;
  }

  /** @param {View} view */
  show(view) {
    const gone = this.gone(view);
    const { offers, resigning, rematch, seats, mine } = view;
    const key = JSON.stringify([offers, resigning, rematch, seats, mine, gone]);
    if (key === this.shown) return; // the focus may be on one of the buttons
    this.shown = key;
    this.holder.replaceChildren(
      ...view.offers.map((offer) => this.offer(offer, view)),
      ...this.absences(view, gone),
    );
    if (view.rematch) {
      const link = element("a", { class: "button main", href: `/match/${view.rematch}` });
      link.textContent = say("go_rematch");
      this.holder.append(element("p", { class: "offer" }, link));
    }
    for (const seat of view.resigning) {
      const player = called(view.seats[seat]);
      this.holder.append(element("p", { class: "offer" }, say("resigning", { player })));
    }
  }

  /**
   * @param {Offer} offer
   * @param {View} view
   */
  offer(offer, view) {
    const { matter } = offer;
    const own = view.mine.includes(offer.seat);
    const values = {
      player: called(view.seats[offer.seat]),
      about: offer.about === null ? "" : called(view.seats[offer.about] ?? view.seats[0]),
    };
    const text = say(own ? `asked_${matter}` : `asks_${matter}`, values);
    const box = element("div", { class: "offer", role: "status" }, element("p", {}, text));
    const seat = own ? offer.seat : offer.wanted_of.find((n) => view.mine.includes(n));
    if (seat === undefined) return box;
    const body = { matter, seat };
    const buttons = element("div", { class: "buttons" });
    if (!own) buttons.append(button(say("agree"), () => this.send("agreements", body), "main"));
    buttons.append(button(say(own ? "withdraw" : "refuse"), () => this.send("refusals", body)));
    box.append(buttons);
    return box;
  }

  /**
   * The seats that may be lent to the engine now; those that may be soon are looked at again then.
   * @param {View} view
   */
  gone(view) {
    const now = Date.now() / 1000 - this.lag;
    const seats = view.seats.filter((seat) => seat.lent_from !== null && !seat.present);
    const waits = seats.map((seat) => (seat.lent_from ?? 0) - now).filter((wait) => wait > 0);
    clearTimeout(this.timer);
    if (waits.length) {
      this.timer = setTimeout(() => this.show(view), Math.min(...waits) * 1000 + MARGIN);
    }
    return seats.filter((seat) => (seat.lent_from ?? 0) <= now).map((seat) => seat.seat);
  }

  /**
   * What can be done where somebody has left.
   * @param {View} view
   * @param {number[]} gone
   */
  absences(view, gone) {
    if (view.scene.outcome || !view.mine.length) return [];
    const asked = view.offers.some((offer) => offer.matter === "engine");
    return view.seats.flatMap((seat) => {
      if (seat.lent && seat.mine) {
        const back = () => this.send("seat", { back: true, seat: seat.seat });
        return [element("p", { class: "offer" }, button(say("back"), back, "main"))];
      }
      if (!gone.includes(seat.seat) || seat.mine || asked) return [];
      const lend = () => this.send("agreements", { matter: "engine", about: seat.seat });
      return [element("p", {}, button(say("lend", { player: called(seat) }), lend))];
    });
  }
}

/**
 * Which buttons make sense now.
 * @param {View} view
 * @returns {Record<string, boolean>}
 */
export function sensible(view) {
  const plays = view.mine.length > 0;
  const over = view.scene.outcome !== null;
  const asked = (/** @type {string} */ matter) => view.offers.some((o) => o.matter === matter);
  const people = view.seats.some((seat) => seat.kind !== "engine" && !seat.mine);
  const alone = !people;
  return {
    pass: mayMove(view) && mustPass(view.scene),
    hint: mayMove(view) && view.hints,
    hints: plays && !over && !view.hints && !asked("hints"),
    takeback:
      plays && view.moves.length > 0 && !asked("takeback") && (!over || (alone && !view.clock)),
    stop: plays && !over && !asked("stop"),
    resign: plays && !over,
    rematch: plays && over && !view.rematch && !asked("rematch"),
    delete: view.maker,
  };
}
