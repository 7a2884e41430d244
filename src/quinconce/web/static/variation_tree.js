/** A tree of variations: moves that branch, with notes and marks. It knows no rules and no page. */

/**
 * A node as records, links and the API write it: `after` is the index of its parent in the list,
 * -1 for the start. Every node stands after its parent; of siblings the first is the main line.
 * @typedef {{after: number, move: string, mark?: string, note?: string}} FlatNode
 */

export const MARKS = ["!", "?", "!!", "??", "!?", "?!"];

export class TreeNode {
  /**
   * @param {string} move
   * @param {TreeNode | null} parent
   */
  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
    /** @type {number} how many moves lead here */
    this.ply = parent ? parent.ply + 1 : 0;
    this.mark = "";
    this.note = "";
    /** @type {TreeNode[]} the first is the main line */
    this.children = [];
  }

  /** The moves played in the same position, this one among them. */
  get siblings() {
    return this.parent?.children ?? [this];
  }
}

export class VariationTree {
  constructor() {
    this.root = new TreeNode("", null);
    this.size = 0; // nodes, the start not counted
  }

  /**
   * @param {FlatNode[]} nodes
   * @param {string} [note] on the start
   */
  static fromNodes(nodes, note = "") {
    const tree = new VariationTree();
    tree.root.note = note;
    /** @type {TreeNode[]} */
    const made = [];
    for (const { after, move, mark = "", note: text = "" } of nodes) {
      const parent = after === -1 ? tree.root : made[after];
      if (!parent) throw new RangeError(`no node ${after}`);
      const node = tree.append(parent, move);
      Object.assign(node, { mark, note: text });
      made.push(node);
    }
    return tree;
  }

  /** @param {string[]} moves */
  static fromLine(moves) {
    return VariationTree.fromNodes(moves.map((move, i) => ({ after: i - 1, move })));
  }

  /**
   * All nodes, each variation after the move it replaces.
   * @returns {TreeNode[]}
   */
  all() {
    const found = [];
    const waiting = [...this.root.children].reverse();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      found.push(node);
      for (let i = node.children.length - 1; i >= 0; i -= 1) waiting.push(node.children[i]);
    }
    return found;
  }

  /** @returns {FlatNode[]} */
  nodes() {
    const index = new Map([[this.root, -1]]);
    return this.all().map((node, i) => {
      index.set(node, i);
      const { parent, move, mark, note } = node;
      const after = parent ? (index.get(parent) ?? -1) : -1;
      return { after, move, ...(mark && { mark }), ...(note && { note }) };
    });
  }

  /**
   * @param {TreeNode} parent
   * @param {string} move
   */
  append(parent, move) {
    const node = new TreeNode(move, parent);
    parent.children.push(node);
    this.size += 1;
    return node;
  }

  /**
   * The position after a move; a move that was not there begins a variation.
   * @param {TreeNode} node
   * @param {string} move
   */
  play(node, move) {
    return node.children.find((child) => child.move === move) ?? this.append(node, move);
  }

  /**
   * The position after several moves.
   * @param {string[]} moves
   * @param {TreeNode} [from]
   */
  playAll(moves, from = this.root) {
    return moves.reduce((node, move) => this.play(node, move), from);
  }

  /**
   * Make the variation of a node the main line where it last left it.
   * @param {TreeNode} node
   */
  promote(node) {
    const branch = branchOf(node);
    if (!branch) return;
    const { siblings } = branch;
    siblings.splice(siblings.indexOf(branch), 1);
    siblings.unshift(branch);
  }

  /**
   * Delete a node with everything after it; returns where it was played.
   * @param {TreeNode} node
   */
  remove(node) {
    const { parent } = node;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    this.size = this.all().length;
    return parent;
  }

  /**
   * Whether there is nothing in the tree but the way to a node.
   * @param {TreeNode} node
   */
  isLineTo(node) {
    if (this.size !== node.ply || this.root.note) return false;
    return pathTo(node).every(({ mark, note }) => !mark && !note);
  }
}

/**
 * The nodes from the first move to a node.
 * @param {TreeNode} node
 */
export function pathTo(node) {
  /** @type {TreeNode[]} */
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.push(at);
  return path.reverse();
}

/**
 * The nodes from the first move to a node, and on along the main line.
 * @param {TreeNode} node
 */
export function lineThrough(node) {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** @param {TreeNode} node */
export const movesTo = (node) => pathTo(node).map(({ move }) => move);

/**
 * Where the variation of a node last left the main line: the first move of it; null on the main line.
 * @param {TreeNode} node
 */
export function branchOf(node) {
  for (let at = node; at.parent; at = at.parent) if (at.siblings[0] !== at) return at;
  return null;
}

/**
 * The variation beside the one of a node: at this move or the last before it where lines branch.
 * @param {TreeNode} node
 * @param {number} step 1 for the next, -1 for the one before
 */
export function besideNode(node, step) {
  for (let at = node; at.parent; at = at.parent) {
    const { siblings } = at;
    if (siblings.length > 1) return siblings[siblings.indexOf(at) + step] ?? null;
  }
  return null;
}
