/** The page to explore: any position of any game, where moves are tried outside a match. */

import "./board.js";
import { ApiError, get, post } from "./api.js";
import { Commentary } from "./commentary.js";
import { byId, inputById, onCustomEvent, onSubmit, pageData } from "./dom.js";
import { phrase } from "./i18n.js";
import { MoveList } from "./move_list.js";
import { narrow } from "./narrow_moves.js";
import { playMoveSound } from "./notify.js";
import { ProvenValues } from "./proven.js";
import { mustPass } from "./status.js";

/** @typedef {import("./api.js").Scene} Scene */
/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {number} ply the position on show
 */

const board = /** @type {import("./board.js").GameBoard} */ (byId("board"));
const gameSelect = /** @type {HTMLSelectElement} */ (byId("game-select"));

class ExplorePage {
  constructor() {
    this.moveList = new MoveList(2);
    this.commentary = new Commentary();
    this.flipped = false;
    this.facts = "";
    /** @type {Line} */
    this.line = { game: "", options: {}, start: null, moves: [], ply: 0 };
    /** @type {Scene | null} */
    this.scene = null;
  }

  async open() {
    this.addListeners();
    const query = new URLSearchParams(location.search);
    const match = query.get("match");
    if (match) await this.openMatch(match, Number(query.get("ply") ?? Infinity));
    else await this.goTo(this.parseQuery(query));
  }

  /**
   * @param {URLSearchParams} query
   * @returns {Line}
   */
  parseQuery(query) {
    /** @type {Record<string, string[]>} */
    const games = pageData("games");
    const game = query.get("game") ?? new URLSearchParams(gameSelect.value).get("game") ?? "";
    const names = (games[game] ?? []).filter((name) => query.has(name));
    const moves = query.get("moves")?.split(" ").filter(Boolean) ?? [];
    return {
      game,
      options: Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])),
      start: query.get("position"),
      moves,
      ply: moves.length,
    };
  }

  /**
   * @param {string} match
   * @param {number} ply
   */
  async openMatch(match, ply) {
    const back = byId("return");
    back.setAttribute("href", `/match/${match}`);
    back.hidden = false;
    try {
      const { game, options, start, moves } = await get(`/api/matches/${match}`);
      await this.goTo({ game, options, start, moves, ply: Math.min(ply, moves.length) });
    } catch (error) {
      this.showError(error);
    }
  }

  /**
   * Show a position of a line, if the rules allow the moves that lead there.
   * @param {Line} line
   */
  async goTo(line) {
    const { game, options, start, moves, ply } = line;
    await this.load({ game, options, position: start, moves: moves.slice(0, ply) }, line);
  }

  /**
   * Ask the server for a position and show it.
   * @param {object} body
   * @param {Line} [line] a line whose later moves stay in the list
   * @returns {Promise<any>} the answer, or null if the server refuses
   */
  async load(body, line) {
    byId("wrong").textContent = "";
    try {
      const answer = await post(`/api/explore${this.flipped ? "?flip=1" : ""}`, body);
      const { game, options, start, moves, turns, facts } = answer;
      const listed = line ? moves.concat(line.moves.slice(moves.length)) : moves;
      this.line = { game, options, start, moves: listed, ply: moves.length };
      if (this.scene && answer.scene.ply > this.scene.ply) playMoveSound();
      this.scene = answer.scene;
      this.moveList.turns = turns;
      this.facts = facts;
      byId("title").textContent = answer.title;
      this.show();
      return answer;
    } catch (error) {
      this.showError(error);
      this.show();
      return null;
    }
  }

  show() {
    const { line, scene } = this;
    if (!scene) return;
    board.show(scene.svg, scene);
    this.commentary.show(scene);
    this.moveList.show(line.moves, line.ply);
    const lines = [scene.status, scene.guidance?.prompt, ...scene.notices];
    byId("status").textContent = lines.filter(Boolean).join(" ");
    byId("facts").textContent = this.facts;
    const pass = document.querySelector("[data-act=pass]");
    if (pass instanceof HTMLElement) pass.hidden = !mustPass(scene);
    const query = new URLSearchParams(line.options);
    query.set("position", scene.position);
    byId("play-from").setAttribute("href", `/game/${line.game}?${query}`);
    byId("play-from").hidden = scene.outcome !== null;
    this.updateAddress();
  }

  /** Put the position on show into the address, so that it can be shared. */
  updateAddress() {
    const { game, options, start, moves, ply } = this.line;
    const query = new URLSearchParams({ game, ...options });
    if (start) query.set("position", start);
    if (ply) query.set("moves", moves.slice(0, ply).join(" "));
    const match = new URLSearchParams(location.search).get("match");
    if (!match) history.replaceState(null, "", `?${query}`);
    for (const choice of gameSelect.options) {
      const wanted = [...new URLSearchParams(choice.value)];
      const here = { ...options, game };
      if (wanted.every(([key, value]) => new Map(Object.entries(here)).get(key) === value)) {
        choice.selected = true;
      }
    }
  }

  /** @param {string} move */
  async tryMove(move) {
    const { game, options, start, moves, ply } = this.line;
    return this.load({ game, options, position: start, moves: [...moves.slice(0, ply), move] });
  }

  /** @param {string} record */
  async openRecord(record) {
    const answer = await this.load({ record });
    if (answer) byId("whisper").textContent = phrase("read", { n: answer.moves.length });
  }

  /** @param {unknown} error */
  showError(error) {
    if (!(error instanceof ApiError)) throw error;
    byId("wrong").textContent = error.message;
  }

  addListeners() {
    new ProvenValues(this.moveList, () => {
      const { line, scene } = this;
      return { ...line, over: scene?.outcome != null, allowed: true };
    });
    onCustomEvent(board, "play", (move) => this.tryMove(move));
    onCustomEvent(board, "illegal", (text) => this.tryMove(text));
    onCustomEvent(board, "narrow", (touched) => {
      const { moves, ply } = this.line;
      const line = { ...this.line, moves: moves.slice(0, ply) };
      narrow(board, line, touched).catch((error) => this.showError(error));
    });
    onCustomEvent(board, "announce", (text) => this.commentary.say(text));
    onCustomEvent(this.moveList, "go", (ply) => this.goTo({ ...this.line, ply }));
    gameSelect.addEventListener("change", () => {
      this.goTo(this.parseQuery(new URLSearchParams(gameSelect.value)));
    });
    onSubmit("typed", async () => {
      const field = inputById("typed-move");
      if (field.value.trim() && (await this.tryMove(field.value))) field.value = "";
    });
    onSubmit("paste", () => this.openRecord(inputById("record").value));
    inputById("file").addEventListener("change", async () => {
      const file = inputById("file").files?.[0];
      if (file) this.openRecord(await file.text());
    });
    document.querySelector("[data-act=pass]")?.addEventListener("click", () => {
      this.tryMove(this.scene?.legal?.[0].move ?? "");
    });
    document.querySelector("[data-act=flip]")?.addEventListener("click", () => {
      this.flipped = !this.flipped;
      this.goTo(this.line);
    });
  }
}

new ExplorePage().open();
