/** The list of moves: goes to a position by a touch, by its buttons or by the arrow keys. */

import { byId, element } from "./dom.js";
import { phrase } from "./i18n.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

/** Dispatches `go` with the ply that the reader wants to see, and `shown` when it has changed. */
export class MoveList extends EventTarget {
  /** @param {number} turns how many moves make a round */
  constructor(turns) {
    super();
    this.turns = turns;
    this.listedTurns = 0; // the moves of a round in the list on show
    /** @type {string[]} */
    this.moves = [];
    this.ply = 0;
    /** @type {Map<string, ({sign: string, kind: string, words: string} | null)[]>} */
    this.marks = new Map();
    this.list = byId("moves");
    this.list.addEventListener("click", (event) => {
      const entry = /** @type {Element} */ (event.target).closest("[data-ply]");
      if (entry instanceof HTMLElement) this.goTo(Number(entry.dataset.ply));
    });
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.step(button.getAttribute("data-go") ?? ""));
    }
    document.addEventListener("keydown", (event) => this.onKeydown(event));
  }

  /** @param {KeyboardEvent} event */
  onKeydown(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (target.closest("input, textarea, select, game-board, dialog, [type=radio]")) return;
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    this.step(KEYS[/** @type {keyof typeof KEYS} */ (event.key)]);
  }

  /** @param {string} step first, back, on or last: the `data-go` of a button */
  step(step) {
    const end = this.moves.length;
    const to = { first: 0, back: this.ply - 1, on: this.ply + 1, last: end }[step] ?? end;
    this.goTo(Math.min(Math.max(to, 0), end));
  }

  /** @param {number} ply */
  goTo(ply) {
    if (ply === this.ply) return;
    this.ply = ply; // the next step counts from here, though the picture may come later
    this.dispatchEvent(new CustomEvent("go", { detail: ply }));
  }

  /**
   * @param {string[]} moves
   * @param {number} ply the position on show
   */
  show(moves, ply) {
    const same = moves.length === this.moves.length && moves.every((m, i) => m === this.moves[i]);
    if (!same || this.listedTurns !== this.turns) {
      this.listedTurns = this.turns;
      this.moves = [...moves];
      this.list.replaceChildren(...moves.map((move, i) => this.entry(move, i)));
    }
    this.ply = ply;
    for (const entry of this.list.querySelectorAll("[data-ply]")) {
      const current = entry.getAttribute("data-ply") === String(ply);
      if (current) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
      if (current) scrollTo(this.list, /** @type {HTMLElement} */ (entry));
    }
    for (const button of document.querySelectorAll("[data-go]")) {
      const back = ["first", "back"].includes(button.getAttribute("data-go") ?? "");
      /** @type {HTMLButtonElement} */ (button).disabled = ply === (back ? 0 : moves.length);
    }
    this.dispatchEvent(new Event("shown"));
  }

  /**
   * Show a mark beside each move, in place of those of the same layer.
   * @param {({sign: string, kind: string, words: string} | null)[]} marks
   * @param {string} [layer] who says so
   */
  showMarks(marks, layer = "proven") {
    if (!marks.length && !this.marks.get(layer)?.length) return;
    this.marks.set(layer, marks);
    for (const entry of this.list.querySelectorAll("[data-ply]")) {
      const i = Number(entry.getAttribute("data-ply")) - 1;
      const here = [...this.marks.values()].flatMap((each) => each[i] ?? []);
      for (const old of entry.querySelectorAll(".mark")) old.remove();
      const label = this.label("move_number", i + 1);
      entry.setAttribute("aria-label", [label, ...here.map((mark) => mark.words)].join(", "));
      entry.setAttribute("title", here.map((mark) => mark.words).join(" "));
      entry.append(...here.map(({ kind, sign }) => element("span", { class: `mark ${kind}` }, sign)));
    }
  }

  /**
   * A phrase about a move, by its number in the list.
   * @param {string} name
   * @param {number} ply
   */
  label(name, ply) {
    return phrase(name, { n: Math.ceil(ply / this.turns), move: this.moves[ply - 1] });
  }

  /**
   * @param {string} move
   * @param {number} i
   */
  entry(move, i) {
    const label = this.label("move_number", i + 1);
    const button = element(
      "button",
      { type: "button", "data-ply": String(i + 1), "aria-label": label },
      move,
    );
    const round = i % this.turns ? "" : `${i / this.turns + 1}.`;
    const number = element("span", { class: "round", "aria-hidden": "true" }, round);
    return element("li", {}, ...(round ? [number, button] : [button]));
  }
}

/**
 * Scroll a list until an entry is seen; the page itself does not scroll.
 * @param {HTMLElement} list
 * @param {HTMLElement} entry
 */
function scrollTo(list, entry) {
  const top = entry.offsetTop; // measured from the list, which is positioned
  if (top < list.scrollTop) list.scrollTop = top;
  const bottom = top + entry.offsetHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}
