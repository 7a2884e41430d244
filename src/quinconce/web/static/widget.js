/** A board in a notebook: shows a match that Python holds, and hands it what is touched. */

import "./board.js";
import { BoardArrows } from "./board_arrows.js";
import { button, element, onCustomEvent } from "./dom.js";
import { voice } from "./i18n.js";
import { LineRows, shortNumber } from "./line_rows.js";
import { narrowBy } from "./narrowing.js";
import { mustPass } from "./status.js";

/** @typedef {import("./api.js").Scene} Scene */
/**
 * What the widget in Python and its views share, as anywidget hands it over.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(message: object) => void} send
 * @property {(name: string, handler: (...details: any[]) => void) => void} on
 * @property {(name: string, handler: (...details: any[]) => void) => void} off
 */

const LINES = 3;

/** One view of a widget; dispatches `shown` when a position is on the board. */
class WidgetView extends EventTarget {
  paused = false; // arrows are always drawn
  /** @type {(isShown: boolean) => void} tells what was touched meanwhile that an answer is here */
  settle = () => {};
  /** @type {Map<string, (scene: Scene) => void>} questions that were not answered yet */
  questions = new Map();

  /**
   * @param {Model} model
   * @param {HTMLElement} root
   */
  constructor(model, root) {
    super();
    this.model = model;
    const phrase = (this.phrase = voice(model.get("phrases"), model.get("language")));
    this.board = /** @type {import("./board.js").GameBoard} */ (element("game-board"));
    this.board.phrase = phrase;
    this.status = element("p", { class: "status", role: "status" });
    this.wrong = element("p", { class: "wrong", role: "alert" });
    this.whisper = element("p", { class: "whisper", "aria-live": "polite" });
    this.pass = button(phrase("pass"), () => this.play(this.scene.legal?.[0].move ?? ""), "main");
    this.back = button(phrase("take_back"), () => this.act("undo"));
    this.engine = button("", () => this.act("engine"));
    this.analysis = button(phrase("analysis"), () => this.toggle("analysing"));
    this.state = element("p", { class: "engine-state" });
    this.list = element("ol", { class: "engine-lines" });
    this.arrows = new BoardArrows(this);
    const play = (/** @type {string} */ move) => this.play(move);
    this.rows = new LineRows(this.list, LINES, this.arrows, play, phrase);
    root.classList.add("quinconce-widget");
    root.lang = model.get("language");
    root.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves the keys to the board
    root.append(...this.parts());
    this.addListeners();
    this.show();
    this.showAnalysis();
  }

  /** @returns {Scene} */
  get scene() {
    return this.model.get("scene");
  }

  parts() {
    const flip = button(this.phrase("turn_board"), () => this.toggle("flipped"));
    return [
      this.board,
      this.status,
      element("div", { class: "messages" }, this.wrong, this.whisper),
      element("div", { class: "buttons" }, this.pass, this.back, this.engine, this.analysis, flip),
      this.state,
      this.list,
    ];
  }

  addListeners() {
    const { board } = this;
    onCustomEvent(board, "play", (move) => this.play(move));
    onCustomEvent(board, "illegal", (move) => this.play(move));
    onCustomEvent(board, "narrow", (touched) => narrowBy(board, this.ask(touched), () => {}));
    onCustomEvent(board, "announce", (text) => this.say(text));
  }

  /**
   * Do something to the match; touches are held until it is on show.
   * @param {string} act
   * @param {object} [details]
   */
  act(act, details = {}) {
    this.settle(false);
    this.board.held.until(new Promise((resolve) => (this.settle = resolve)));
    this.model.send({ act, ply: this.scene.ply, ...details });
  }

  /** @param {string} move */
  play(move) {
    this.act("play", { move });
  }

  /**
   * What may follow the places touched so far.
   * @param {string[]} touched
   * @returns {Promise<Scene>}
   */
  ask(touched) {
    const id = String(Math.random());
    this.model.send({ act: "narrow", ply: this.scene.ply, touched, id });
    return new Promise((resolve) => this.questions.set(id, resolve));
  }

  /** @param {"analysing" | "flipped"} name */
  toggle(name) {
    this.model.set(name, !this.model.get(name));
    this.model.save_changes();
  }

  /**
   * Take an answer: that something is refused, or what may follow.
   * @param {{refused?: string, answer?: string, scene?: Scene}} message
   */
  receive({ refused, answer, scene }) {
    if (refused !== undefined) {
      this.show(false);
      this.wrong.textContent = refused;
    }
    if (answer && scene) {
      this.questions.get(answer)?.(scene);
      this.questions.delete(answer);
    }
  }

  /** @param {boolean} [isNew] whether the position answers what was done */
  show(isNew = true) {
    const { board, scene, model, phrase } = this;
    const thinking = model.get("thinking");
    board.idle = thinking ? phrase("hint_comes") : "";
    board.show(scene.svg, thinking ? null : scene);
    const next = thinking ? [phrase("hint_comes")] : [scene.guidance?.prompt, ...scene.notices];
    this.status.textContent = [scene.status, ...next].filter(Boolean).join(" ");
    this.wrong.textContent = "";
    this.say("");
    this.pass.hidden = thinking || !mustPass(scene);
    this.engine.textContent = phrase("engine_move", { level: model.get("level") });
    this.engine.toggleAttribute("disabled", thinking || scene.outcome !== null);
    this.back.toggleAttribute("disabled", thinking || !scene.ply);
    this.dispatchEvent(new Event("shown"));
    this.showAnalysis();
    this.settle(isNew);
  }

  /** Show what the engine thinks so far, if it is asked for the position on show. */
  showAnalysis() {
    const { model, phrase } = this;
    const on = model.get("analysing");
    const { state, lines = [], depth, nodes, done } = on ? model.get("analysis") : {};
    this.analysis.setAttribute("aria-pressed", String(on));
    this.state.hidden = this.list.hidden = !on;
    this.rows.show(lines, model.get("sides"));
    const told = { depth, nodes: shortNumber(nodes ?? 0, model.get("language")) };
    const words = lines.length ? (done ? "engine_done" : "engine_depth") : "hint_comes";
    this.state.textContent = state ? phrase(words, told) : "";
  }

  /** @param {string} text an empty one gives way to the last move */
  say(text) {
    const { told, last } = this.scene;
    this.whisper.textContent = text || (told ? `${told} · ${last}` : "");
    if (text) this.wrong.textContent = "";
  }
}

/**
 * Show a widget in a cell; returns what ends the view.
 * @param {{model: Model, el: HTMLElement}} cell
 */
function render({ model, el }) {
  const view = new WidgetView(model, el);
  /** @type {Record<string, (...details: any[]) => void>} */
  const handlers = {
    "change:scene": () => view.show(),
    "change:thinking": () => view.show(),
    "change:level": () => view.show(),
    "change:analysis": () => view.showAnalysis(),
    "change:analysing": () => view.showAnalysis(),
    "msg:custom": (message) => view.receive(message),
  };
  for (const [name, handler] of Object.entries(handlers)) model.on(name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) model.off(name, handler);
  };
}

export default { render };
