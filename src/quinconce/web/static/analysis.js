/** The analysis page: any position of any game, from an address, a match or a record. */

import { AnalysisAddress } from "./analysis_address.js";
import { AnalysisBoard } from "./analysis_board.js";
import { ApiError, get } from "./api.js";
import { byId, pageData } from "./dom.js";
import { GameChoice } from "./game_choice.js";
import { phrase } from "./i18n.js";
import { NoteEditor } from "./note_editor.js";
import { PositionEditor } from "./position_editor.js";
import { ProvenValues } from "./proven.js";
import { RecordFiles } from "./record_files.js";
import { isTreeLink, unpackTree } from "./tree_link.js";
import { VariationTree } from "./variation_tree.js";

/** @typedef {import("./tree_link.js").LinkedTree} LinkedTree */

class AnalysisPage {
  constructor() {
    this.analysis = new AnalysisBoard();
    const { analysis } = this;
    this.choice = new GameChoice(analysis);
    new NoteEditor(analysis);
    new RecordFiles(analysis);
    new AnalysisAddress(analysis);
    new PositionEditor(analysis);
    new ProvenValues(analysis.view, () => this.provenLine());
    analysis.addEventListener("shown", () => this.show());
    analysis.addEventListener("opened", () => this.choice.show());
    addEventListener("hashchange", () => isTreeLink(location.hash.slice(1)) && this.open());
  }

  /** Open what the address says. */
  async open() {
    const query = new URLSearchParams(location.search);
    const fragment = location.hash.slice(1);
    const linked = await unpackTree(fragment);
    const match = query.get("match");
    if (match) await this.openMatch(match, query, linked);
    else await this.openLine(query, linked);
    if (isTreeLink(fragment) && !linked) byId("wrong").textContent = phrase("link_broken");
  }

  /**
   * @param {URLSearchParams} query
   * @param {LinkedTree | null} linked
   */
  async openLine(query, linked) {
    /** @type {Record<string, {name: string}[]>} */
    const games = pageData("games");
    const game = query.get("game") ?? this.choice.game;
    const names = (games[game] ?? []).map(({ name }) => name).filter((name) => query.has(name));
    const options = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
    const tree = linked ? VariationTree.fromNodes(linked.nodes, linked.note) : new VariationTree();
    const node = tree.playAll(movesIn(query));
    await this.analysis.open({ game, options, start: query.get("position") }, tree, node);
  }

  /**
   * @param {string} id
   * @param {URLSearchParams} query
   * @param {LinkedTree | null} linked
   */
  async openMatch(id, query, linked) {
    try {
      const { game, options, start, moves, scene, hints } = await get(`/api/matches/${id}`);
      const match = { id, moves, fair: scene.outcome !== null || hints };
      const tree = linked ? VariationTree.fromNodes(linked.nodes, linked.note) : new VariationTree();
      tree.playAll(moves);
      const ply = Math.min(Number(query.get("ply") ?? Infinity), moves.length);
      const node = tree.playAll([...moves.slice(0, ply), ...movesIn(query)]);
      await this.analysis.open({ game, options, start }, tree, node, match);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      byId("wrong").textContent = error.message;
    }
  }

  provenLine() {
    const { setup, scene, view, node } = this.analysis;
    const { line } = view;
    const over = scene?.outcome != null && node.ply === line.length;
    return { ...setup, moves: line.map(({ move }) => move), over, allowed: this.analysis.fair };
  }

  /** Show what depends on the position and is not the board's own. */
  show() {
    const { setup, scene, match, fair } = this.analysis;
    const query = new URLSearchParams(setup.options);
    byId("rules-panel").dataset.rules = `/rules/${setup.game}/short?${query}`;
    query.set("position", scene?.position ?? "");
    byId("play-from").setAttribute("href", `/game/${setup.game}?${query}`);
    byId("play-from").hidden = !scene || scene.outcome !== null;
    byId("return").hidden = match === null;
    byId("return").setAttribute("href", `/match/${match?.id}`);
    byId("banner").hidden = fair;
    byId("banner").textContent = fair ? "" : phrase("fair_play");
  }
}

/** @param {URLSearchParams} query */
function movesIn(query) {
  return query.get("moves")?.split(" ").filter(Boolean) ?? [];
}

new AnalysisPage().open();
