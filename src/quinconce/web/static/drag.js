/** The mouse on the board: drags a piece to a place, and leaves the focus to the keyboard. */

import { enclosingPlaces } from "./places.js";

/** @typedef {import("./board.js").GameBoard} GameBoard */

/**
 * Where the button went down.
 * @typedef {object} Origin
 * @property {number} x
 * @property {number} y
 * @property {string[]} places
 * @property {SVGGraphicsElement[]} pieces
 */

const SLACK = 6; // pixels: a shorter drag is a click with a shaking hand

export class Drag {
  /**
   * @param {GameBoard} board
   * @param {AbortSignal} signal that ends it
   */
  constructor(board, signal) {
    this.board = board;
    /** @type {Origin | null} */
    this.from = null;
    /** @type {Element | null} what the button went down on */
    this.pressed = null;
    this.dragging = false;
    this.suppressClicks = false; // while the click that ends a drag is on its way
    board.addEventListener("mousedown", leaveFocus, { signal });
    board.addEventListener("pointerdown", (event) => this.start(event), { signal });
    board.addEventListener("pointermove", (event) => this.move(event), { signal });
    board.addEventListener("click", (event) => this.filterClick(event), { signal, capture: true });
    addEventListener("pointerup", (event) => this.end(event), { signal });
    addEventListener("pointercancel", () => this.reset(), { signal });
    addEventListener("keydown", (event) => this.cancel(event), { signal });
  }

  /** @param {PointerEvent} event */
  start(event) {
    if (event.pointerType !== "mouse" || event.button) return;
    const target = (this.pressed = /** @type {Element} */ (event.target));
    if (!this.board.active && !this.board.held.holding) return;
    const place = target.closest(".place");
    this.from = {
      x: event.clientX,
      y: event.clientY,
      places: enclosingPlaces(target),
      pieces: place ? piecesToDrag(place) : [],
    };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { from, board } = this;
    if (!from) return;
    const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLACK;
    if (!this.dragging && far) {
      this.pickUp(from.places);
      const picked = board.active && board.partialMove.touched.length > 0;
      if (!picked && !board.held.holding) return this.reset();
      this.dragging = true;
      board.classList.add("dragging");
    }
    if (!this.dragging) return;
    for (const piece of from.pieces) {
      const scale = board.querySelector("svg")?.getScreenCTM()?.a || 1;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y].map((d) => d / scale);
      piece.style.translate = `${dx}px ${dy}px`;
    }
  }

  /**
   * Pick up a piece, or go on with one that has stopped on its way.
   * @param {string[]} places
   */
  pickUp(places) {
    const { partialMove } = this.board;
    const held = places.includes(partialMove.last ?? "");
    if (held && partialMove.touched.length > 1) return;
    if (held) partialMove.clear();
    this.board.touch(places);
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { from, pressed, dragging, board } = this;
    this.reset();
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const inside = under && board.contains(under);
    if (!from || !dragging) {
      // The browser sends no click if the drawing was replaced while the button was down.
      if (pressed && !pressed.isConnected && inside) under.dispatchEvent(clickLike(event));
      return;
    }
    const places = inside ? enclosingPlaces(under) : [];
    this.suppressClicks = true;
    setTimeout(() => (this.suppressClicks = false));
    if (places.length && places[0] !== from.places[0]) board.touch(places);
    else board.cancelMove();
  }

  /**
   * Cancel a move under way with the Escape key, though the focus is not on the board.
   * @param {KeyboardEvent} event
   */
  cancel({ key }) {
    const { partialMove, held } = this.board;
    if (key === "Escape" && (partialMove.touched.length || held.holding)) this.board.cancelMove();
  }

  /**
   * Stop the click that ends a drag: it is no touch of its own.
   * @param {MouseEvent} event
   */
  filterClick(event) {
    if (this.suppressClicks) event.stopImmediatePropagation();
  }

  reset() {
    for (const piece of this.from?.pieces ?? []) piece.style.translate = "";
    this.board.classList.remove("dragging");
    this.from = this.pressed = null;
    this.dragging = false;
  }
}

/** @param {PointerEvent} event */
function clickLike({ clientX, clientY }) {
  return new MouseEvent("click", { bubbles: true, clientX, clientY });
}

/**
 * The piece on a place with the pieces above it in its pile; of a reserve, the last piece.
 * @param {Element} place
 */
function piecesToDrag(place) {
  const pieces = [...place.querySelectorAll(".piece, .half-made")].slice(-1);
  if (place.parentElement?.closest(".pile")) {
    for (let above = place.nextElementSibling; above; above = above.nextElementSibling) {
      pieces.push(...above.querySelectorAll(".piece"));
    }
  }
  return pieces.filter((piece) => piece instanceof SVGGraphicsElement);
}

/**
 * Take the focus from wherever it is, and not to the board: arrow keys leaf through moves then.
 * @param {Event} event
 */
function leaveFocus(event) {
  event.preventDefault();
  const focused = document.activeElement;
  if (focused instanceof HTMLElement || focused instanceof SVGElement) focused.blur();
}
