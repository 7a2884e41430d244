/** Remarks in a game against the first level: asks for them after each move, and shows one. */

import { ApiError, get } from "./api.js";
import { kept } from "./browser_storage.js";
import { byId } from "./dom.js";
import { repeat } from "./retry.js";

/** @typedef {import("./api.js").View} View */

const KEY = "remarks";
const FIRST_LEVEL = 1; // at which players learn
const REPLY_TIME = 600; // milliseconds in which an engine of this level has replied, as a rule

/** Whether the reader wants remarks; they are on until somebody turns them off. */
const areWanted = () => kept.read(KEY) !== "no";

/** @param {boolean} wanted */
export const wantRemarks = (wanted) => kept.write(KEY, wanted ? "yes" : "no");

/**
 * Whether remarks are made in a match: to one player, against engines of the first level.
 * @param {View} view
 */
function fits({ seats, mine, hints }) {
  const others = seats.filter((seat) => !seat.mine);
  const weak = others.every((seat) => seat.kind === "engine" && seat.level === FIRST_LEVEL);
  return hints && mine.length === 1 && others.length > 0 && weak;
}

export class Remarks {
  asked = -1; // the seq of the event after which a remark was asked for
  ply = -1; // after which the line says what it says
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  /** @param {import("./match.js").MatchPage} page */
  constructor(page) {
    this.page = page;
    this.line = byId("remark");
    this.button = /** @type {HTMLElement} */ (document.querySelector("[data-act=remarks]"));
    this.button.addEventListener("click", () => {
      wantRemarks(!areWanted());
      this.asked = -1;
      this.show();
    });
  }

  /** Whether the page shows remarks now. */
  get shown() {
    const { view, past, practice, review } = this.page;
    const reviewed = Boolean(review?.told && review.told.state !== "none");
    return fits(view) && areWanted() && !past && !practice && !reviewed;
  }

  /** Show the switch, and ask for a remark on what is new. */
  show() {
    const { view } = this.page;
    this.button.hidden = !fits(view);
    this.button.setAttribute("aria-pressed", String(areWanted()));
    if (!this.shown || this.ply !== view.moves.length) this.say("");
    if (!this.shown) this.asked = -1;
    if (!this.shown || this.asked === view.seq) return;
    this.asked = view.seq;
    clearTimeout(this.timer);
    const { turn } = view.scene;
    // Its reply would take back at once what is said of one's own move.
    const waits = turn !== null && !view.mine.includes(turn);
    this.timer = setTimeout(() => this.ask(view.seq), waits ? REPLY_TIME : 0);
  }

  /** @param {number} seq */
  async ask(seq) {
    const wanted = () => this.shown && this.page.view.seq === seq;
    const read = (/** @type {AbortSignal} */ signal) => get(`${this.page.path}/remark`, signal);
    try {
      const answer = await repeat(read, { wanted });
      if (answer && wanted() && answer.seq === seq) this.say(answer.words ?? "");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // a game goes on without remarks
    }
  }

  /** @param {string} text */
  say(text) {
    this.ply = this.page.view.moves.length;
    if (this.line.textContent !== text) this.line.textContent = text;
  }
}
