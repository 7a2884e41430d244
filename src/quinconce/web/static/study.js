/** The page of a study: its boards to read, and for who has opened the link to edit, to write. */

import { go, here, replaceAddress } from "./address.js";
import { AnalysisBoard } from "./analysis_board.js";
import { ApiError } from "./api.js";
import { BoardArrows } from "./board_arrows.js";
import { askToConfirm, byId, inputById } from "./dom.js";
import { EngineLines } from "./engine_lines.js";
import { phrase } from "./i18n.js";
import { NoteEditor } from "./note_editor.js";
import { ProvenValues } from "./proven.js";
import { ProvenMoves } from "./proven_moves.js";
import { copyText } from "./seat_links.js";
import { SharePanel } from "./share.js";
import { StudyBoards } from "./study_boards.js";
import { StudyFile, createStudy } from "./study_file.js";
import { VariationTree } from "./variation_tree.js";

const SECRET = /^#[\w-]{22}$/;

class StudyPage {
  unsaved = false;
  editable = false;
  conflict = false; // whether somebody else has written since this page was opened
  known = { tree: new VariationTree(), said: "" }; // what the list of moves has shown

  constructor() {
    const analysis = (this.analysis = new AnalysisBoard());
    this.boards = new StudyBoards(analysis);
    this.title = inputById("study-title");
    this.save = /** @type {HTMLButtonElement} */ (byId("save"));
    this.file = new StudyFile(here().pathname.split("/")[2], "");
    const arrows = new BoardArrows(analysis);
    new NoteEditor(analysis);
    new EngineLines(analysis, arrows);
    new ProvenValues(analysis.view, () => analysis.provenLine);
    new ProvenMoves(analysis, arrows);
    new SharePanel(() => {
      const { line, scene, flipped } = analysis;
      const embed = `/embed/study/${this.file.id}?board=${this.boards.shown + 1}`;
      return { ...line, position: scene?.position ?? "", flipped, embed };
    });
    this.title.addEventListener("input", () => this.change());
    this.boards.addEventListener("changed", () => this.change());
    this.boards.addEventListener("chosen", () => this.show());
    analysis.addEventListener("changed", () => this.compare());
    this.save.addEventListener("click", () => this.write());
    byId("keep-copy").addEventListener("click", () => this.copy());
    byId("delete-study").addEventListener("click", () => this.delete());
    byId("replace-edit-link").addEventListener("click", () => this.replaceLink());
    byId("copy-link").addEventListener("click", () => this.share(this.readLink()));
    byId("copy-edit-link").addEventListener("click", () => this.share(this.file.editLink));
    addEventListener("hashchange", () => this.open());
    addEventListener("beforeunload", (event) => this.unsaved && event.preventDefault());
  }

  /** Open the study that the address names, to write if its secret was opened in this browser. */
  async open() {
    const { hash, search } = here();
    if (SECRET.test(hash)) this.file.secret = hash.slice(1);
    else this.file.recall();
    try {
      const view = await this.readOrWatch();
      this.editable = view.editable;
      // Whoever looks at the screen or into the history does not get the secret.
      if (view.editable && this.file.remember()) this.showAddress("");
      this.title.value = view.title;
      const number = Number(new URLSearchParams(search).get("board") ?? 1) - 1;
      await this.boards.open(view.boards, number || 0);
      this.setUnsaved(false);
      if (hash && !view.editable) byId("wrong").textContent = phrase("study_secret_wrong");
    } catch (error) {
      this.analysis.showError(error);
    }
  }

  /** The study; where the secret is wrong, as everybody sees it. */
  async readOrWatch() {
    try {
      return await this.file.read();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.file.secret = "";
      if (!location.hash) this.file.remember(); // that the one kept here was replaced
      return this.file.read();
    }
  }

  /** Something on this page has changed, and the server does not know it yet. */
  change() {
    if (this.editable) this.setUnsaved(true);
    this.show();
  }

  /** The list of moves was drawn anew: because the tree has changed, or a board was opened. */
  compare() {
    const { tree } = this.analysis;
    const said = JSON.stringify([tree.root.note, tree.nodes()]);
    const changed = tree === this.known.tree && said !== this.known.said;
    this.known = { tree, said };
    if (changed) this.change();
  }

  /** @param {boolean} unsaved */
  setUnsaved(unsaved) {
    this.unsaved = unsaved;
    this.save.disabled = !unsaved;
    byId("save-state").textContent = unsaved ? phrase("study_unsaved") : "";
  }

  /** What the study says now. */
  content() {
    return { title: this.title.value.trim(), boards: this.boards.data() };
  }

  async write() {
    byId("wrong").textContent = "";
    const content = this.content();
    this.save.disabled = true;
    try {
      await this.file.write(content);
      this.compare();
      this.setUnsaved(JSON.stringify(content) !== JSON.stringify(this.content()));
      if (!this.unsaved) byId("save-state").textContent = phrase("study_saved");
      this.conflict = false;
      this.show();
    } catch (error) {
      this.save.disabled = false;
      this.conflict = error instanceof ApiError && error.code === "changed";
      this.analysis.showError(error);
      this.show();
    }
  }

  /** Keep what is on this page as another study, and go there. */
  async copy() {
    try {
      const path = await createStudy(this.content());
      this.unsaved = false;
      go(path);
    } catch (error) {
      this.analysis.showError(error);
    }
  }

  async delete() {
    if (!(await askToConfirm("delete"))) return;
    try {
      await this.file.delete();
      this.unsaved = false;
      go("/analysis");
    } catch (error) {
      this.analysis.showError(error);
    }
  }

  /** Make a new link to edit, and copy it; the old one lets nobody edit any more. */
  async replaceLink() {
    if (!(await askToConfirm("replace"))) return;
    try {
      await this.file.replaceSecret();
      this.showAddress("");
      await this.share(this.file.editLink);
    } catch (error) {
      this.analysis.showError(error);
    }
  }

  /** @param {string} link */
  share(link) {
    return copyText(link, byId("shared"));
  }

  /** The address for readers, with the board on show. */
  readLink() {
    const { shown } = this.boards;
    return shown ? `${this.file.link}?board=${shown + 1}` : this.file.link;
  }

  /** Show what this reader may do, and which board it is. */
  show() {
    const { shown, all } = this.boards;
    const { setup } = this.analysis;
    const title = this.title.value.trim() || phrase("study");
    byId("study-heading").textContent = title;
    document.title = `${title} · Quinconce`;
    for (const part of document.querySelectorAll("[data-for]")) {
      const forEditor = part.getAttribute("data-for") === "editor";
      /** @type {HTMLElement} */ (part).hidden = forEditor !== this.editable;
    }
    const notes = document.querySelector(".move-notes");
    if (notes instanceof HTMLElement) notes.hidden = !this.editable;
    byId("keep-copy").hidden = this.editable && !this.conflict;
    byId("download").setAttribute("href", this.file.recordPath(shown));
    byId("download").hidden = this.unsaved;
    const query = new URLSearchParams(setup.options);
    byId("rules-panel").dataset.rules = `/rules/${setup.game}/short?${query}`;
    this.showAddress(location.hash, all.length > 1 && shown ? `?board=${shown + 1}` : "");
  }

  /**
   * @param {string} hash
   * @param {string} search
   */
  showAddress(hash, search = here().search) {
    replaceAddress(`${here().pathname}${search}${hash}`);
  }
}

new StudyPage().open();
