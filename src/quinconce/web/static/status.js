/** Whose turn it is: whether this screen may move, and how that is said. */

import { say } from "./i18n.js";

/** @typedef {import("./api.js").View} View */

const LONG = 4000; // milliseconds after which somebody wants to know what the engine is doing
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Whether somebody at this screen is to move.
 * @param {View} view
 */
export function mayMove(view) {
  const { turn } = view.scene;
  return turn !== null && view.mine.includes(turn) && view.seats[turn].kind !== "engine";
}

/**
 * Whether there is nothing to do but to pass.
 * @param {View["scene"]} scene
 */
export function mustPass(scene) {
  return scene.legal?.length === 1 && !scene.legal[0].touches.length;
}

/**
 * Whose turn it is or how the match ended, as this screen wants to hear it.
 * @param {View} view
 */
export function status(view) {
  const { outcome, turn } = view.scene;
  if (outcome || turn === null) return outcome?.words ?? view.scene.status;
  const seat = view.seats[turn];
  if (mayMove(view)) {
    if (mustPass(view.scene)) return say("must_pass");
    return view.mine.length > 1 ? say("your_turn_as", { player: seat.called }) : say("your_turn");
  }
  return say(seat.kind === "engine" ? "thinking" : "turn_of", { player: seat.called });
}

/**
 * Tell whoever waits for an engine for long why that may be.
 * @param {View} view
 * @param {(text: string) => void} tell
 */
export function soothe(view, tell) {
  clearTimeout(waiting);
  const { turn } = view.scene;
  const thinks = turn !== null && view.seats[turn].kind === "engine";
  if (thinks) waiting = setTimeout(() => tell(say("still_thinking")), LONG);
}
