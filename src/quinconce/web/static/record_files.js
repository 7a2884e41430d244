/** Opens records, from a file or pasted, and gives what was analysed away: as a file or a link. */

import { pageAddress } from "./address.js";
import { lineQuery, treeFragment } from "./analysis_address.js";
import { post } from "./api.js";
import { byId, element, inputById, onSubmit } from "./dom.js";
import { phrase } from "./i18n.js";
import { copyText } from "./seat_links.js";
import { VariationTree, lineThrough } from "./variation_tree.js";

/** @typedef {import("./analysis_board.js").AnalysisBoard} AnalysisBoard */

export class RecordFiles {
  /** @param {AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    onSubmit("paste", () => this.open(inputById("record").value));
    inputById("file").addEventListener("change", async () => {
      const file = inputById("file").files?.[0];
      if (file) this.open(await file.text());
    });
    byId("copy-link").addEventListener("click", () => this.copyLink());
    byId("save").addEventListener("click", () => this.save());
    if (location.hash === "#file") byId("open-record").setAttribute("open", "");
  }

  /** @param {string} record */
  async open(record) {
    const { analysis } = this;
    byId("wrong").textContent = "";
    try {
      const answer = await post("/api/explore", { record });
      const { game, options, start, seats, moves, nodes, note } = answer;
      const tree = nodes ? VariationTree.fromNodes(nodes, note) : VariationTree.fromLine(moves);
      const end = lineThrough(tree.root).at(-1) ?? tree.root;
      await analysis.open({ game, options, start, names: seats }, tree, end);
      analysis.commentary.say(phrase("read", { n: tree.size }));
    } catch (error) {
      analysis.showError(error);
    }
  }

  /** Save the whole tree as a record. */
  async save() {
    const { analysis } = this;
    try {
      const { record } = await post("/api/variations", treeBody(analysis));
      const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
      const name = `${analysis.setup.game}.quinconce`;
      element("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000); // once the file has been written
    } catch (error) {
      analysis.showError(error);
    }
  }

  /** Copy the address of the line on show, with the whole tree if it is small enough. */
  async copyLink() {
    const { analysis } = this;
    const fragment = await treeFragment(analysis);
    const address = new URL(pageAddress(`/analysis?${lineQuery(analysis)}`), location.href);
    address.hash = fragment ?? "";
    await copyText(address.href, byId("shared"));
    if (fragment === null) byId("shared").textContent = phrase("link_too_long");
  }
}

/**
 * The whole tree as the API takes it.
 * @param {Pick<AnalysisBoard, "setup" | "tree">} analysis
 */
export function treeBody({ setup, tree }) {
  const { game, options, start, names = [] } = setup;
  return { game, options, position: start, nodes: tree.nodes(), note: tree.root.note, names };
}
