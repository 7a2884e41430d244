/** How accurate each player was: buttons that say it, and choose whose mistakes are looked at. */

import { byId, element } from "./dom.js";
import { phrase } from "./i18n.js";
import { playerName } from "./seats.js";

/** @typedef {import("./match.js").MatchPage} MatchPage */

export class Accuracy {
  /** @type {Set<number> | null} the seats that the reader has chosen */
  seats = null;

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.holder = byId("accuracy");
  }

  /** @param {number} seat one's own, unless one has none, or has chosen */
  looksAt(seat) {
    const { mine } = this.page.view;
    return this.seats ? this.seats.has(seat) : !mine.length || mine.includes(seat);
  }

  /** @param {(number | null)[]} accuracy by seat; none while the review is under way */
  show(accuracy) {
    const { holder } = this;
    const { seats, mine } = this.page.view;
    const rows = seats.map((seat) => ({
      name: mine.length === 1 && seat.mine ? capitalized(phrase("you")) : playerName(seat),
      share: accuracy[seat.seat] ?? null,
      pressed: this.looksAt(seat.seat),
      title: phrase("mistakes_of", { player: playerName(seat) }),
    }));
    const key = JSON.stringify(rows);
    if (holder.dataset.shown === key) return; // the focus may be on one of them
    const focused = [...holder.children].indexOf(/** @type {Element} */ (document.activeElement));
    holder.dataset.shown = key;
    holder.replaceChildren(
      ...rows.map(({ name, share, pressed, title }, seat) => {
        const percent = share === null ? "…" : phrase("percent", { n: Math.round(share) });
        const attributes = { type: "button", "aria-pressed": String(pressed), title };
        const made = element("button", attributes, `${name} `, element("b", {}, percent));
        made.addEventListener("click", () => this.toggle(seat));
        return made;
      }),
    );
    if (focused >= 0) /** @type {HTMLElement} */ (holder.children[focused])?.focus();
  }

  /** @param {number} seat */
  toggle(seat) {
    const seats = this.page.view.seats.map((each) => each.seat);
    this.seats = new Set(seats.filter((each) => this.looksAt(each) !== (each === seat)));
    this.page.show(this.page.view);
  }
}

/** @param {string} text */
const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
