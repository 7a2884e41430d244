/** The list of moves, to leaf through with a touch or the arrow keys. */

import { element, part } from "./dom.js";
import { say } from "./i18n.js";

export class Moves extends EventTarget {
  /** @param {number} turns how many moves make a round */
  constructor(turns) {
    super();
    this.turns = turns;
    this.listed = 0; // the turns of a round in the list on show
    /** @type {string[]} */
    this.moves = [];
    this.ply = 0;
    this.list = part("moves");
    this.list.addEventListener("click", (event) => {
      const at = /** @type {Element} */ (event.target).closest("[data-ply]");
      if (at instanceof HTMLElement) this.go(Number(at.dataset.ply));
    });
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.leaf(button.getAttribute("data-go") ?? ""));
    }
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (target.closest("input, textarea, select, game-board, dialog, [type=radio]")) return;
    const way = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!way) return;
    event.preventDefault();
    this.leaf(way);
  }

  /** @param {string} way */
  leaf(way) {
    const end = this.moves.length;
    const to = { first: 0, back: this.ply - 1, on: this.ply + 1, last: end }[way] ?? end;
    this.go(Math.min(Math.max(to, 0), end));
  }

  /** @param {number} ply */
  go(ply) {
    if (ply === this.ply) return;
    this.ply = ply; // the next step counts from here, though the picture may come later
    this.dispatchEvent(new CustomEvent("go", { detail: ply }));
  }

  /**
   * @param {string[]} moves
   * @param {number} ply the one on show
   */
  show(moves, ply) {
    const same = moves.length === this.moves.length && moves.every((m, i) => m === this.moves[i]);
    if (!same || this.listed !== this.turns) {
      this.listed = this.turns;
      this.moves = [...moves];
      this.list.replaceChildren(...moves.map((move, i) => this.entry(move, i)));
    }
    this.ply = ply;
    for (const entry of this.list.querySelectorAll("[data-ply]")) {
      const on = entry.getAttribute("data-ply") === String(ply);
      if (on) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
      if (on) follow(this.list, /** @type {HTMLElement} */ (entry));
    }
    for (const button of document.querySelectorAll("[data-go]")) {
      const back = ["first", "back"].includes(button.getAttribute("data-go") ?? "");
      /** @type {HTMLButtonElement} */ (button).disabled = ply === (back ? 0 : moves.length);
    }
    this.dispatchEvent(new Event("shown"));
  }

  /**
   * Say beside each move what is proved of it.
   * @param {({sign: string, kind: string, words: string} | null)[]} marks
   */
  mark(marks) {
    for (const entry of this.list.querySelectorAll("[data-ply]")) {
      const i = Number(entry.getAttribute("data-ply")) - 1;
      const mark = marks[i];
      entry.querySelector(".mark")?.remove();
      const label = say("move_number", { n: i + 1, move: this.moves[i] });
      entry.setAttribute("aria-label", mark ? `${label}, ${mark.words}` : label);
      entry.setAttribute("title", mark?.words ?? "");
      if (mark) entry.append(element("span", { class: `mark ${mark.kind}` }, mark.sign));
    }
  }

  /**
   * @param {string} move
   * @param {number} i
   */
  entry(move, i) {
    const label = say("move_number", { n: i + 1, move });
    const touch = element(
      "button",
      { type: "button", "data-ply": String(i + 1), "aria-label": label },
      move,
    );
    const round = i % this.turns ? "" : `${i / this.turns + 1}.`;
    const number = element("span", { class: "round", "aria-hidden": "true" }, round);
    return element("li", {}, ...(round ? [number, touch] : [touch]));
  }
}

/**
 * Scroll a list so that an entry is seen, and nothing else.
 * @param {HTMLElement} list
 * @param {HTMLElement} entry
 */
function follow(list, entry) {
  const top = entry.offsetTop; // the list is what it is measured from
  if (top < list.scrollTop) list.scrollTop = top;
  const bottom = top + entry.offsetHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}
