/** Keeps what was analysed as a study on the server, and goes to its page. */

import { go } from "./address.js";
import { byId } from "./dom.js";
import { createStudy } from "./study_file.js";

export class KeepStudy {
  /** @param {import("./analysis_board.js").AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    byId("keep-study").addEventListener("click", () => this.keep());
  }

  /** Make a study with the tree on show as its first board. */
  async keep() {
    const { setup, tree } = this.analysis;
    const { game, options, start } = setup;
    const { note } = tree.root;
    const board = { game, title: "", options, position: start, nodes: tree.nodes(), note };
    try {
      go(await createStudy({ title: "", boards: [board] }));
    } catch (error) {
      this.analysis.showError(error);
    }
  }
}
