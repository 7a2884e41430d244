/** The button that leads from mistake to mistake, and says where it leads. */

import { byId } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./review.js").Review} Review */

export class NextMistake {
  /** @param {Review} review */
  constructor(review) {
    this.review = review;
    this.button = byId("next-mistake");
    this.button.addEventListener("click", () => this.go());
  }

  /** The next error of the review, if there is one after the position on show. */
  get next() {
    const { errors, page } = this.review;
    return errors.find(({ ply }) => ply > page.moveList.ply);
  }

  /** To the next one, or from the last to the first; in the exercise to the next, or to the end. */
  show() {
    const { errors, mistakes, page } = this.review;
    const only = errors.length === 1 && errors[0].ply === page.moveList.ply;
    this.button.hidden = !mistakes.mistake && (!errors.length || only);
    const name = this.next ? "next_mistake" : "first_mistake";
    this.button.textContent = phrase(mistakes.mistake ? mistakes.nextName : name);
  }

  go() {
    const { errors, mistakes, page } = this.review;
    if (page.practice) return mistakes.goToNext();
    const to = this.next ?? errors[0];
    if (to) page.moveList.goTo(to.ply);
  }
}
