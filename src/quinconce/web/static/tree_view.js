/** The list of a tree's moves: goes to a position by a touch, by its buttons or by the arrow keys. */

import { byId, element } from "./dom.js";
import { TreeDrawing } from "./tree_drawing.js";
import { VariationTree, besideNode, lineThrough } from "./variation_tree.js";

/** @typedef {import("./variation_tree.js").TreeNode} TreeNode */

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "above",
  ArrowDown: "below",
  Home: "first",
  End: "last",
};

/** Dispatches `go` with the node that the reader wants to see, and `shown` when it has changed. */
export class TreeView extends EventTarget {
  constructor() {
    super();
    this.turns = 2; // how many moves make a round
    /** @type {TreeNode | null} */
    this.node = null;
    this.drawing = new TreeDrawing(new VariationTree(), this.turns);
    /** @type {TreeNode[]} the moves at which something proved may stand */
    this.labelled = [];
    this.list = byId("moves");
    this.list.addEventListener("click", (event) => {
      const entry = /** @type {Element} */ (event.target).closest("[data-ply]");
      const node = entry && this.drawing.nodes.get(entry);
      if (node) this.goTo(node);
    });
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.step(button.getAttribute("data-go") ?? ""));
    }
    document.addEventListener("keydown", (event) => this.onKeydown(event));
  }

  /** The moves of the line on show. */
  get line() {
    return this.node ? lineThrough(this.node) : [];
  }

  /** How many of them have been played in the position on show. */
  get ply() {
    return this.node?.ply ?? 0;
  }

  /** @param {KeyboardEvent} event */
  onKeydown(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (target.closest("input, textarea, select, game-board, dialog, [type=radio]")) return;
    if (!(event.key in KEYS) || this.list.closest("[hidden]")) return;
    if (!this.step(KEYS[/** @type {keyof typeof KEYS} */ (event.key)])) return;
    event.preventDefault();
    if (this.list.contains(target) && this.node) this.drawing.buttons.get(this.node)?.focus();
  }

  /**
   * @param {string} step first, back, on, last: the `data-go` of a button; or above, below
   * @returns {boolean} whether there is something in that direction
   */
  step(step) {
    const { node, line } = this;
    if (!node) return false;
    const root = line.length ? line[0].parent : node;
    const to = {
      first: root,
      back: node.parent,
      on: node.children[0],
      last: line.at(-1),
      above: besideNode(node, -1),
      below: besideNode(node, 1),
    }[step];
    if (!to || to === node) return false;
    this.goTo(to);
    return true;
  }

  /** @param {TreeNode} node */
  goTo(node) {
    if (node === this.node) return;
    this.highlight(node); // the next step counts from here, though the picture may come later
    this.dispatchEvent(new CustomEvent("go", { detail: node }));
  }

  /**
   * Draw the list anew.
   * @param {VariationTree} tree
   */
  draw(tree) {
    this.labelled = [];
    this.drawing = new TreeDrawing(tree, this.turns);
    this.list.replaceChildren(this.drawing.top);
    if (this.node) this.show(this.node);
  }

  /**
   * Show which position is on the board.
   * @param {TreeNode} node
   */
  show(node) {
    this.highlight(node);
    this.dispatchEvent(new Event("shown"));
  }

  /** @param {TreeNode} node */
  highlight(node) {
    this.node = node;
    const current = this.drawing.buttons.get(node);
    const reachable = current ?? this.drawing.buttons.values().next().value;
    for (const button of this.list.querySelectorAll("[aria-current], [tabindex='0']")) {
      button.removeAttribute("aria-current");
      button.setAttribute("tabindex", "-1");
    }
    reachable?.setAttribute("tabindex", "0"); // by Tab one move, by arrow keys the others
    current?.setAttribute("aria-current", "step");
    if (current) scrollIntoList(this.list, current);
    else this.list.scrollTop = 0;
    for (const button of document.querySelectorAll("[data-go]")) {
      const back = ["first", "back"].includes(button.getAttribute("data-go") ?? "");
      const end = back ? !node.parent : !node.children.length;
      /** @type {HTMLButtonElement} */ (button).disabled = end;
    }
  }

  /**
   * Show what is proved beside each move of the line on show.
   * @param {({sign: string, kind: string, words: string} | null)[]} marks
   */
  showMarks(marks) {
    for (const old of this.list.querySelectorAll(".mark")) old.remove();
    for (const node of this.labelled) this.drawing.label(node, "");
    this.labelled = this.line;
    this.line.forEach((node, i) => {
      const mark = marks[i];
      if (!mark) return;
      const sign = element("span", { class: `mark ${mark.kind}` }, mark.sign);
      this.drawing.buttons.get(node)?.append(sign);
      this.drawing.label(node, mark.words);
    });
  }
}

/**
 * Scroll a list until an entry is seen; the page itself does not scroll.
 * @param {HTMLElement} list
 * @param {HTMLElement} entry
 */
function scrollIntoList(list, entry) {
  const [box, item] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (item.top < box.top) list.scrollTop += item.top - box.top;
  else if (item.bottom > box.bottom) list.scrollTop += item.bottom - box.bottom;
}
