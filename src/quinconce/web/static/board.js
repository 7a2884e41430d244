/** <game-board>: shows a drawing, narrows the legal moves touch by touch, and plays the last. */

import { isArrow, moveFocus } from "./arrow_keys.js";
import { parseSvg } from "./dom.js";
import { Drag } from "./drag.js";
import { whatNext, whyNot } from "./guidance.js";
import { showHalfMade } from "./half_made.js";
import { HeldTouches } from "./held_touches.js";
import { phrase } from "./i18n.js";
import { PartialMove } from "./partial_move.js";
import { enclosingPlaces } from "./places.js";

/** @typedef {import("./partial_move.js").Moves} Moves */
/** @typedef {import("./api.js").Guidance} Guidance */

/**
 * Dispatches `play` with a legal move, `illegal` with the text of a move that is not legal,
 * `narrow` with the places touched where there are too many moves to list, `idle` with those that
 * are touched in vain, and `announce` with what has changed; "" ends what was said of a move.
 */
export class GameBoard extends HTMLElement {
  constructor() {
    super();
    this.partialMove = new PartialMove([]);
    this.active = false; // whether a player at this screen is to move
    this.idle = ""; // what is said to a touch while none is
    this.svg = ""; // the text of the drawing on show
    this.focused = ""; // the place that had the focus last
    this.unplayable = ""; // a piece touched first though no move begins there
    this.describing = false; // whether the last announcement is about the move under way
    this.guidance = /** @type {Guidance | null} */ (null);
    this.hinted = /** @type {string[]} */ ([]); // the places of the hint on show
    this.held = new HeldTouches((places) => this.touch(places));
    this.phrase = phrase; // in the language of the page; a notebook has its own
  }

  connectedCallback() {
    const { signal } = (this.listening = new AbortController());
    this.addEventListener("click", (event) => this.onTouch(event), { signal });
    this.addEventListener("keydown", (event) => this.onKeydown(event), { signal });
    this.addEventListener("focusin", (event) => this.onFocus(event), { signal });
    new Drag(this, signal);
  }

  disconnectedCallback() {
    this.listening?.abort();
  }

  /**
   * Show a position. The same drawing again is left alone, so that nothing jumps or starts anew;
   * the drawing that came with the page is not drawn twice either.
   * @param {string} svg
   * @param {Moves | null} moves null if nobody at this screen is to move
   */
  show(svg, moves) {
    if (svg !== this.svg) {
      const hadFocus = this.contains(document.activeElement);
      if (this.svg || !this.firstElementChild) this.replaceChildren(parseSvg(svg));
      if (hadFocus) this.at(this.focused)?.focus({ preventScroll: true });
      this.hinted = [];
    }
    this.svg = svg;
    this.guidance = moves?.guidance ?? null;
    this.active = Boolean(moves?.narrowed || moves?.legal?.length);
    this.partialMove = this.partialMove.among(moves?.legal ?? [], moves?.narrowed ?? null);
    if (!this.at(this.focused)) this.focused = this.places()[0]?.dataset.place ?? "";
    this.updateTabindex();
    this.updateMarks();
  }

  /**
   * Show the places of a move.
   * @param {string} text
   */
  hint(text) {
    this.held.drop();
    this.partialMove.clear();
    this.hinted = this.partialMove.placesOf(text);
    this.updateMarks();
  }

  // Touches.

  /** @param {Event} event */
  onTouch({ target }) {
    if (target instanceof Element) this.touch(enclosingPlaces(target));
  }

  /**
   * Touch the innermost of these places that continues the move.
   * @param {string[]} places innermost first
   */
  touch(places) {
    if (!places.length || !this.svg || this.held.add(places)) return;
    if (!this.active) return this.idle ? this.announce(this.idle) : this.dispatch("idle", places);
    this.hinted = [];
    const { partialMove } = this;
    const next = partialMove.nextPlaces();
    const found = places.find((place) => next.has(place));
    if (found !== undefined) this.continueMove(found);
    else if (partialMove.last && places.includes(partialMove.last)) this.finishMove();
    else this.touchElsewhere(places);
    this.updateMarks();
  }

