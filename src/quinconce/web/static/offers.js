/** Shows what the players offer each other, and says which buttons make sense. */

import { go } from "./address.js";
import { button, byId, element } from "./dom.js";
import { phrase } from "./i18n.js";
import { playerName } from "./seats.js";
import { mayMove, mustPass } from "./status.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").Offer} Offer */
/** @typedef {(what: string, body: object) => Promise<unknown>} Send */

const MARGIN = 100; // milliseconds after a moment in which the server has surely seen it too

export class Offers {
  /**
   * @param {Send} send
   * @param {import("./server_time.js").ServerTime} time
   */
  constructor(send, time) {
    this.send = send;
    this.time = time;
    this.holder = byId("offers");
    this.shown = "";
    /** @type {View | undefined} the last view that was shown */
    this.before = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {View} view */
  show(view) {
    goToRematch(this.before, view);
    this.before = view;
    const lendable = this.lendableSeats(view);
    const { offers, resigning, rematch, seats, mine } = view;
    const key = JSON.stringify([offers, resigning, rematch, seats, mine, lendable]);
    if (key === this.shown) return; // the focus may be on one of the buttons
    this.shown = key;
    this.holder.replaceChildren(
      ...view.offers.map((offer) => this.offerBox(offer, view)),
      ...this.absenceButtons(view, lendable),
    );
    if (view.rematch) {
      const link = element("a", { class: "button main", href: `/match/${view.rematch}` });
      link.textContent = phrase("go_rematch");
      this.holder.append(element("p", { class: "offer" }, link));
    }
    for (const seat of view.resigning) {
      const player = playerName(view.seats[seat]);
      this.holder.append(element("p", { class: "offer" }, phrase("resigning", { player })));
    }
  }

  /**
   * @param {Offer} offer
   * @param {View} view
   */
  offerBox(offer, view) {
    const { matter } = offer;
    const own = view.mine.includes(offer.seat);
    const values = {
      player: playerName(view.seats[offer.seat]),
      about: offer.about === null ? "" : playerName(view.seats[offer.about] ?? view.seats[0]),
    };
    const text = phrase(own ? `asked_${matter}` : `asks_${matter}`, values);
    const box = element("div", { class: "offer", role: "status" }, element("p", {}, text));
    const seat = own ? offer.seat : offer.wanted_of.find((n) => view.mine.includes(n));
    if (seat === undefined) return box;
    const body = { matter, seat };
    const buttons = element("div", { class: "buttons" });
    if (!own) buttons.append(button(phrase("agree"), () => this.send("agreements", body), "main"));
    buttons.append(button(phrase(own ? "withdraw" : "refuse"), () => this.send("refusals", body)));
    box.append(buttons);
    return box;
  }

  /**
   * The seats that may be lent to the engine now; a timer shows those that may be lent later.
   * @param {View} view
   */
  lendableSeats(view) {
    const { now } = this.time;
    const absent = view.seats.filter((seat) => seat.lent_from !== null && !seat.present);
    const waits = absent.map((seat) => (seat.lent_from ?? 0) - now).filter((wait) => wait > 0);
    clearTimeout(this.timer);
    if (waits.length) {
      this.timer = setTimeout(() => this.show(view), Math.min(...waits) * 1000 + MARGIN);
    }
    return absent.filter((seat) => (seat.lent_from ?? 0) <= now).map((seat) => seat.seat);
  }

  /**
   * The buttons that lend the seat of an absent player, and that take back one's own.
   * @param {View} view
   * @param {number[]} lendable
   */
  absenceButtons(view, lendable) {
    if (view.scene.outcome || !view.mine.length) return [];
    const offered = view.offers.some((offer) => offer.matter === "engine");
    return view.seats.flatMap((seat) => {
      if (seat.lent && seat.mine) {
        const playOn = () => this.send("seat", { back: true, seat: seat.seat });
        return [element("p", { class: "offer" }, button(phrase("back"), playOn, "main"))];
      }
      if (!lendable.includes(seat.seat) || seat.mine || offered) return [];
      const lend = () => this.send("agreements", { matter: "engine", about: seat.seat });
      return [element("p", {}, button(phrase("lend", { player: playerName(seat) }), lend))];
    });
  }
}

/**
 * Take the players to the rematch that they have just agreed on; who comes later finds a link.
 * @param {View | undefined} before
 * @param {View} view
 */
function goToRematch(before, view) {
  const agreed = view.rematch && before && !before.rematch;
  if (agreed && view.mine.length) go(`/match/${view.rematch}`);
}

/**
 * Show the buttons that make sense now, and no others.
 * @param {View} view
 */
export function showUsefulButtons(view) {
  const useful = usefulActions(view);
  for (const each of document.querySelectorAll("[data-act]")) {
    const name = each.getAttribute("data-act") ?? "";
    if (name in useful) /** @type {HTMLElement} */ (each).hidden = !useful[name];
  }
}

/**
 * Which buttons make sense now, by their `data-act`.
 * @param {View} view
 * @returns {Record<string, boolean>}
 */
function usefulActions(view) {
  const plays = view.mine.length > 0;
  const over = view.scene.outcome !== null;
  const offered = (/** @type {string} */ matter) => view.offers.some((o) => o.matter === matter);
  const alone = !view.seats.some((seat) => seat.kind !== "engine" && !seat.mine);
  return {
    pass: mayMove(view) && mustPass(view.scene),
    hint: mayMove(view) && view.hints,
    hints: plays && !over && !view.hints && !offered("hints"),
    takeback:
      plays && view.may_take_back && !offered("takeback") && (!over || (alone && !view.clock)),
    stop: plays && !over && !offered("stop"),
    resign: plays && !over,
    rematch: plays && over && !view.rematch && !offered("rematch"),
    delete: view.maker,
  };
}
