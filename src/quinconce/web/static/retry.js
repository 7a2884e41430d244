/** Repeats requests that fail because the server cannot be reached, and says when. */

import { isTemporary } from "./api.js";

const FIRST_DELAY = 500; // milliseconds, at most, before the first repetition; then twice as long
const LONGEST_DELAY = 3000; // a page is right again soon after the server is back
export const FIRST_PATIENCE = 2500; // milliseconds in which the first attempt must be answered
const LONGEST_PATIENCE = 15_000; // a slow server is given more time, attempt by attempt

/**
 * How long to wait after a number of failures: drawn by lot, so that all the pages of a server
 * that starts again do not ask at the same moment.
 * @param {number} failures
 */
export function retryDelay(failures) {
  const longest = Math.min(FIRST_DELAY * 2 ** failures, LONGEST_DELAY);
  return longest * (0.1 + 0.9 * Math.random());
}

/**
 * Gives an attempt up that gets no answer: a lost request may hang for ever.
 * @param {number} failures how many attempts have failed before
 */
function patience(failures) {
  return AbortSignal.timeout(Math.min(FIRST_PATIENCE * 2 ** failures, LONGEST_PATIENCE));
}

/**
 * Wait; less if the network comes back, or the reader comes back to the page, or `signal` says so.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) return end();
    const until = { signal: over.signal };
    addEventListener("online", end, until);
    document.addEventListener("visibilitychange", () => document.hidden || end(), until);
    signal?.addEventListener("abort", end, until);
  });
}

/**
 * Repeat a request until the server answers; an answer that refuses is thrown.
 * @template T
 * @param {(patience: AbortSignal) => Promise<T>} request
 * @param {object} hooks
 * @param {() => boolean} [hooks.wanted] whether the answer is still of use
 * @param {(failed: boolean) => unknown} [hooks.onChange] is told of failures, and when they end
 * @returns {Promise<T | null>} null if the answer is no longer wanted
 */
export async function repeat(request, { wanted = () => true, onChange = () => {} }) {
  let failures = 0;
  try {
    for (; wanted(); failures += 1) {
      try {
        return await request(patience(failures));
      } catch (error) {
        if (!isTemporary(error)) throw error;
      }
      onChange(true);
      await pause(retryDelay(failures));
    }
    return null;
  } finally {
    if (failures) onChange(false);
  }
}
