/** Dragging with the mouse: a piece follows the pointer, and where it is let go is touched. */

import { chain } from "./places.js";

/** @typedef {import("./board.js").GameBoard} GameBoard */

const FAR = 6; // pixels: less is a click with a shaking hand

export class Drag {
  /** @param {GameBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {{x: number, y: number, places: string[], pieces: SVGGraphicsElement[]} | null} */
    this.from = null;
    this.going = false;
    board.addEventListener("pointerdown", (event) => this.start(event));
    board.addEventListener("pointermove", (event) => this.move(event));
    board.addEventListener("click", (event) => this.swallow(event), true);
    addEventListener("pointerup", (event) => this.end(event));
    addEventListener("pointercancel", () => this.drop());
  }

  /** @param {PointerEvent} event */
  start(event) {
    if (event.pointerType !== "mouse" || event.button || !this.board.active) return;
    const target = /** @type {Element} */ (event.target);
    const place = target.closest(".place");
    this.from = {
      x: event.clientX,
      y: event.clientY,
      places: chain(target),
      pieces: place ? lifted(place) : [],
    };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { from, board } = this;
    if (!from) return;
    const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > FAR;
    if (!this.going && far) {
      if (from.places.includes(board.path.last ?? "")) board.path.letGo();
      board.touch(from.places);
      if (!board.path.touched.length || !board.active) return this.drop();
      this.going = true;
      board.classList.add("dragging");
    }
    if (!this.going) return;
    for (const piece of from.pieces) {
      const scale = board.querySelector("svg")?.getScreenCTM()?.a || 1;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y].map((d) => d / scale);
      piece.style.translate = `${dx}px ${dy}px`;
    }
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { from, going, board } = this;
    if (!from || !going) return this.drop();
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const places = under && board.contains(under) ? chain(under) : [];
    this.drop();
    this.swallowing = true;
    setTimeout(() => (this.swallowing = false));
    if (places.length && places[0] !== from.places[0]) board.touch(places);
    else board.letGo();
  }

  swallowing = false;

  /**
   * The click that ends a drag is no touch of its own.
   * @param {MouseEvent} event
   */
  swallow(event) {
    if (this.swallowing) event.stopImmediatePropagation();
  }

  drop() {
    for (const piece of this.from?.pieces ?? []) piece.style.translate = "";
    this.board.classList.remove("dragging");
    this.from = null;
    this.going = false;
  }
}

/**
 * The piece on a place with all that it carries; of a reserve the last one.
 * @param {Element} place
 */
function lifted(place) {
  const pieces = [...place.querySelectorAll(".piece")].slice(-1);
  if (place.parentElement?.closest(".pile")) {
    for (let above = place.nextElementSibling; above; above = above.nextElementSibling) {
      pieces.push(...above.querySelectorAll(".piece"));
    }
  }
  return pieces.filter((piece) => piece instanceof SVGGraphicsElement);
}
