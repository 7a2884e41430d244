/** The boards of a study: one of them is on show; they are added, named and deleted. */

import { post } from "./api.js";
import { byId, element, inputById, onSubmit } from "./dom.js";
import { phrase } from "./i18n.js";
import { VariationTree } from "./variation_tree.js";

/** @typedef {import("./analysis_board.js").AnalysisBoard} AnalysisBoard */
/** @typedef {import("./analysis_board.js").Setup} Setup */
/** @typedef {import("./study_file.js").BoardData} BoardData */
/** @typedef {{title: string, setup: Setup, tree: VariationTree}} StudyBoard */

/** Dispatches `changed` when there is something to save, and `chosen` when another is on show. */
export class StudyBoards extends EventTarget {
  /** @type {StudyBoard[]} */
  all = [];
  shown = 0; // the number of the board on show

  /** @param {AnalysisBoard} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    this.select = /** @type {HTMLSelectElement} */ (byId("board-select"));
    this.title = inputById("board-title");
    this.select.addEventListener("change", () => this.show(Number(this.select.value)));
    this.title.addEventListener("input", () => this.rename());
    byId("delete-board").addEventListener("click", () => this.delete());
    onSubmit("new-board", () => this.addGame());
    inputById("board-file").addEventListener("change", async () => {
      const file = inputById("board-file").files?.[0];
      if (file) await this.addRecord(await file.text());
      inputById("board-file").value = "";
    });
  }

  /**
   * Take the boards of a study, and show one of them.
   * @param {BoardData[]} boards
   * @param {number} number
   */
  async open(boards, number) {
    this.all = boards.map(({ title, game, options, position, nodes, note }) => ({
      title,
      setup: { game, options, start: position },
      tree: VariationTree.fromNodes(nodes, note),
    }));
    await this.show(Math.min(Math.max(number, 0), boards.length - 1));
  }

  /**
   * The boards as the server keeps them.
   * @returns {BoardData[]}
   */
  data() {
    return this.all.map(({ title, setup, tree }) => {
      const { game, options, start } = setup;
      const { note } = tree.root;
      return { game, title, options, position: start, nodes: tree.nodes(), note };
    });
  }

  /** @param {number} number */
  async show(number) {
    const { setup, tree, title } = this.all[number];
    this.shown = number;
    this.title.value = title;
    this.list();
    await this.analysis.open(setup, tree);
    this.dispatchEvent(new Event("chosen"));
  }

  /** List the boards anew. */
  list() {
    const choices = this.all.map(({ title, setup }, i) => {
      const name = title || this.gameTitle(setup.game);
      return element("option", { value: String(i) }, `${i + 1}. ${name}`);
    });
    this.select.replaceChildren(...choices);
    this.select.value = String(this.shown);
    /** @type {HTMLButtonElement} */ (byId("delete-board")).disabled = this.all.length < 2;
  }

  /** @param {string} game */
  gameTitle(game) {
    const faces = [.../** @type {HTMLSelectElement} */ (byId("game-select")).options];
    const face = faces.find(({ value }) => new URLSearchParams(value).get("game") === game);
    return face?.textContent ?? game;
  }

  rename() {
    this.all[this.shown].title = this.title.value.trim();
    this.list();
    this.dispatchEvent(new Event("changed"));
  }

  /** Add a board with the game that is chosen, at its start. */
  addGame() {
    const { value } = /** @type {HTMLSelectElement} */ (byId("game-select"));
    const { game = "", ...options } = Object.fromEntries(new URLSearchParams(value));
    return this.add({ game, options, start: null }, new VariationTree());
  }

  /** @param {string} record */
  async addRecord(record) {
    try {
      const answer = await post("/api/explore", { record });
      const { game, options, start, moves, nodes, note } = answer;
      const tree = nodes ? VariationTree.fromNodes(nodes, note) : VariationTree.fromLine(moves);
      await this.add({ game, options, start }, tree);
    } catch (error) {
      this.analysis.showError(error);
    }
  }

  /**
   * @param {Setup} setup
   * @param {VariationTree} tree
   */
  async add(setup, tree) {
    this.all.push({ title: "", setup, tree });
    this.dispatchEvent(new Event("changed"));
    await this.show(this.all.length - 1);
    this.analysis.commentary.say(phrase("board_added", { n: this.all.length }));
  }

  async delete() {
    this.all.splice(this.shown, 1);
    this.dispatchEvent(new Event("changed"));
    await this.show(Math.min(this.shown, this.all.length - 1));
    this.analysis.commentary.say(phrase("board_deleted"));
    this.select.focus();
  }
}
