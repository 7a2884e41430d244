/** Sends what a player does, again and again until the server has it, and lets it happen once. */

import { ApiError, get, isTemporary, post } from "./api.js";
import { pause, retryDelay } from "./retry.js";

/** @typedef {import("./api.js").View} View */
/**
 * @typedef {object} Act
 * @property {string} what the last part of the path
 * @property {Record<string, any>} body with the `seq` that was the last when the player did it
 * @property {number} plies how many moves had been played then
 * @property {AbortController} waiting ends the wait before the next attempt
 * @property {string} why it cannot be kept, if that is known
 */
/**
 * @typedef {object} Page
 * @property {View} view
 * @property {string} path
 * @property {string} query
 * @property {(view: View) => void} update
 */

const STALE_TRIES = 5; // how often a move may meet an event that leaves the position alone
const NO_ROOM = 507; // the status of an answer that says what to do about it
const PATIENCE = 5000; // milliseconds in which an act must be answered

/** Dispatches `change` when an act could not be sent, and when it is no longer waiting. */
export class Outbox extends EventTarget {
  /** @param {Page} page */
  constructor(page) {
    super();
    this.page = page;
    /** @type {Act[]} the acts that have not reached the server, so far as the page knows */
    this.unsent = [];
  }

  /**
   * Post an act to the match. An act that is sent twice, because its answer was lost, happens once:
   * the server knows it by its `seq`. A new act takes the place of an unsent one of its kind.
   * @param {string} what
   * @param {object} body
   * @returns {Promise<any>} the answer; null if the act was given up
   */
  async send(what, body) {
    for (const other of this.unsent.filter((act) => act.what === what)) this.discard(other);
    const { view } = this.page;
    /** @type {Act} */
    const act = {
      what,
      body: { seq: view.seq, ...body },
      plies: view.moves.length,
      waiting: new AbortController(),
      why: "",
    };
    for (let failures = 0; ; failures += 1) {
      try {
        const answer = await this.post(act);
        this.remove(act);
        return answer;
      } catch (error) {
        // What the server itself fails at, it would fail at again.
        if (!isTemporary(error) || error.status === 500) {
          this.remove(act);
          throw error;
        }
        act.why = error.status === NO_ROOM ? error.message : "";
      }
      if (!failures) this.add(act);
      act.waiting = new AbortController();
      await pause(retryDelay(failures), act.waiting.signal);
      if (!this.unsent.includes(act)) return null;
    }
  }

  /**
   * Post an act once. A move that crosses an event which leaves the position alone, such as an
   * offer, is posted again.
   * @param {Act} act
   */
  async post(act) {
    const { page } = this;
    for (let tries = STALE_TRIES; ; tries -= 1) {
      try {
        const path = `${page.path}/${act.what}${page.query}`;
        return await post(path, act.body, AbortSignal.timeout(PATIENCE));
      } catch (error) {
        const stale = error instanceof ApiError && error.code === "stale";
        if (!stale || act.what !== "moves" || !tries) throw error;
        page.update(await get(page.path + page.query));
        if (page.view.moves.length !== act.plies) throw error;
        act.body.seq = page.view.seq;
      }
    }
  }

  /**
   * Forget unsent moves of positions that are gone: the answer was lost, or the match has gone on.
   * @param {View} view
   */
  forgetPast(view) {
    for (const act of this.unsent) {
      if (act.what === "moves" && act.plies !== view.moves.length) this.discard(act);
    }
  }

  /** @param {Act} act */
  sendNow(act) {
    act.waiting.abort();
  }

  /** @param {Act} act */
  discard(act) {
    this.remove(act);
    act.waiting.abort();
  }

  /** @param {Act} act */
  add(act) {
    this.unsent = [...this.unsent, act];
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Act} act */
  remove(act) {
    if (!this.unsent.includes(act)) return;
    this.unsent = this.unsent.filter((other) => other !== act);
    this.dispatchEvent(new Event("change"));
  }
}
