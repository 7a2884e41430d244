/** The door to the API, on a server or on this device, and the types of its answers. */

import { site } from "./address.js";
import { pageData } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {{move: string, touches: string[][], stops?: string[]}} LegalMove */
/** @typedef {{touched: string[], places: string[], move: string | null}} Narrowed */
/**
 * @typedef {object} Outcome
 * @property {number[]} winners
 * @property {string} reason
 * @property {string | null} by
 * @property {string} words
 * @property {string} told the words for the player at this screen
 */
/**
 * @typedef {object} Guidance
 * @property {string} prompt
 * @property {string | null} aim
 * @property {Record<string, string>} choose
 * @property {Record<string, string[]>} hindrances
 */
/** @typedef {{what: string, n: number, words: string}} Tally */
/**
 * @typedef {object} Scene
 * @property {number} ply
 * @property {string} position
 * @property {number | null} turn
 * @property {string | null} last
 * @property {string} status
 * @property {Outcome | null} outcome
 * @property {LegalMove[] | null} legal
 * @property {Narrowed | null} narrowed where there are too many moves to list
 * @property {string} svg
 * @property {string | null} told
 * @property {string[]} notices
 * @property {Tally[][]} tallies
 * @property {Guidance | null} guidance
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
 * @property {number | null} lent_from when the engine may play for an absent player
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
 * @property {boolean} far_side whether the reader plays on the far side of the board
 * @property {boolean} maker
 * @property {string[]} moves
 * @property {Scene} scene
 * @property {ClockView | null} clock
 * @property {Offer[]} offers
 * @property {number[]} resigning
 * @property {boolean} may_resign
 * @property {boolean} may_take_back
 * @property {boolean} hints
 * @property {string | null} rematch
 * @property {number} now
 */
/** @typedef {{seat: number, kind: string, name: string, link: string | null}} SeatLink */

/** The server refuses a request, or does not answer; the message is for people. */
export class ApiError extends Error {
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

/**
 * Whether an error may pass by itself: the server cannot be reached, is starting or is busy.
 * @param {unknown} error
 * @returns {error is ApiError}
 */
export function isTemporary(error) {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

// Inside another site nobody is known: no cookie is sent, and the page says its language itself.
const isEmbedded = "embedded" in document.documentElement.dataset;
/** @type {RequestCredentials} */
const credentials = isEmbedded ? "omit" : "same-origin";
/** @type {Record<string, string>} */
const languageHeader =
  isEmbedded || site ? { "Accept-Language": document.documentElement.lang } : {};

// Answers to the first questions of a page in the folder, which it brings along.
/** @type {Record<string, object>} by method, path and body */
const broughtAlong = (site && pageData("answers")) ?? {};

/**
 * Ask whatever answers this page: the server, or Python on this device; no page knows which.
 * @param {string} path
 * @param {RequestInit & {headers?: Record<string, string>, body?: string}} [init]
 * @returns {Promise<Response>}
 */
export async function ask(path, init = {}) {
  const headers = { ...languageHeader, ...init.headers };
  if (!site) return fetch(path, { credentials, ...init, headers });
  const known = broughtAlong[`${init.method ?? "GET"} ${path} ${init.body ?? ""}`.trim()];
  if (known) return Response.json(known);
  const { askDevice } = await import("./device.js");
  return askDevice(path, { ...init, headers });
}

let token = document.querySelector('meta[name="csrf"]')?.getAttribute("content") ?? "";

/**
 * Send a request.
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers beside those that every request has
 * @param {object} [body]
 * @param {AbortSignal} [signal] gives the request up
 */
function send(method, path, headers, body, signal) {
  headers = { ...headers };
  if (token) headers["X-CSRF-Token"] = token;
  if (body) headers["Content-Type"] = "application/json";
  return ask(path, { method, headers, signal, body: body && JSON.stringify(body) });
}

/**
 * Send a request; returns the answer, or throws an ApiError.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal] gives the request up
 * @param {Record<string, string>} [more] further headers
 * @returns {Promise<any>}
 */
export async function request(method, path, body, signal, more = {}) {
  let response, answer;
  try {
    response = await send(method, path, { Accept: "application/json", ...more }, body, signal);
    const type = response.headers.get("Content-Type") ?? "";
    const json = type.startsWith("application/json") && response.status !== 204;
    answer = json ? await response.json() : await response.text();
  } catch {
    // Also an answer that is cut off in the middle.
    throw new ApiError(0, "unreachable", phrase("unreachable"));
  }
  if (response.status === 204) return null;
  if (!response.ok) {
    throw new ApiError(response.status, answer.code ?? "", answer.error ?? phrase("unreachable"));
  }
  if (answer.csrf) token = answer.csrf;
  return answer;
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const get = (path, signal) => request("GET", path, undefined, signal);

/**
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
export const post = (path, body = {}, signal) => request("POST", path, body, signal);

/**
 * Post, and read the answer line by line as it comes: each is JSON. Throws an ApiError if the
 * server refuses, or if the stream breaks.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any>}
 */
export async function* postForLines(path, body, signal) {
  const broken = () => new ApiError(0, "unreachable", phrase("unreachable"));
  const headers = { Accept: "application/x-ndjson" };
  const response = await send("POST", path, headers, body, signal).catch(() => null);
  if (!response?.body) throw broken();
  if (!response.ok) {
    const answer = await response.json().catch(() => ({}));
    throw new ApiError(response.status, answer.code ?? "", answer.error ?? phrase("unreachable"));
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: "" }));
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}
