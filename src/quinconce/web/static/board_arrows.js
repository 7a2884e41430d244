/** Arrows over the board of an analysis: the moves that the engine thinks of, or that one points at. */

import { SIGNS, clearMarks, drawMove, drawValue } from "./board_marks.js";

/**
 * What shows a board; it dispatches `shown` when another position is on it.
 * @typedef {EventTarget & {board: import("./board.js").GameBoard, paused: boolean}} BoardHolder
 */

const KINDS = ["first", "second", "third"]; // CSS classes of the engine's moves, the best first

export class BoardArrows {
  /** @type {string[]} the moves of the engine, the best first */
  moves = [];
  /** @type {[string, keyof SIGNS][]} a move to each place with the best value of those that end there */
  values = [];
  /** @type {string | null} the move that a pointer or the focus is on */
  pointed = null;

  /** @param {BoardHolder} holder */
  constructor(holder) {
    this.holder = holder;
    holder.addEventListener("shown", () => {
      this.moves = [];
      this.values = [];
      this.pointed = null;
      this.draw();
    });
  }

  /** @param {string[]} moves the best first */
  show(moves) {
    if (moves.join(" ") === this.moves.join(" ")) return;
    this.moves = moves;
    this.draw();
  }

  /**
   * Colour the places where moves end by what is proven.
   * @param {{move: string, result: keyof SIGNS | null}[]} moves the best first
   */
  showValues(moves) {
    /** @type {Map<string, [string, keyof SIGNS]>} */
    const best = new Map();
    for (const { move, result } of moves) {
      const end = move.split(/[@\-^x~]/).at(-1) ?? "";
      if (result && !best.has(end)) best.set(end, [move, result]);
    }
    this.values = [...best.values()];
    this.draw();
  }

  /** @param {string | null} move */
  point(move) {
    this.pointed = move;
    this.draw();
  }

  /**
   * Draw the arrow of a move while the pointer or the focus is on an element.
   * @param {HTMLElement} element
   * @param {() => string} move
   */
  pointFrom(element, move) {
    for (const name of ["pointerenter", "focus"]) {
      element.addEventListener(name, () => this.point(move()));
    }
    for (const name of ["pointerleave", "blur"]) {
      element.addEventListener(name, () => this.point(null));
    }
  }

  draw() {
    const { board, paused } = this.holder;
    clearMarks(board);
    if (paused) return;
    if (this.pointed !== null) return drawMove(board, this.pointed, "first");
    for (const [move, result] of this.values) drawValue(board, move, SIGNS[result], result);
    // The best comes last, over the others.
    for (const i of [...this.moves.keys()].reverse()) drawMove(board, this.moves[i], KINDS[i] ?? "");
  }
}
