/** The page to explore: any position of any game, and moves tried on one's own. */

import "./board.js";
import { knock } from "./notify.js";
import { Refusal, get, post } from "./api.js";
import { Moves } from "./move_list.js";
import { Truths } from "./proven.js";
import { mustPass } from "./status.js";
import { data, heard, input, part, sent } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {import("./api.js").Scene} Scene */
/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {number} ply
 */

const board = /** @type {import("./board.js").GameBoard} */ (part("board"));
const which = /** @type {HTMLSelectElement} */ (part("which"));

class Exploring {
  constructor() {
    this.moves = new Moves(2);
    this.flipped = false;
    this.facts = "";
    /** @type {Line} */
    this.line = { game: "", options: {}, start: null, moves: [], ply: 0 };
    /** @type {Scene | null} */
    this.scene = null;
  }

  async open() {
    this.wire();
    const query = new URLSearchParams(location.search);
    const match = query.get("match");
    if (match) await this.fromMatch(match, Number(query.get("ply") ?? Infinity));
    else await this.go(this.fromQuery(query));
  }

  /** @param {URLSearchParams} query */
  fromQuery(query) {
    /** @type {Record<string, string[]>} */
    const games = data("games");
    const game = query.get("game") ?? new URLSearchParams(which.value).get("game") ?? "";
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
  async fromMatch(match, ply) {
    const back = part("return");
    back.setAttribute("href", `/match/${match}`);
    back.hidden = false;
    try {
      const { game, options, start, moves } = await get(`/api/matches/${match}`);
      await this.go({ game, options, start, moves, ply: Math.min(ply, moves.length) });
    } catch (error) {
      this.complain(error);
    }
  }

  /**
   * Look at a line, which becomes the one that is explored if the rules allow it.
   * @param {Line} line
   */
  async go(line) {
    const { game, options, start, moves, ply } = line;
    const wish = { game, options, position: start, moves: moves.slice(0, ply) };
    await this.read(wish, line);
  }

  /**
   * @param {object} wish
   * @param {Line} [line] what is shown then; without it, what the answer says
   */
  async read(wish, line) {
    part("wrong").textContent = "";
    try {
      const found = await post(`/api/explore${this.flipped ? "?flip=1" : ""}`, wish);
      const { game, options, start, moves, turns, facts } = found;
      const told = line ? moves.concat(line.moves.slice(moves.length)) : moves;
      this.line = { game, options, start, moves: told, ply: moves.length };
      if (this.scene && found.scene.ply > this.scene.ply) knock();
      this.scene = found.scene;
      this.moves.turns = turns;
      this.facts = facts;
      part("title").textContent = found.title;
      this.show();
      return found;
    } catch (error) {
      this.complain(error);
      this.show();
      return null;
    }
  }

  show() {
    const { line, scene } = this;
    if (!scene) return;
    board.show(scene.svg, scene.legal);
    this.moves.show(line.moves, line.ply);
    part("status").textContent = scene.status;
    part("facts").textContent = this.facts;
    const pass = document.querySelector("[data-act=pass]");
    if (pass instanceof HTMLElement) pass.hidden = !mustPass(scene);
    const query = new URLSearchParams(line.options);
    query.set("position", scene.position);
    part("play-from").setAttribute("href", `/game/${line.game}?${query}`);
    part("play-from").hidden = scene.outcome !== null;
    this.address();
  }

  /** The address says what is on show, so that it can be sent to somebody. */
  address() {
    const { game, options, start, moves, ply } = this.line;
    const query = new URLSearchParams({ game, ...options });
    if (start) query.set("position", start);
    if (ply) query.set("moves", moves.slice(0, ply).join(" "));
    const match = new URLSearchParams(location.search).get("match");
    if (!match) history.replaceState(null, "", `?${query}`);
    for (const choice of which.options) {
      const wanted = [...new URLSearchParams(choice.value)];
      const here = { ...options, game };
      if (wanted.every(([key, value]) => new Map(Object.entries(here)).get(key) === value)) {
        choice.selected = true;
      }
    }
  }

  /** @param {string} move */
  async try(move) {
    const { moves, ply } = this.line;
    const played = [...moves.slice(0, ply), move];
    return this.read({ ...this.wish(), moves: played });
  }

  wish() {
    const { game, options, start } = this.line;
    return { game, options, position: start };
  }

  /** @param {unknown} error */
  complain(error) {
    if (!(error instanceof Refusal)) throw error;
    part("wrong").textContent = error.message;
  }

  wire() {
    new Truths(this.moves, () => {
      const { line, scene } = this;
      return { ...line, over: scene?.outcome != null, allowed: true };
    });
    heard(board, "play", (move) => this.try(move));
    heard(board, "refuse", (text) => this.try(text));
    heard(board, "whisper", (text) => (part("whisper").textContent = text));
    heard(this.moves, "go", (ply) => this.go({ ...this.line, ply }));
    which.addEventListener("change", () => {
      this.go(this.fromQuery(new URLSearchParams(which.value)));
    });
    sent("typed", async () => {
      const field = input("typed-move");
      if (field.value.trim() && (await this.try(field.value))) field.value = "";
    });
    sent("paste", () => this.record(input("record").value));
    input("file").addEventListener("change", async () => {
      const file = input("file").files?.[0];
      if (file) this.record(await file.text());
    });
    document.querySelector("[data-act=pass]")?.addEventListener("click", () => {
      this.try(this.scene?.legal?.[0].move ?? "");
    });
    document.querySelector("[data-act=flip]")?.addEventListener("click", () => {
      this.flipped = !this.flipped;
      this.go(this.line);
    });
  }

  /** @param {string} record */
  async record(record) {
    const found = await this.read({ record });
    if (found) part("whisper").textContent = say("read", { n: found.moves.length });
  }
}

new Exploring().open();
