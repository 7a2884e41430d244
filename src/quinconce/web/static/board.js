/** <game-board>: shows a drawing, narrows the legal moves touch by touch, and plays the last one. */

import { isArrow, nearest } from "./arrow_keys.js";
import { Drag } from "./drag.js";
import { Path } from "./partial_move.js";
import { chain, middle } from "./places.js";
import { drawing } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {import("./api.js").LegalMove} LegalMove */

/**
 * Tells the page: `play` with a move, `refuse` with the text of a move that is none, `whisper` with
 * what just changed, for those who do not see it.
 */
export class GameBoard extends HTMLElement {
  constructor() {
    super();
    this.path = new Path([]);
    this.active = false; // whether it is for this screen to move
    this.drawn = ""; // the text of the picture on show
    this.focused = ""; // the place that had the focus last
    this.doubtful = ""; // a place where nothing can be played, in case one tries
    this.wired = false;
  }

  connectedCallback() {
    if (this.wired) return;
    this.wired = true;
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("keydown", (event) => this.pressed(event));
    this.addEventListener("focusin", (event) => this.noticed(event));
    new Drag(this);
  }

  /**
   * Show a position. The same picture again is left alone, so that nothing jumps or starts anew; nor
   * is the one that came with the page drawn twice.
   * @param {string} svg
   * @param {LegalMove[] | null} legal null if it is not for this screen to move
   */
  show(svg, legal) {
    if (svg !== this.drawn) {
      const had = this.contains(document.activeElement);
      if (this.drawn || !this.firstElementChild) this.replaceChildren(drawing(svg));
      if (had) this.at(this.focused)?.focus({ preventScroll: true });
      this.hinted = [];
    }
    this.drawn = svg;
    this.active = legal !== null && legal.length > 0;
    this.path = this.path.among(legal ?? []);
    if (!this.at(this.focused)) this.focused = this.places()[0]?.dataset.place ?? "";
    this.rove();
    this.mark();
  }

  /**
   * Show the places of a move.
   * @param {string} text
   */
  hint(text) {
    this.path.letGo();
    this.hinted = this.path.steps(text);
    this.mark();
  }

  /** @type {string[]} */
  hinted = [];

  // Touching.

  /** @param {MouseEvent} event */
  clicked(event) {
    if (event.target instanceof Element) this.touch(chain(event.target));
  }

  /**
   * Touch what lies under a finger: the innermost place that means something.
   * @param {string[]} places innermost first
   */
  touch(places) {
    if (!places.length || !this.drawn) return;
    if (!this.active) return this.whisper(say("waiting_for"));
    this.hinted = [];
    const { path } = this;
    const next = path.next();
    const on = places.find((place) => next.has(place));
    if (on !== undefined) this.take(on);
    else if (path.last && places.includes(path.last)) this.again();
    else this.elsewhere(places);
    this.mark();
  }

  /** @param {string} place */
  take(place) {
    this.doubtful = "";
    const move = this.path.take(place);
    if (move) return this.play(move.move);
    const label = this.label(place);
    const targets = this.path.next().size;
    if (this.path.whole) this.whisper(say("complete", { place: label }));
    else if (this.path.touched.length === 1 && targets) {
      this.whisper(say("picked", { place: label, n: targets }));
    } else this.whisper(say("taken", { place: label }));
  }

  /** The last place again: the path as it stands, if it is a move; else let go. */
  again() {
    const { whole } = this.path;
    if (whole) this.play(whole.move);
    else this.letGo();
  }

  /**
   * A place where the path does not lead: another pawn is picked up instead, or the rules say why.
   * @param {string[]} places
   */
  elsewhere(places) {
    const begun = this.path.touched.length > 0;
    const fresh = new Path(this.path.legal).next();
    const other = places.find((place) => fresh.has(place) && !this.path.playsAlone(place));
    if (begun && other !== undefined) {
      this.path.letGo();
      return this.take(other);
    }
    const [place] = places;
    if (begun) {
      const text = this.path.spelt(places.at(-1) ?? place);
      this.path.letGo();
      this.tell("refuse", text);
    } else if (this.at(place)?.classList.contains("to-move")) {
      this.whisper(say("choose_place"));
    } else if (this.doubtful && !places.includes(this.doubtful)) {
      this.tell("refuse", `${this.doubtful}-${places.at(-1)}`);
      this.doubtful = "";
    } else {
      this.doubtful = place;
      this.whisper(say("no_move_here", { place: this.label(place) }));
    }
  }

  /** @param {string} move */
  play(move) {
    this.path.letGo();
    this.active = false;
    this.tell("play", move);
  }

  letGo() {
    if (this.path.touched.length) this.whisper(say("let_go"));
    this.path.letGo();
    this.doubtful = "";
    this.mark();
  }

  // Keys.

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (isArrow(event.key)) this.step(event.key);
    else if (event.key === "Enter" || event.key === " ") {
      this.touch(chain(/** @type {Element} */ (event.target)));
    } else if (event.key === "Escape") this.letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key */
  step(key) {
    const here = this.at(this.focused);
    if (!here) return;
    const others = this.places().filter((place) => place !== here);
    const found = nearest(key, middle(here), others.map(middle));
    if (found >= 0) others[found].focus({ preventScroll: true });
  }

  /** @param {FocusEvent} event */
  noticed(event) {
    const place = event.target instanceof SVGElement ? event.target.dataset.place : undefined;
    if (place) {
      this.focused = place;
      this.rove();
    }
  }

  /** One place can be reached by the Tab key, the others from there by arrows. */
  rove() {
    for (const place of this.places()) {
      place.setAttribute("tabindex", place.dataset.place === this.focused ? "0" : "-1");
    }
  }

  // What is seen.

  mark() {
    const next = this.active ? this.path.next() : new Set();
    const touched = new Set(this.path.touched);
    const begun = touched.size > 0;
    for (const place of this.everything()) {
      const name = place.dataset.place ?? "";
      place.classList.toggle("picked", touched.has(name) || this.hinted[0] === name);
      place.classList.toggle("target", (begun && next.has(name)) || this.hinted.includes(name, 1));
      place.classList.toggle("ready", !begun && next.has(name));
      if (place.getAttribute("role") === "button") {
        place.setAttribute("aria-pressed", String(touched.has(name)));
      }
    }
  }

  /** @returns {SVGElement[]} */
  everything() {
    return [...this.querySelectorAll("[data-place]")].filter((p) => p instanceof SVGElement);
  }

  /** The places that have a role: those one can reach. */
  places() {
    return this.everything().filter((place) => place.hasAttribute("role"));
  }

  /** @param {string} name */
  at(name) {
    return this.places().find((place) => place.dataset.place === name);
  }

  /** @param {string} name */
  label(name) {
    return this.at(name)?.getAttribute("aria-label") ?? name;
  }

  /** @param {string} text */
  whisper(text) {
    this.tell("whisper", text);
  }

  /**
   * @param {string} name
   * @param {string} detail
   */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define("game-board", GameBoard);
