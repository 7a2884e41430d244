/** The examples of the rules: stepped through move by move, and played on where they stand. */

import "./board.js";
import { ApiError, post } from "./api.js";
import { element, onCustomEvent } from "./dom.js";
import { narrow } from "./rule_questions.js";

/** @typedef {import("./api.js").Scene} Scene */
/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {number} ply the position that the page came with
 */

class RulesExample {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {Line} */
    this.line = JSON.parse(figure.dataset.example ?? "");
    this.moves = this.line.moves.slice(0, this.line.ply); // played on the board now
    this.board = /** @type {import("./board.js").GameBoard} */ (this.find("game-board"));
    this.status = this.find(".example-status");
    this.requests = 0; // an answer counts only if no request has followed its own
    this.find(".steps").hidden = false;
    this.addListeners();
    this.updateButtons();
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  find(selector) {
    const found = this.figure.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`an example has no ${selector}`);
    return found;
  }

  addListeners() {
    for (const button of this.figure.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.getAttribute("data-step") ?? ""));
    }
    for (const code of this.figure.querySelectorAll("[data-move]")) this.addMoveButton(code);
    onCustomEvent(this.board, "play", (move) => this.show([...this.moves, move]));
    onCustomEvent(this.board, "illegal", (move) => this.show([...this.moves, move]));
    onCustomEvent(this.board, "announce", (text) => text && this.tell(text));
    onCustomEvent(this.board, "narrow", (touched) => {
      narrow(this.board, { ...this.line, moves: this.moves }, touched, (e) => this.refuse(e));
    });
  }

  /**
   * Let a move of the text be shown on the board, or the rules say why it is not allowed.
   * @param {Element} code
   */
  addMoveButton(code) {
    const caption = code.closest("[data-ply]");
    const move = code.getAttribute("data-move") ?? "";
    const ply = Number(caption?.getAttribute("data-ply"));
    const played = caption?.getAttribute("data-kind") === "play";
    const before = this.line.moves.slice(0, ply);
    const button = element("button", { type: "button", class: "move-button" }, move);
    button.addEventListener("click", async () => {
      if (played) {
        const siblings = /** @type {Element[]} */ ([...(caption?.children ?? [])]);
        return this.show(before.slice(0, ply - siblings.length + siblings.indexOf(button) + 1));
      }
      if (this.moves.join(" ") !== before.join(" ")) await this.show(before);
      await this.show([...before, move]);
    });
    code.replaceWith(button);
  }

  /** @param {string} step first, back, on or try: the `data-step` of a button */
  async step(step) {
    const { line, moves } = this;
    if (step === "first") await this.show([]);
    else if (step === "back") await this.show(moves.slice(0, -1));
    else if (step === "on") await this.show(line.moves.slice(0, moves.length + 1));
    else {
      await this.show(moves);
      this.board.at(this.board.focused)?.focus({ preventScroll: true });
    }
  }

  /**
   * Show the position after some moves; if the rules refuse the last one, tell why.
   * @param {string[]} moves
   */
  async show(moves) {
    const number = ++this.requests;
    const { game, options, start } = this.line;
    try {
      const { scene } = await post("/api/explore", { game, options, position: start, moves });
      if (number !== this.requests) return;
      this.moves = moves;
      this.draw(scene);
    } catch (error) {
      if (number === this.requests) this.refuse(error);
    }
  }

  /** @param {Scene} scene */
  draw(scene) {
    if (!this.board.svg) this.board.replaceChildren(); // the picture that came with the page
    this.board.show(scene.svg, scene);
    // Many boards stand on this page, and the ids of a drawing are its own.
    for (const place of this.board.querySelectorAll("[id]")) place.removeAttribute("id");
    const told = scene.told ? `${scene.told}.` : "";
    this.tell([told, scene.status, scene.guidance?.prompt].filter(Boolean).join(" "));
    this.updateButtons();
  }

  /** @param {string} text */
  tell(text) {
    this.status.classList.remove("wrong");
    this.status.textContent = text;
  }

  /** @param {unknown} error */
  refuse(error) {
    if (!(error instanceof ApiError)) throw error;
    this.status.classList.add("wrong");
    this.status.textContent = error.message;
  }

  updateButtons() {
    const { line, moves } = this;
    const own = moves.some((move, i) => move !== line.moves[i]);
    const disabled = {
      first: !moves.length,
      back: !moves.length,
      on: own || moves.length >= line.moves.length,
    };
    for (const [step, off] of Object.entries(disabled)) {
      /** @type {HTMLButtonElement} */ (this.find(`[data-step=${step}]`)).disabled = off;
    }
    for (const caption of this.figure.querySelectorAll("figcaption [data-ply]")) {
      const now = !own && Number(caption.getAttribute("data-ply")) === moves.length;
      caption.classList.toggle("now", now);
    }
  }
}

for (const figure of document.querySelectorAll("[data-example]")) {
  new RulesExample(/** @type {HTMLElement} */ (figure));
}

/** Open the details when the address leads into them. */
function openDetails() {
  const details = document.getElementById("details");
  if (details instanceof HTMLDetailsElement && location.hash === "#details") details.open = true;
}
addEventListener("hashchange", openDetails);
openDetails();
