/** The house: everything that a page asks of the server. */

import { say } from "./i18n.js";

/** @typedef {{move: string, touches: string[][]}} LegalMove */
/** @typedef {{winners: number[], reason: string, by: string | null, words: string}} Ending */
/**
 * @typedef {object} Scene
 * @property {number} ply
 * @property {string} position
 * @property {number | null} turn
 * @property {string | null} last
 * @property {string} status
 * @property {Ending | null} outcome
 * @property {LegalMove[] | null} legal
 * @property {string} svg
 */
/**
 * @typedef {object} SeatView
 * @property {number} seat
 * @property {"me" | "here" | "friend" | "engine"} kind
 * @property {number | null} level
 * @property {string} name
 * @property {string} called
 * @property {number} side
 * @property {boolean} claimed
 * @property {boolean} lent
 * @property {boolean} present
 * @property {number | null} lent_from when the engine may play for who has left
 * @property {boolean} mine
 */
/** @typedef {{matter: string, seat: number, about: number | null, wanted_of: number[]}} Offer */
/** @typedef {{left: number[], running: number | null, terms: {days: number | null}}} ClockView */
/**
 * @typedef {object} View
 * @property {string} id
 * @property {number} seq
 * @property {string} game
 * @property {string} title
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {SeatView[]} seats
 * @property {number[]} mine
 * @property {boolean} maker
 * @property {string[]} moves
 * @property {Scene} scene
 * @property {ClockView | null} clock
 * @property {Offer[]} offers
 * @property {number[]} resigning
 * @property {boolean} may_resign
 * @property {boolean} hints
 * @property {string | null} rematch
 * @property {number} now
 */
/** @typedef {{seat: number, kind: string, name: string, link: string | null}} SeatLink */

/** A request that was refused; the message is for people. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

let token = document.querySelector('meta[name="csrf"]')?.getAttribute("content") ?? "";

/**
 * Ask for something; a Refusal says why not.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers["X-CSRF-Token"] = token;
  if (body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Refusal(0, "unreachable", say("unreachable"));
  }
  if (answer.status === 204) return null;
  const kind = answer.headers.get("Content-Type") ?? "";
  const told = kind.startsWith("application/json") ? await answer.json() : await answer.text();
  if (!answer.ok) {
    throw new Refusal(answer.status, told.code ?? "", told.error ?? say("unreachable"));
  }
  if (told.csrf) token = told.csrf;
  return told;
}

/** @param {string} path */
export const get = (path) => ask("GET", path);

/**
 * @param {string} path
 * @param {object} body
 */
export const post = (path, body = {}) => ask("POST", path, body);
