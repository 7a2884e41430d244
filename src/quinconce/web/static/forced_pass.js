/** Passes for a player at this screen who has no other move, after a moment in which they see why. */

import { mayMove, mustPass } from "./status.js";

/** @typedef {import("./api.js").View} View */

const MOMENT = 1800; // milliseconds to read why

export class ForcedPass {
  /** @param {(move: string) => unknown} play */
  constructor(play) {
    this.play = play;
    this.seq = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * @param {View} view
   * @param {boolean} lookingBack whether the page shows an earlier position
   */
  show(view, lookingBack) {
    const due = !lookingBack && mayMove(view) && mustPass(view.scene);
    if (due && this.timer !== undefined && this.seq === view.seq) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!due) return;
    this.seq = view.seq;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.play(view.scene.legal?.[0].move ?? "");
    }, MOMENT);
  }
}
