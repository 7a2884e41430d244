/** Opens records, from a file or pasted, and shares what was analysed: a link. */

import { lineQuery, treeFragment } from "./analysis_address.js";
import { post } from "./api.js";
import { byId, inputById, onSubmit } from "./dom.js";
import { phrase } from "./i18n.js";
import { copyText } from "./seat_links.js";
import { VariationTree } from "./variation_tree.js";

export class RecordFiles {
  /** @param {import("./analysis_board.js").AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    onSubmit("paste", () => this.open(inputById("record").value));
    inputById("file").addEventListener("change", async () => {
      const file = inputById("file").files?.[0];
      if (file) this.open(await file.text());
    });
    byId("copy-link").addEventListener("click", () => this.copyLink());
    if (location.hash === "#file") byId("open-record").setAttribute("open", "");
  }

  /** @param {string} record */
  async open(record) {
    const { analysis } = this;
    byId("wrong").textContent = "";
    try {
      const { game, options, start, moves } = await post("/api/explore", { record });
      const tree = VariationTree.fromLine(moves);
      await analysis.open({ game, options, start }, tree, tree.playAll(moves));
      analysis.commentary.say(phrase("read", { n: moves.length }));
    } catch (error) {
      analysis.showError(error);
    }
  }

  /** Copy the address of the line on show, with the whole tree if it is small enough. */
  async copyLink() {
    const { analysis } = this;
    const fragment = await treeFragment(analysis);
    const address = new URL(`?${lineQuery(analysis)}`, location.href);
    address.hash = fragment ?? "";
    await copyText(address.href, byId("shared"));
    if (fragment === null) byId("shared").textContent = phrase("link_too_long");
  }
}
