/** The search of a move that somebody tries in a review, on this device. */

import { ApiError, post } from "./api.js";
import { DeviceSearch, linesToSend } from "./device_search.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./device_search.js").SearchReport} SearchReport */
/** @typedef {import("./review.js").PlyView} PlyView */

export class AttemptSearch {
  /** @type {(found: SearchReport | null) => void} */
  settle = () => {};

  constructor() {
    this.device = new DeviceSearch({
      onReport: (found) => this.settle(found),
      onFailure: () => this.settle(null),
      onReturn: () => this.settle(null),
    });
  }

  /**
   * What this device finds after a move, for the server to judge it by. Null where the server needs
   * nothing from here, where this device cannot, and where the rules refuse the move: the server
   * says so when it is asked to judge it.
   * @param {View} view
   * @param {PlyView} mistake instead of which it is tried
   * @param {string} move
   */
  async find(view, mistake, move) {
    const isKnown = mistake.proven_before !== null || [mistake.move, mistake.best].includes(move);
    if (isKnown || !this.device.able) return null;
    try {
      const body = { ...lineOf(view, mistake, [move]), search: true };
      const { search } = await post("/api/explore", body);
      const found = search ? await this.look(search) : null;
      return found && { depth: found.depth, seen: found.seen, lines: linesToSend(found) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null;
    }
  }

  /**
   * @param {import("./device_search.js").PageSearch} search
   * @returns {Promise<SearchReport | null>}
   */
  look(search) {
    this.settle(null);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.device.review(search);
    });
  }

  /** Give everything back. */
  close() {
    this.device.close();
    this.settle(null);
  }
}

/**
 * The position before a mistake, or after other moves there, as the server is asked for it.
 * @param {View} view
 * @param {PlyView} mistake
 * @param {string[]} tried
 */
export function lineOf({ game, options, start, moves }, { ply }, tried) {
  return { game, options, position: start, moves: [...moves.slice(0, ply - 1), ...tried] };
}
