/** A board inside another site: lines and variations to step through, and moves to try. */

import { AnalysisBoard } from "./analysis_board.js";
import { byId, pageData } from "./dom.js";
import { VariationTree, lineThrough } from "./variation_tree.js";

/**
 * @typedef {object} EmbeddedBoard a line of moves, or the nodes of a tree
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} position
 * @property {string[]} [moves]
 * @property {import("./variation_tree.js").FlatNode[]} [nodes]
 * @property {string} [note]
 */

/** @type {{boards: EmbeddedBoard[], shown: number, ply: number, flipped: boolean}} */
const { boards, shown, ply, flipped } = pageData("embed");
const analysis = new AnalysisBoard();
analysis.flipped = flipped;

/**
 * Open a board after some moves of its main line.
 * @param {EmbeddedBoard} board
 * @param {number} [atPly]
 */
function open({ game, options, position, moves = [], nodes, note = "" }, atPly = 0) {
  const tree = nodes ? VariationTree.fromNodes(nodes, note) : VariationTree.fromLine(moves);
  const first = tree.root.children[0];
  const line = first ? lineThrough(first) : [];
  const node = atPly ? (line[Math.min(atPly, line.length) - 1] ?? tree.root) : tree.root;
  return analysis.open({ game, options, start: position }, tree, node);
}

const select = /** @type {HTMLSelectElement} */ (byId("board-select"));
select.addEventListener("change", () => open(boards[Number(select.value)]));
open(boards[shown], ply);
