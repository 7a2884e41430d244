/** The address of an analysis: it always holds the line on show, and a small tree behind the `#`. */

import { replaceAddress } from "./address.js";
import { isTreeLink, packTree } from "./tree_link.js";
import { VariationTree, movesTo } from "./variation_tree.js";

/** @typedef {import("./analysis_board.js").AnalysisBoard} AnalysisBoard */

const REST = 300; // milliseconds after which the tree is packed, if nothing else has changed

/**
 * The line in an address: of a match, the last of its moves and what was tried after it.
 * @param {AnalysisBoard} analysis
 */
export function lineQuery({ setup, node, match }) {
  const moves = movesTo(node);
  const { game, options, start } = setup;
  const query = new URLSearchParams(match ? { match: match.id } : { game, ...options });
  let ply = 0;
  while (match && ply < moves.length && moves[ply] === match.moves[ply]) ply += 1;
  if (match) query.set("ply", String(ply));
  else if (start) query.set("position", start);
  if (moves.length > ply) query.set("moves", moves.slice(ply).join(" "));
  return query;
}

/**
 * The tree behind the `#`: nothing where the line says it all, null where it is too large.
 * @param {AnalysisBoard} analysis
 * @returns {Promise<string | null>}
 */
export async function treeFragment({ tree, node, match }) {
  const end = match ? endOf(tree, match.moves) : node;
  if (end && tree.isLineTo(end)) return "";
  return packTree({ nodes: tree.nodes(), note: tree.root.note });
}

/**
 * Where moves lead in a tree, if it has them.
 * @param {VariationTree} tree
 * @param {string[]} moves
 */
function endOf(tree, moves) {
  /** @type {import("./variation_tree.js").TreeNode | undefined} */
  let node = tree.root;
  for (const move of moves) node = node?.children.find((child) => child.move === move);
  return node;
}

/** Keeps the address of the page up to date. */
export class AnalysisAddress {
  timer = 0;

  /** @param {AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    analysis.addEventListener("shown", () => this.update());
    analysis.addEventListener("changed", () => this.update());
  }

  /** Put the line into the address now, and the tree once nothing changes any more. */
  update() {
    const { hash } = location;
    this.replace(isTreeLink(hash.slice(1)) ? hash : "");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.updateTree(), REST);
  }

  async updateTree() {
    const { node, tree } = this.analysis;
    const fragment = await treeFragment(this.analysis);
    if (node !== this.analysis.node || tree !== this.analysis.tree) return;
    this.replace(fragment ? `#${fragment}` : "");
  }

  /** @param {string} hash */
  replace(hash) {
    const query = lineQuery(this.analysis);
    try {
      replaceAddress(`/analysis?${query}${hash}`);
    } catch {
      // A browser allows only so many changes a minute: the next one catches up.
    }
  }
}
