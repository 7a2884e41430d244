/** The analysis page: any position of any game, from an address, a match or a record. */

import { here } from "./address.js";
import { AnalysisAddress } from "./analysis_address.js";
import { AnalysisBoard } from "./analysis_board.js";
import { ApiError, get, post } from "./api.js";
import { BoardArrows } from "./board_arrows.js";
import { byId, pageData } from "./dom.js";
import { EngineLines } from "./engine_lines.js";
import { GameChoice } from "./game_choice.js";
import { phrase } from "./i18n.js";
import { KeepStudy } from "./keep_study.js";
import { NoteEditor } from "./note_editor.js";
import { PositionEditor } from "./position_editor.js";
import { ProvenValues } from "./proven.js";
import { ProvenMoves } from "./proven_moves.js";
import { RecordFiles, treeBody } from "./record_files.js";
import { SharePanel } from "./share.js";
import { isTreeLink, unpackTree } from "./tree_link.js";
import { VariationTree } from "./variation_tree.js";

/** @typedef {import("./analysis_board.js").Setup} Setup */

class AnalysisPage {
  constructor() {
    const analysis = (this.analysis = new AnalysisBoard());
    const arrows = new BoardArrows(analysis);
    this.choice = new GameChoice(analysis);
    new NoteEditor(analysis);
    new KeepStudy(analysis);
    new RecordFiles(analysis);
    new AnalysisAddress(analysis);
    new PositionEditor(analysis);
    new EngineLines(analysis, arrows);
    new ProvenValues(analysis.view, () => analysis.provenLine);
    new ProvenMoves(analysis, arrows);
    new SharePanel(() => {
      const { line, scene, flipped } = analysis;
      return { ...line, position: scene?.position ?? "", flipped };
    });
    analysis.addEventListener("shown", () => this.show());
    analysis.addEventListener("opened", () => this.choice.show());
    addEventListener("hashchange", () => isTreeLink(location.hash.slice(1)) && this.open());
  }

  /** Open what the address says. */
  async open() {
    const query = here().searchParams;
    try {
      const id = query.get("match");
      /** @type {import("./api.js").View | null} */
      const view = id ? await get(`/api/matches/${id}`) : null;
      const setup = view ? matchSetup(view) : this.setupIn(query);
      const { tree, fault } = await linkedTree(location.hash.slice(1), setup);
      const played = view?.moves ?? [];
      tree.playAll(played);
      const ply = Math.min(Number(query.get("ply") ?? Infinity), played.length);
      const node = tree.playAll([...played.slice(0, ply), ...movesIn(query)]);
      const fair = !view || view.scene.outcome !== null || view.hints;
      const match = view && { id: view.id, moves: played, fair };
      if (await this.analysis.open(setup, tree, node, match)) this.tell(fault);
      else await this.openInstead(setup);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await this.openInstead({ game: this.choice.game, options: {}, start: null }, error.message);
    }
  }

  /**
   * Where an address cannot be followed, say why and show the start of its game, or of any.
   * @param {Setup} setup
   * @param {string} why
   */
  async openInstead({ game, options }, why = byId("wrong").textContent ?? "") {
    const { analysis, choice } = this;
    if (!(await analysis.open({ game, options, start: null }))) {
      await analysis.open({ game: choice.game, options: {}, start: null });
    }
    this.tell(why);
  }

  /** @param {string} fault */
  tell(fault) {
    if (fault) byId("wrong").textContent = fault;
  }

  /**
   * @param {URLSearchParams} query
   * @returns {Setup}
   */
  setupIn(query) {
    /** @type {Record<string, {name: string}[]>} */
    const games = pageData("games");
    const game = query.get("game") ?? this.choice.game;
    const names = (games[game] ?? []).map(({ name }) => name).filter((name) => query.has(name));
    const options = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
    return { game, options, start: query.get("position") };
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

/**
 * @param {import("./api.js").View} view
 * @returns {Setup}
 */
function matchSetup({ game, options, start, seats }) {
  return { game, options, start, names: seats.map(({ name }) => name) };
}

/**
 * The tree behind the `#`, if the rules allow all of it; else an empty one, and what is wrong.
 * @param {string} fragment
 * @param {Setup} setup
 */
async function linkedTree(fragment, setup) {
  let fault = "";
  if (isTreeLink(fragment)) {
    const linked = await unpackTree(fragment);
    try {
      const tree = VariationTree.fromNodes(linked?.nodes ?? [{ after: 0, move: "" }], linked?.note);
      await post("/api/variations", treeBody({ setup, tree }));
      return { tree, fault };
    } catch (error) {
      fault = error instanceof ApiError ? error.message : phrase("link_broken");
    }
  }
  return { tree: new VariationTree(), fault };
}

/** @param {URLSearchParams} query */
function movesIn(query) {
  return query.get("moves")?.split(" ").filter(Boolean) ?? [];
}

new AnalysisPage().open();
