/** The line under the board: the last move in words, or for a while what else there is to say. */

import { byId } from "./dom.js";

/** @typedef {import("./api.js").Scene} Scene */

export class Commentary {
  constructor() {
    this.told = ""; // the last move
    this.key = "";
  }

  /**
   * Tell the move that led to a position; what was said before holds no longer once it changes.
   * @param {Scene} scene
   * @param {boolean} [practice] whether something better is looked for there
   */
  show(scene, practice = false) {
    const key = JSON.stringify([scene.ply, scene.told, scene.outcome, practice]);
    if (key === this.key) return;
    this.key = key;
    if (scene.outcome) byId("wrong").textContent = "";
    this.told = scene.told ? `${scene.told} · ${scene.last}` : "";
    this.say("");
  }

  /** @param {string} text an empty one gives way to the last move */
  say(text) {
    byId("whisper").textContent = text || this.told;
    if (text) byId("wrong").textContent = "";
  }
}
