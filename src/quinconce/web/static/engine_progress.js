/** Tells what the engine is doing, while somebody waits for it. */

import { ApiError, get } from "./api.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {{state: string, words: string | null, seq: number | null}} EngineView */

const FIRST_LOOK = 1200; // milliseconds of waiting after which the server is asked
const PATIENCE = 4000; // milliseconds after which thinking is explained, too
const INTERVAL = 1000; // milliseconds between two looks

/** What the page of a match waits for now: the event that it knows, or nothing. */
let waitingSince = "";
let stopWatching = () => {};

/**
 * Tell again and again what the engine does, until the returned function is called. A question
 * that is lost is asked again: the server may be starting anew.
 * @param {string} path where the server says what the engine does
 * @param {(text: string) => void} tell
 * @param {(answer: EngineView) => void} [onAnswer]
 */
export function watchEngine(path, tell, onAnswer) {
  const started = Date.now();
  let told = "";
  let stopped = false;
  let timer = setTimeout(look, FIRST_LOOK);

  async function look() {
    const answer = await ask(path);
    if (stopped) return;
    const due = answer?.state === "away" || Date.now() - started >= PATIENCE;
    if (answer?.words && due && answer.words !== told) {
      told = answer.words;
      tell(told);
    }
    timer = setTimeout(look, INTERVAL);
    if (answer) onAnswer?.(answer);
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/**
 * @param {string} path
 * @returns {Promise<EngineView | null>} null if the server does not answer
 */
async function ask(path) {
  try {
    return await get(path);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/**
 * Tell what the engine does until something has come that needs it.
 * @template T
 * @param {Promise<T>} answer
 * @param {string} path
 * @param {(text: string) => void} tell
 * @returns {Promise<T>}
 */
export async function whileWaiting(answer, path, tell) {
  const stop = watchEngine(path, tell);
  try {
    return await answer;
  } finally {
    stop();
  }
}

/**
 * Tell what the engine of a match does as long as the match waits for it; if the match has gone on
 * and the page does not know it, the page reads it anew.
 * @param {import("./match.js").MatchPage} page
 */
export function explainSlowEngine(page) {
  const { view, board } = page;
  const waits = waitsForEngine(view) ? `${view.id} ${view.seq}` : "";
  if (waits === waitingSince) return;
  waitingSince = waits;
  stopWatching();
  stopWatching = () => {};
  if (!waits) return;
  const tell = (/** @type {string} */ text) => board.announce(text);
  stopWatching = watchEngine(`${page.path}/engine`, tell, ({ seq }) => {
    if (seq !== null && seq > view.seq) page.connection.refresh();
  });
}

/**
 * Whether an engine is to move, or to answer an offer.
 * @param {View} view
 */
function waitsForEngine({ scene, seats, offers }) {
  const wanted = [scene.turn ?? -1, ...offers.flatMap((offer) => offer.wanted_of)];
  return !scene.outcome && wanted.some((seat) => seats[seat]?.kind === "engine");
}
