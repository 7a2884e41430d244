/** The bar beside the board: the score that each side may expect, and the same in words. */

import { byId } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./analysis_board.js").Answer} Answer */

export class ValueBar {
  constructor() {
    this.bar = byId("value-bar");
  }

  hide() {
    this.bar.hidden = true;
  }

  /**
   * Show what the player to move may expect. Of two sides, the bar shows the first; of more, the
   * player to move.
   * @param {Answer} answer
   * @param {number} score from 0 to 1
   * @param {boolean} turned whether the board is, so that the first player sits above
   */
  show({ scene, sides, players }, score, turned) {
    const turn = scene.turn ?? 0;
    const seat = sides.length === 2 ? sides[0][0] : turn;
    const mine = sides.length > 2 || sides[0].includes(turn);
    const n = Math.round(100 * (mine ? score : 1 - score));
    this.bar.hidden = false;
    this.bar.style.setProperty("--score", String(n / 100));
    this.bar.setAttribute("aria-valuenow", String(n));
    this.bar.setAttribute("aria-valuetext", phrase("bar_score", { player: players[seat], n }));
    this.bar.title = phrase("bar_score", { player: players[seat], n });
    const number = this.bar.querySelector(".number");
    if (number) number.textContent = String(n >= 50 ? n : 100 - n);
    this.bar.classList.toggle("turned", turned);
    this.bar.classList.toggle("ahead", n >= 50);
  }
}
