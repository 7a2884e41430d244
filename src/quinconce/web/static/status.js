/** Whose turn it is: whether a player at this screen may move, and the line that says so. */

import { byId, element } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").Scene} Scene */

/**
 * Whether a player at this screen is to move.
 * @param {View} view
 */
export function mayMove(view) {
  const { turn } = view.scene;
  return turn !== null && view.mine.includes(turn) && view.seats[turn].kind !== "engine";
}

/**
 * Whether people at this screen play all seats.
 * @param {View} view
 */
export function isPlayedHere({ seats, mine }) {
  return seats.every(({ kind }, seat) => mine.includes(seat) && kind !== "engine");
}

/**
 * Whether a pass is the only legal move.
 * @param {View["scene"]} scene
 */
export function mustPass(scene) {
  return scene.legal?.length === 1 && !scene.legal[0].touches.length;
}

/**
 * Whose turn it is, or how the match ended.
 * @param {View} view
 */
export function statusText(view) {
  const { outcome, turn } = view.scene;
  if (outcome || turn === null) return outcome?.told ?? view.scene.status;
  const player = view.seats[turn].called;
  if (mayMove(view)) {
    return view.mine.length > 1 ? phrase("your_turn_as", { player }) : phrase("your_turn_now");
  }
  return phrase(view.seats[turn].kind === "engine" ? "thinking" : "turn_of", { player });
}

/**
 * Show whose turn it is, what to do, at first how to win, and what will end the game soon.
 * @param {View} view
 * @param {Scene | null} past an earlier position, if the page shows one
 * @param {Pick<import("./move_list.js").MoveList, "label">} moveList which numbers the moves
 */
export function showStatus(view, past, moveList) {
  const status = byId("status");
  const scene = past ?? view.scene;
  const before = past && (past.ply ? moveList.label("looking_back", past.ply) : phrase("at_start"));
  const told = before ?? statusText(view);
  const guidance = !past && mayMove(view) ? scene.guidance : null;
  const lines = { turn: told, prompt: guidance?.prompt, notice: scene.notices.join(" ") };
  const key = JSON.stringify(lines);
  if (key !== status.dataset.shown) {
    status.dataset.shown = key; // the same again is not read out again
    const spans = Object.entries(lines).filter(([, text]) => text);
    status.replaceChildren(
      ...spans.flatMap(([name, text]) => [element("span", { class: name }, text ?? ""), " "]),
    );
  }
  status.classList.toggle("mine", !past && mayMove(view));
  // While others move, the aim stays: nothing jumps.
  if (guidance || past || scene.outcome) byId("aim").textContent = guidance?.aim ?? "";
}

/**
 * Lead from the position on show to the analysis board; once the match is over, from beside it.
 * @param {View} view
 * @param {number} ply
 */
export function showAnalysisLinks({ id, scene }, ply) {
  for (const link of [byId("analysis"), byId("analyse")]) {
    link.setAttribute("href", `/analysis?match=${id}&ply=${ply}`);
  }
  byId("analyse").hidden = scene.outcome === null;
}