  /** @param {string} place */
  continueMove(place) {
    this.unplayable = "";
    const move = this.partialMove.touch(place);
    if (move) return this.play(move.move);
    if (this.partialMove.narrowed) return this.dispatch("narrow", [...this.partialMove.touched]);
    this.announce(whatNext(this, place));
    this.describing = true;
  }

  /** Play the touched places if they are a legal move, else cancel them. */
  finishMove() {
    if (this.partialMove.complete) this.play(this.partialMove.complete.move);
    else this.cancelMove();
  }

  /**
   * Touch a place that does not continue the move: pick up another pawn, or let the rules say why.
   * @param {string[]} places
   */
  touchElsewhere(places) {
    const { partialMove } = this;
    const begun = partialMove.touched.length > 0;
    const starts = partialMove.anew().nextPlaces();
    const other = places.find((place) => starts.has(place) && !partialMove.playsAtOnce(place));
    if (begun && other !== undefined) {
      partialMove.clear();
      return this.continueMove(other);
    }
    const [place] = places;
    const why = whyNot(this.guidance, places);
    if (this.at(place)?.matches(".reserve")) this.announce(why || this.phrase("choose_place"));
    else if (begun) this.dispatch("illegal", partialMove.spell(places.at(-1) ?? place));
    else if (this.unplayable && !places.includes(this.unplayable)) {
      this.dispatch("illegal", `${this.unplayable}-${places.at(-1)}`);
      this.unplayable = "";
    } else {
      this.unplayable = this.at(place)?.querySelector(".piece") ? place : "";
      this.announce(why || this.phrase("no_move_here", { place: this.label(place) }));
    }
  }

  /** @param {string} move */
  play(move) {
    this.partialMove.clear();
    this.active = false;
    if (this.describing) this.announce(""); // of how to go on
    this.describing = false;
    this.dispatch("play", move);
  }

  cancelMove() {
    if (this.partialMove.touched.length) this.announce(this.phrase("let_go"));
    this.describing = false;
    this.held.clear();
    this.partialMove.clear();
    this.unplayable = "";
    this.updateMarks();
  }

  // Keys.

  /** @param {KeyboardEvent} event */
  onKeydown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (isArrow(event.key)) moveFocus(this, event.key);
    else if (event.key === "Enter" || event.key === " ") this.onTouch(event);
    else if (event.key === "Escape") this.cancelMove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  onFocus(event) {
    const place = event.target instanceof SVGElement ? event.target.dataset.place : undefined;
    if (!place) return;
    this.focused = place;
    this.updateTabindex();
  }

  /** The Tab key reaches one place, arrow keys the others from there (a «roving tabindex»). */
  updateTabindex() {
    for (const place of this.places()) {
      place.setAttribute("tabindex", place.dataset.place === this.focused ? "0" : "-1");
    }
  }

  // The drawing.

  updateMarks() {
    const { complete, last } = this.partialMove;
    const next = this.active ? this.partialMove.nextPlaces() : new Set();
    if (complete && last) next.add(last); // where the move may stop
    const touched = new Set(this.partialMove.touched);
    const begun = touched.size > 0;
    for (const place of this.allPlaces()) {
      const name = place.dataset.place ?? "";
      place.classList.toggle("picked", touched.has(name) || this.hinted[0] === name);
      place.classList.toggle("target", (begun && next.has(name)) || this.hinted.includes(name, 1));
      place.classList.toggle("ready", !begun && next.has(name));
      if (place.getAttribute("role") === "button") {
        place.setAttribute("aria-pressed", String(touched.has(name)));
      }
    }
    showHalfMade(this);
    if (!begun && this.describing) this.announce("");
    this.describing &&= begun;
  }

  /** @returns {SVGElement[]} */
  allPlaces() {
    return [...this.querySelectorAll("[data-place]")].filter((p) => p instanceof SVGElement);
  }

  /** The places that have a role: the keyboard can reach them. */
  places() {
    return this.allPlaces().filter((place) => place.hasAttribute("role"));
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
  announce(text) {
    this.dispatch("announce", text);
  }

  /**
   * @param {string} name
   * @param {string | string[]} detail
   */
  dispatch(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

if (!customElements.get("game-board")) customElements.define("game-board", GameBoard);
