/** Chooses the game to analyse, and its options. */

import { byId, element, pageData } from "./dom.js";

/** @typedef {{name: string, label: string, values: Record<string, string>}} Option */

export class GameChoice {
  /** @param {import("./analysis_board.js").AnalysisBoard} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    /** @type {Record<string, Option[]>} */
    this.games = pageData("games");
    this.select = /** @type {HTMLSelectElement} */ (byId("game-select"));
    this.fields = byId("option-fields");
    this.select.addEventListener("change", () => {
      const { game = "", ...options } = Object.fromEntries(new URLSearchParams(this.select.value));
      this.open(game, options);
    });
    this.fields.addEventListener("change", () => {
      const chosen = [...this.fields.querySelectorAll("select")].map((s) => [s.name, s.value]);
      this.open(this.analysis.setup.game, Object.fromEntries(chosen));
    });
  }

  /** The game that the menu shows. */
  get game() {
    return new URLSearchParams(this.select.value).get("game") ?? "";
  }

  /**
   * @param {string} game
   * @param {Record<string, string>} options
   */
  async open(game, options) {
    await this.analysis.open({ game, options, start: null });
    this.show(); // a combination that no rules are for is taken back
  }

  /** Show the game and the options of the position on show. */
  show() {
    const { game, options } = this.analysis.setup;
    const here = new Map(Object.entries({ ...options, game }));
    for (const choice of this.select.options) {
      const wanted = [...new URLSearchParams(choice.value)];
      if (wanted.every(([key, value]) => here.get(key) === value)) choice.selected = true;
    }
    this.fields.replaceChildren(
      ...(this.games[game] ?? []).map((option) => optionField(option, options[option.name])),
    );
    byId("options").hidden = !this.games[game]?.length;
  }
}

/**
 * @param {Option} option
 * @param {string} chosen
 */
function optionField({ name, label, values }, chosen) {
  const id = `option-${name}`;
  const offered = chosen in values ? values : { ...values, [chosen]: `${label} ${chosen}` };
  const select = element("select", { id, name });
  for (const [value, words] of Object.entries(offered)) {
    const choice = element("option", { value }, words);
    if (value === chosen) choice.setAttribute("selected", "");
    select.append(choice);
  }
  return element("p", { class: "option-field" }, element("label", { for: id }, label), select);
}
