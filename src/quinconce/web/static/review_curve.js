/** The curve of a review: what each side could expect, move by move; a touch or a key goes there. */

import { node } from "./board_marks.js";

/**
 * @typedef {object} Curve
 * @property {number[][]} points for each position, what each side may expect, 0 to 1
 * @property {number} of the number of moves; points may still be missing
 * @property {number} side the side that the curve is drawn for; of more than two, all are drawn
 * @property {string} whose the side that it is drawn for, in words
 * @property {{ply: number, kind: string, side: number}[]} marks the errors
 */

const PAD = 6; // pixels within which a sign is still seen whole
const MARK = 4; // the radius of a sign
const LABEL = 14; // pixels for the number of a side behind its line, where there are more than two

/** Dispatches `go` with the ply that the reader wants to see. */
export class ReviewCurve extends EventTarget {
  /** @param {HTMLElement} holder it is a slider for those who do not see it */
  constructor(holder) {
    super();
    this.holder = holder;
    /** @type {Curve | null} */
    this.curve = null;
    this.ply = 0;
    this.right = 0; // where the last move is, in pixels
    this.drawing = node("svg", { "aria-hidden": "true", focusable: "false" });
    holder.append(this.drawing);
    new ResizeObserver(() => this.draw()).observe(holder);
    holder.addEventListener("pointerdown", (event) => this.follow(event));
    holder.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.follow(event);
    });
    holder.addEventListener("keydown", (event) => this.onKeydown(event));
  }

  /** @param {PointerEvent} event */
  follow(event) {
    if (!this.curve || event.button > 0) return;
    const { left } = this.holder.getBoundingClientRect();
    const share = (event.clientX - left - PAD) / (this.right - PAD);
    const ply = Math.round(share * this.curve.of);
    this.dispatch(Math.min(Math.max(ply, 0), this.curve.of));
  }

  /**
   * Up and down go as left and right; a page key goes to the next error. The others reach the list.
   * @param {KeyboardEvent} event
   */
  onKeydown(event) {
    const { curve } = this;
    if (!curve || event.ctrlKey || event.altKey || event.metaKey) return;
    const errors = curve.marks.map((mark) => mark.ply);
    const to = {
      ArrowUp: this.ply + 1,
      ArrowDown: this.ply - 1,
      PageUp: errors.find((ply) => ply > this.ply),
      PageDown: errors.filter((ply) => ply < this.ply).at(-1),
    }[event.key];
    if (!(event.key in { ArrowUp: 0, ArrowDown: 0, PageUp: 0, PageDown: 0 })) return;
    event.preventDefault();
    if (to !== undefined && to >= 0 && to <= curve.of) this.dispatch(to);
  }

  /** @param {number} ply */
  dispatch(ply) {
    this.dispatchEvent(new CustomEvent("go", { detail: ply }));
  }

  /**
   * @param {Curve} curve
   * @param {number} ply the position on show
   * @param {string} text what that position is, in words
   */
  show(curve, ply, text) {
    this.curve = curve;
    this.ply = ply;
    this.holder.setAttribute("aria-valuemax", String(curve.of));
    this.holder.setAttribute("aria-valuenow", String(ply));
    this.holder.setAttribute("aria-valuetext", text);
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!this.curve || !width) return;
    const { points, of, side, marks, whose } = this.curve;
    const sides = points[0]?.length ?? 2;
    const right = (this.right = width - PAD - (sides > 2 ? LABEL : 0));
    const x = (/** @type {number} */ ply) => PAD + ((right - PAD) * ply) / Math.max(of, 1);
    const y = (/** @type {number} */ share) => PAD + (height - 2 * PAD) * (1 - share);
    const shown = sides === 2 ? [side] : [...Array(sides).keys()];
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const parts = [line("half", [PAD, y(1 / sides), right, y(1 / sides)])];
    for (const each of shown) {
      const known = points.map((shares, ply) => `${x(ply)},${y(shares[each])}`);
      const end = { x: x(points.length - 1), y: y(points.at(-1)?.[each] ?? 0) };
      if (sides === 2 && known.length) {
        const area = [`${x(0)},${y(0)}`, ...known, `${end.x},${y(0)}`];
        parts.push(node("polygon", { points: area.join(" "), class: "area" }));
      }
      parts.push(node("polyline", { points: known.join(" "), class: `expected side-${each}` }));
      if (sides > 2) parts.push(label(String(each + 1), end.x + LABEL / 2, end.y));
    }
    if (sides === 2) parts.push(label(whose, PAD, PAD + LABEL / 2, "whose"));
    parts.push(line("here", [x(this.ply), 0, x(this.ply), height]));
    for (const { ply, kind, side: mover } of marks) {
      const at = { cx: x(ply), cy: y(points[ply][sides === 2 ? side : mover]) };
      parts.push(node("circle", { ...at, r: MARK, class: `sign ${kind}` }));
    }
    this.drawing.replaceChildren(...parts);
  }
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} [kind] its CSS class
 */
function label(text, x, y, kind = "label") {
  const made = node("text", { x, y: y + 4, class: kind });
  made.textContent = text;
  return made;
}

/**
 * @param {string} kind
 * @param {number[]} ends
 */
function line(kind, [x1, y1, x2, y2]) {
  return node("line", { x1, y1, x2, y2, class: kind });
}
