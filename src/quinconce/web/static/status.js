/** Whose turn it is: whether a player at this screen may move, and the line that says so. */

import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").View} View */

/**
 * Whether a player at this screen is to move.
 * @param {View} view
 */
export function mayMove(view) {
  const { turn } = view.scene;
  return turn !== null && view.mine.includes(turn) && view.seats[turn].kind !== "engine";
}

/**
 * Whether a pass is the only legal move.
 * @param {View["scene"]} scene
 */
export function mustPass(scene) {
  return scene.legal?.length === 1 && !scene.legal[0].touches.length;
}

/**
 * The line under the board: whose turn it is, or how the match ended.
 * @param {View} view
 */
export function statusText(view) {
  const { outcome, turn } = view.scene;
  if (outcome || turn === null) return outcome?.words ?? view.scene.status;
  const player = view.seats[turn].called;
  if (mayMove(view)) {
    if (mustPass(view.scene)) return phrase("must_pass");
    return view.mine.length > 1 ? phrase("your_turn_as", { player }) : phrase("your_turn");
  }
  return phrase(view.seats[turn].kind === "engine" ? "thinking" : "turn_of", { player });
}
