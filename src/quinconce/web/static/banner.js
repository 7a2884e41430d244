/** The line above the board: the connection is lost, or something has not been sent. */

import { button, byId, element } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */

export class Banner {
  /** @param {Outbox} outbox */
  constructor(outbox) {
    this.holder = byId("banner");
    /** @type {Set<string>} what does not work at the moment */
    this.troubles = new Set();
    this.deleted = false;
    /** @type {unknown[]} what the line was made from */
    this.shown = [];
    this.outbox = outbox;
  }

  /**
   * @param {string} what
   * @param {boolean} failed whether it does not work at the moment
   */
  report(what, failed) {
    if (failed) this.troubles.add(what);
    else this.troubles.delete(what);
    this.show();
  }

  /** The match is gone: nothing is tried again. */
  reportDeleted() {
    this.deleted = true;
    this.show();
  }

  show() {
    const { deleted, outbox } = this;
    const lost = this.troubles.size > 0;
    const state = [deleted, lost, ...outbox.unsent];
    const same = state.every((part, i) => part === this.shown[i]);
    if (same && state.length === this.shown.length) return; // the focus may be on a button
    this.shown = state;
    const parts = deleted ? [phrase("deleted")] : this.unsentParts();
    if (lost && !deleted) parts.unshift(phrase("lost"));
    this.holder.replaceChildren(...parts);
    this.holder.hidden = !parts.length;
  }

  /**
   * Every act that has not reached the server, with what can be done about it.
   * @returns {(Node | string)[]}
   */
  unsentParts() {
    return this.outbox.unsent.flatMap((act) => {
      const { move } = act.body;
      const text = move === undefined ? phrase("not_sent") : phrase("move_not_sent", { move });
      const again = button(phrase("send_again"), () => this.outbox.sendNow(act));
      const what = move === undefined ? "discard" : "discard_move";
      const why = act.why ? [" ", element("span", { class: "why" }, act.why)] : [];
      const discard = button(phrase(what), () => this.outbox.discard(act));
      return [element("span", { class: "unsent" }, " ", text, ...why, " ", again, " ", discard)];
    });
  }
}
