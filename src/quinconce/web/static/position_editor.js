/** The position editor: pieces are put on the board by a touch or a key; the rules say what is wrong. */

import { ApiError, post } from "./api.js";
import { byId, element, inputById, onSubmit, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";
import { enclosingPlaces } from "./places.js";

/** @typedef {{letter: string, name: string, n: number, svg: string}} Piece */
/** @typedef {{name: string, label: string, value: number, values: string[], first: number}} Field */
/**
 * @typedef {object} Draft a position that is being set up
 * @property {string} position
 * @property {string} svg
 * @property {string | null} fault why nobody can play on from it
 * @property {Piece[]} pieces
 * @property {Field[]} fields
 */

const NOTHING = "."; // what is put where a piece is taken off

export class PositionEditor {
  /** @param {import("./analysis_board.js").AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    this.panel = byId("editor-panel");
    /** @type {Draft | null} while a position is being set up */
    this.draft = null;
    this.last = Promise.resolve(); // changes are made one after the other
    byId("edit").addEventListener("click", () => this.open());
    byId("editor-cancel").addEventListener("click", () => this.close());
    byId("editor-use").addEventListener("click", () => this.use());
    byId("editor-clear").addEventListener("click", () => this.change({ clear: true }));
    byId("editor-start").addEventListener("click", () => this.change({ position: null }));
    byId("editor-flip").addEventListener("click", () => {
      analysis.flipped = !analysis.flipped;
      analysis.answers = new WeakMap();
      this.change({});
    });
    onSubmit("editor-spelling", () => this.change({ position: inputById("editor-text").value }));
    byId("editor-fields").addEventListener("change", (event) => {
      const { name, value } = /** @type {HTMLSelectElement} */ (event.target);
      this.change({ fields: { [name]: Number(value) } });
    });
    // Before the board hears of it: while a position is set up there are no moves.
    const options = { capture: true };
    document.addEventListener("click", (event) => this.onClick(event), options);
    document.addEventListener("keydown", (event) => this.onKeydown(event), options);
  }

  async open() {
    const { analysis } = this;
    if (!analysis.scene) return;
    analysis.paused = true;
    byId("palette").replaceChildren();
    await this.change({ position: analysis.scene.position });
    if (!this.draft) return this.close();
    byId("analysis-panel").hidden = true;
    this.panel.hidden = false;
    const pass = /** @type {HTMLElement} */ (document.querySelector("[data-act=pass]"));
    pass.hidden = true;
    byId("whisper").textContent = phrase("editor_how");
    this.panel.focus({ preventScroll: true });
  }

  close() {
    const { analysis } = this;
    this.draft = null;
    byId("wrong").textContent = "";
    byId("status").classList.remove("impossible");
    byId("analysis-panel").hidden = false;
    this.panel.hidden = true;
    analysis.paused = false;
    analysis.commentary.say("");
    analysis.goTo(analysis.node);
    byId("edit").focus({ preventScroll: true });
  }

  /** Analyse the position that was set up. */
  async use() {
    const { analysis, draft } = this;
    if (!draft || draft.fault) return;
    analysis.paused = false;
    if (await analysis.open({ ...analysis.setup, start: draft.position, names: [] })) this.close();
    else analysis.paused = true;
  }

  /**
   * Change the position once all changes before have been made.
   * @param {object} what
   */
  change(what) {
    this.last = this.last.then(() => this.send(what));
    return this.last;
  }

  /** @param {object} what */
  async send(what) {
    const { game, options } = this.analysis.setup;
    const flip = this.analysis.flipped ? "?flip=1" : "";
    byId("wrong").textContent = "";
    try {
      const body = { game, options, position: this.draft?.position, ...what };
      this.draft = await post(`/api/editor${flip}`, body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      byId("wrong").textContent = error.message;
    }
    this.show();
  }

  show() {
    const { draft, analysis } = this;
    if (!draft) return;
    const { board } = analysis;
    board.show(draft.svg, null);
    const status = byId("status");
    status.textContent = draft.fault
      ? phrase("editor_impossible", { why: draft.fault })
      : phrase("editor_possible");
    status.classList.toggle("impossible", draft.fault !== null);
    /** @type {HTMLButtonElement} */ (byId("editor-use")).disabled = draft.fault !== null;
    inputById("editor-text").value = draft.position;
    this.showPalette(draft.pieces);
    byId("editor-fields").replaceChildren(...draft.fields.map(fieldElement));
  }

  /** @param {Piece[]} pieces */
  showPalette(pieces) {
    const palette = byId("palette");
    if (!palette.childElementCount) {
      const taking = { letter: NOTHING, name: phrase("editor_take_off"), n: 0, svg: "" };
      palette.append(...[...pieces, taking].map(pieceElement));
      this.choose(pieces[0].letter);
    }
    for (const { letter, n } of pieces) {
      const count = palette.querySelector(`[data-letter="${letter}"] .count`);
      if (count) count.textContent = String(n);
    }
  }

  /** @param {string} letter */
  choose(letter) {
    const field = byId("palette").querySelector(`input[value="${CSS.escape(letter)}"]`);
    if (field instanceof HTMLInputElement) field.checked = true;
    return field !== null;
  }

  /** The piece that a touch puts on the board. */
  get chosen() {
    const field = byId("palette").querySelector("input:checked");
    return field instanceof HTMLInputElement ? field.value : NOTHING;
  }

  /**
   * Put the chosen piece on a place; where it stands already, take it off.
   * @param {Element} target
   * @param {string} [piece]
   */
  touch(target, piece = this.chosen) {
    const [place] = enclosingPlaces(target);
    const found = place === undefined ? undefined : this.analysis.board.at(place);
    if (found?.matches(".reserve")) return this.choose(place);
    if (place === undefined) return;
    const drawn = target.closest("[data-place]")?.querySelector(":scope > [data-piece]");
    const same = drawn?.getAttribute("data-piece") === piece;
    this.change({ put: { place, piece: same ? NOTHING : piece } });
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.draft || !target.closest("game-board")) return;
    event.stopPropagation();
    this.touch(target);
  }

  /** @param {KeyboardEvent} event */
  onKeydown(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.draft || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") this.close();
    else if (!target.closest("game-board")) return;
    else if (event.key === "Enter" || event.key === " ") this.touch(target);
    else if (event.key === "Delete" || event.key === "Backspace") this.touch(target, NOTHING);
    else if (event.key.length > 1 || !this.choose(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Piece} piece */
function pieceElement({ letter, name, svg }) {
  const field = element("input", { type: "radio", name: "piece", value: letter });
  const label = element("label", { "data-letter": letter }, field, parseSvg(svg), ` ${name} `);
  if (svg) label.append(element("span", { class: "count" }));
  return label;
}

/** @param {Field} field */
function fieldElement({ name, label, value, values, first }) {
  const id = `editor-${name}`;
  const select = element("select", { id, name });
  values.forEach((words, i) => {
    const choice = element("option", { value: String(first + i) }, words);
    if (first + i === value) choice.setAttribute("selected", "");
    select.append(choice);
  });
  return element("p", { class: "option-field" }, element("label", { for: id }, label), select);
}
