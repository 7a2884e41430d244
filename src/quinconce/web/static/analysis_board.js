/** A board to analyse on: a tree of variations, the position on show, and moves tried in it. */

import "./board.js";
import { ApiError, post } from "./api.js";
import { Commentary } from "./commentary.js";
import { byId, inputById, onCustomEvent, onSubmit } from "./dom.js";
import { narrow } from "./rule_questions.js";
import { playMoveSound } from "./notify.js";
import { mustPass } from "./status.js";
import { TreeView } from "./tree_view.js";
import { VariationTree, movesTo } from "./variation_tree.js";

/** @typedef {import("./api.js").Scene} Scene */
/** @typedef {import("./variation_tree.js").TreeNode} TreeNode */
/**
 * What a tree begins with; `names` are those of the players, if they are known.
 * @typedef {object} Setup
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} [names]
 */
/**
 * A match that is analysed: its moves, and whether help is fair: not while people play each other.
 * @typedef {{id: string, moves: string[], fair: boolean}} OpenMatch
 */
/**
 * @typedef {object} Answer what the server says of a position
 * @property {string} game
 * @property {string} title
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} players every seat in words
 * @property {number[][]} sides the seats that win together
 * @property {string} facts
 * @property {number} turns
 * @property {string[]} moves
 * @property {Scene} scene
 * @property {import("./device_search.js").PageSearch | null} search to search it on this device
 */

/**
 * Dispatches `shown` when another position is on the board, `changed` when the tree or a note in
 * it has changed, and `opened` when there is another tree.
 */
export class AnalysisBoard extends EventTarget {
  constructor() {
    super();
    this.board = /** @type {import("./board.js").GameBoard} */ (byId("board"));
    this.view = new TreeView();
    this.commentary = new Commentary();
    this.flipped = false;
    /** @type {Setup} */
    this.setup = { game: "", options: {}, start: null };
    /** @type {OpenMatch | null} */
    this.match = null;
    this.tree = new VariationTree();
    /** @type {TreeNode} the position that the reader wants to see */
    this.node = this.tree.root;
    /** @type {Answer | null} the position on the board */
    this.answer = null;
    /** @type {WeakMap<TreeNode, Answer>} */
    this.answers = new WeakMap();
    /** @type {WeakMap<TreeNode, {words: string}>} what its legal moves prove of a position */
    this.proven = new WeakMap();
    this.coming = Promise.resolve(false); // settles when the position wanted last is on show
    this.requests = 0; // an answer counts only if no request has followed its own
    this.searching = true; // whether positions come with what this device needs to search them
    this.paused = false; // while a position is being set up on this board
    this.addListeners();
  }

  /** @returns {Scene | null} */
  get scene() {
    return this.answer?.scene ?? null;
  }

  /** The moves that lead to the position on show. */
  get moves() {
    return movesTo(this.node);
  }

  /** Whether the engine may help here. */
  get fair() {
    return this.match?.fair ?? true;
  }

  /** What identifies the position on show, with everything that led to it. */
  get line() {
    const { game, options, start } = this.setup;
    return { game, options, start, moves: this.moves };
  }

  /** The whole line on show, for what is proved of it. */
  get provenLine() {
    const { setup, scene, view, node, fair } = this;
    const over = scene?.outcome != null && node.ply === view.line.length;
    const moves = view.line.map(({ move }) => move);
    const best = this.proven.get(node) ?? null;
    return { ...setup, moves, match: this.match?.id, over, allowed: fair, best };
  }

  /**
   * Open a tree at one of its positions.
   * @param {Setup} setup
   * @param {VariationTree} tree
   * @param {TreeNode} node
   * @param {OpenMatch | null} match
   * @returns {Promise<boolean>} false if the server refuses the position
   */
  async open(setup, tree = new VariationTree(), node = tree.root, match = null) {
    const answer = await this.ask(setup, movesTo(node));
    if (!answer) return false;
    const { game, options, start } = answer;
    this.setup = { game, options, start, names: setup.names ?? [] };
    this.match = match;
    this.tree = tree;
    this.answers = new WeakMap();
    this.view.turns = answer.turns;
    this.showAnswer(node, answer, true);
    this.dispatchEvent(new Event("opened"));
    return true;
  }

