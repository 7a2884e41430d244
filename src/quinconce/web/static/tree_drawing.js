/** Draws a tree as a list that people can read: variations indented, notes beside their moves. */

import { element } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./variation_tree.js").TreeNode} TreeNode */
/** @typedef {import("./variation_tree.js").VariationTree} VariationTree */

const DEEPEST = 8; // variations within variations that are indented; deeper ones stand in brackets

/**
 * What is still to draw: a move and where; without a move, the bracket that ends a variation.
 * @typedef {{node: TreeNode | null, list: Node, depth: number, opens: boolean}} Waiting
 */

const MARK_WORDS = {
  "!": "mark_good",
  "?": "mark_mistake",
  "!!": "mark_brilliant",
  "??": "mark_blunder",
  "!?": "mark_interesting",
  "?!": "mark_dubious",
};

/** @param {string} mark */
export const markWords = (mark) => phrase(MARK_WORDS[/** @type {keyof MARK_WORDS} */ (mark)]);

/** The entries of a list of moves, a button each. */
export class TreeDrawing {
  /**
   * @param {VariationTree} tree
   * @param {number} turns how many moves make a round
   */
  constructor(tree, turns) {
    this.turns = turns;
    /** @type {Map<TreeNode, HTMLElement>} */
    this.buttons = new Map();
    /** @type {Map<Element, TreeNode>} */
    this.nodes = new Map();
    this.top = document.createDocumentFragment();
    const { top } = this;
    if (tree.root.note) top.append(noteItem(tree.root.note));
    const [first] = tree.root.children;
    /** @type {Waiting[]} */
    const waiting = first ? [{ node: first, list: top, depth: 0, opens: true }] : [];
    for (let next = waiting.pop(); next; next = waiting.pop()) this.drawMove(next, waiting);
  }

  /**
   * A move with what stands beside it; what follows is put on the pile of what is still to draw.
   * @param {Waiting} item
   * @param {Waiting[]} waiting
   */
  drawMove({ node, list, depth, opens }, waiting) {
    if (!node) return list.appendChild(bracketItem(")"));
    const [main, ...others] = node.siblings;
    if (node !== main && depth > DEEPEST) list.appendChild(bracketItem("("));
    list.appendChild(this.entry(node, opens));
    const variations = node === main ? others : [];
    const [following] = node.children;
    if (following) {
      const renewed = variations.length > 0 || node.note !== "";
      waiting.push({ node: following, list, depth, opens: renewed });
    }
    if (!variations.length) return;
    if (depth < DEEPEST) this.indent(node, variations, list, depth, waiting);
    else this.bracket(variations, list, depth, waiting);
  }

  /**
   * @param {TreeNode} node the move that others replace
   * @param {TreeNode[]} variations
   * @param {Node} list
   * @param {number} depth
   * @param {Waiting[]} waiting
   */
  indent(node, variations, list, depth, waiting) {
    const label = phrase("variations_of", { move: node.move });
    const branch = element("ol", { class: "variations", "aria-label": label });
    list.appendChild(element("li", { class: "branch" }, branch));
    const lines = variations.map((variation) => {
      const line = element("ol", { class: "variation" });
      branch.append(element("li", {}, line));
      return { node: variation, list: line, depth: depth + 1, opens: true };
    });
    waiting.push(...lines.reverse());
  }

  /**
   * @param {TreeNode[]} variations
   * @param {Node} list
   * @param {number} depth
   * @param {Waiting[]} waiting
   */
  bracket(variations, list, depth, waiting) {
    for (const node of [...variations].reverse()) {
      waiting.push({ node: null, list, depth, opens: false });
      waiting.push({ node, list, depth: depth + 1, opens: true });
    }
  }

  /**
   * @param {TreeNode} node
   * @param {boolean} opens whether the move opens a line, and has to be numbered
   */
  entry(node, opens) {
    const i = node.ply - 1;
    const within = i % this.turns;
    const n = Math.floor(i / this.turns) + 1;
    const number = within ? (opens ? `${n}…` : "") : `${n}.`;
    const button = element(
      "button",
      { type: "button", "data-ply": String(node.ply), tabindex: "-1" },
      node.move,
    );
    if (node.mark) button.append(element("span", { class: "sign" }, node.mark));
    this.buttons.set(node, button);
    this.nodes.set(button, node);
    this.label(node, "");
    const numbered = element("span", { class: "numbered" }, button);
    const round = element("span", { class: "round", "aria-hidden": "true" }, number);
    if (number) numbered.prepend(round);
    const item = element("li", {}, numbered, " ");
    if (node.note) item.append(noteText(node.note), " ");
    return item;
  }

  /**
   * Say what a move is, what it is worth to whoever marked it, and what is proved of it.
   * @param {TreeNode} node
   * @param {string} proven
   */
  label(node, proven) {
    const spoken = phrase("move_number", { n: Math.ceil(node.ply / this.turns), move: node.move });
    const words = [spoken, node.mark && markWords(node.mark), proven].filter(Boolean);
    const button = this.buttons.get(node);
    button?.setAttribute("aria-label", words.join(", "));
    button?.setAttribute("title", words.slice(1).join(", "));
  }
}

/** @param {string} note */
const noteText = (note) => element("span", { class: "note-text" }, note);

/** @param {string} sign */
const bracketItem = (sign) => element("li", { "aria-hidden": "true" }, sign);

/** @param {string} note */
const noteItem = (note) => element("li", {}, noteText(note));
