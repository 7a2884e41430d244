/** What a reader writes at a move: a mark, a note; and what becomes of its variation. */

import { byId, element } from "./dom.js";
import { phrase } from "./i18n.js";
import { markWords } from "./tree_drawing.js";
import { MARKS, branchOf } from "./variation_tree.js";

const REST = 300; // milliseconds without a key

export class NoteEditor {
  timer = 0;

  /** @param {import("./analysis_board.js").AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    this.field = /** @type {HTMLTextAreaElement} */ (byId("note"));
    this.marks = MARKS.map((mark) => {
      const looks = { type: "button", title: markWords(mark), "aria-label": markWords(mark) };
      const button = element("button", looks, mark);
      button.addEventListener("click", () => this.toggleMark(mark));
      return button;
    });
    byId("marks").replaceChildren(...this.marks);
    this.field.addEventListener("input", () => this.writeNote());
    for (const [name, act] of Object.entries({ promote: this.promote, remove: this.remove })) {
      byId(name).addEventListener("click", () => act.call(this));
    }
    analysis.addEventListener("shown", () => this.show());
    analysis.addEventListener("changed", () => this.show());
  }

  /** Show what is written at the move on show. */
  show() {
    const { node } = this.analysis;
    const start = node.parent === null;
    if (this.field.value !== node.note) this.field.value = node.note;
    byId("note-label").textContent = start
      ? phrase("note_start")
      : phrase("note_move", { move: node.move });
    this.marks.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(node.mark === MARKS[i]));
      /** @type {HTMLButtonElement} */ (button).disabled = start;
    });
    /** @type {HTMLButtonElement} */ (byId("promote")).disabled = branchOf(node) === null;
    /** @type {HTMLButtonElement} */ (byId("remove")).disabled = start;
  }

  /** @param {string} mark */
  toggleMark(mark) {
    const { node } = this.analysis;
    node.mark = node.mark === mark ? "" : mark;
    this.analysis.redraw();
  }

  /** Keep the note at once; the list is drawn anew when the writer rests. */
  writeNote() {
    this.analysis.node.note = this.field.value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.analysis.redraw(), REST);
  }

  promote() {
    const { tree, node } = this.analysis;
    tree.promote(node);
    this.analysis.redraw();
  }

  remove() {
    const { tree, node, view } = this.analysis;
    const parent = tree.remove(node);
    view.node = parent;
    this.analysis.redraw();
    this.analysis.goTo(parent);
  }
}