  /** Draw the list of moves anew: the tree has changed. */
  redraw() {
    this.view.draw(this.tree);
    this.dispatchEvent(new Event("changed"));
  }

  /**
   * Show a position of the tree.
   * @param {TreeNode} node
   */
  goTo(node) {
    return this.board.held.until((this.coming = this.load(node)));
  }

  /** @param {TreeNode} node */
  async load(node) {
    const asked = (this.node = node);
    const answer = this.answers.get(node) ?? (await this.ask(this.setup, movesTo(node)));
    if (!answer || this.node !== asked) return false;
    this.showAnswer(node, answer);
    return true;
  }

  /**
   * Play a move in the position on show, as it is typed or touched.
   * @param {string} move
   * @returns {Promise<boolean>} whether it is legal
   */
  async play(move) {
    await this.coming;
    const { node, tree } = this;
    const known = node.children.find((child) => child.move === move);
    const answer =
      (known && this.answers.get(known)) ?? (await this.ask(this.setup, [...this.moves, move]));
    if (!answer || tree !== this.tree || node !== this.node) return false;
    const { size } = tree;
    const child = tree.play(node, answer.moves[answer.moves.length - 1]);
    playMoveSound();
    this.showAnswer(child, answer, tree.size > size);
    return true;
  }

  /**
   * Ask the server for a position; null if it refuses, or if another has been asked for since.
   * @param {Setup} setup
   * @param {string[]} moves
   * @returns {Promise<Answer | null>}
   */
  async ask({ game, options, start }, moves) {
    const number = ++this.requests;
    byId("wrong").textContent = "";
    try {
      const body = { game, options, position: start, moves, search: this.searching };
      const answer = await post(`/api/explore${this.flipped ? "?flip=1" : ""}`, body);
      return number === this.requests ? answer : null;
    } catch (error) {
      if (number === this.requests) this.showError(error);
      return null;
    }
  }

  /**
   * @param {TreeNode} node
   * @param {Answer} answer
   * @param {boolean} [changed] whether the tree has changed
   */
  showAnswer(node, answer, changed = false) {
    this.answers.set(node, answer);
    this.node = this.view.node = node;
    this.answer = answer;
    if (changed) this.redraw();
    else this.view.show(node);
    this.show();
    this.dispatchEvent(new Event("shown"));
  }

  /** Show the position, with what the rules say of it. */
  show() {
    const { scene, answer } = this;
    if (!scene || !answer || this.paused) return;
    this.board.show(scene.svg, scene);
    const { width, height } = this.board.querySelector("svg")?.viewBox.baseVal ?? {};
    if (width && height) byId("board-frame").style.setProperty("--ratio", String(width / height));
    this.commentary.show(scene);
    const lines = [scene.status, scene.guidance?.prompt, ...scene.notices];
    byId("status").textContent = lines.filter(Boolean).join(" ");
    byId("title").textContent = answer.title;
    byId("facts").textContent = answer.facts;
    const pass = document.querySelector("[data-act=pass]");
    if (pass instanceof HTMLElement) pass.hidden = !mustPass(scene);
  }

  /** Turn the board. */
  flip() {
    this.flipped = !this.flipped;
    this.answers = new WeakMap();
    return this.goTo(this.node);
  }

  /** @param {unknown} error */
  showError(error) {
    if (!(error instanceof ApiError)) throw error;
    byId("wrong").textContent = error.message;
    this.show();
  }

  addListeners() {
    const { board } = this;
    onCustomEvent(board, "play", (move) => board.held.until(this.play(move)));
    onCustomEvent(board, "illegal", (text) => this.play(text));
    onCustomEvent(board, "narrow", (touched) => {
      narrow(board, this.line, touched, (error) => this.showError(error));
    });
    onCustomEvent(board, "announce", (text) => this.commentary.say(text));
    onCustomEvent(this.view, "go", (node) => this.goTo(node));
    const typeMove = async (field = inputById("typed-move")) => {
      if (field.value.trim() && (await this.play(field.value))) field.value = "";
    };
    if (document.getElementById("typed")) onSubmit("typed", () => typeMove());
    document.querySelector("[data-act=pass]")?.addEventListener("click", () => {
      this.play(this.scene?.legal?.[0].move ?? "");
    });
    document.querySelector("[data-act=flip]")?.addEventListener("click", () => this.flip());
  }
}
