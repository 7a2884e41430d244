/** Python on this device: a worker that answers requests as a server would. */

import { handedOn } from "./browser_storage.js";
import { showComplaint, showProgress } from "./device_progress.js";

/**
 * @typedef {object} Message what the worker says; without a number it is about itself
 * @property {number} [id] of the request
 * @property {number} [status] with which an answer begins
 * @property {Record<string, string>} [headers]
 * @property {Uint8Array<ArrayBuffer>} [chunk] of the body
 * @property {boolean} [end] of the body
 * @property {string} [fault] why there is no answer, or no more of it
 * @property {number} [ready] the share of Python that is there; 1 when it answers
 * @property {string} [unkept] all entries, where the browser keeps nothing
 * @property {Record<string, string>} [complaint] what there is to say of what is kept, by language
 */
/**
 * @typedef {object} Waiting
 * @property {(answer: Response) => unknown} resolve
 * @property {(error: Error) => unknown} reject
 * @property {ReadableStreamDefaultController<Uint8Array>} [body]
 */

/** @type {Map<number, Waiting>} by the number of the request */
const waiting = new Map();
let last = 0;
/** @type {MessagePort | Worker | null} */
let port = null;

/**
 * A worker for all pages; null where the browser has none, or keeps nothing and so shares nothing.
 * @param {URL} address
 * @param {WorkerOptions} options
 */
function openShared(address, options) {
  try {
    return new SharedWorker(address, options);
  } catch {
    return null;
  }
}

/**
 * The worker. Pages share one where the browser has such workers, so that it lives on from page
 * to page, and tabs never know different things; elsewhere each page has its own.
 */
function openPort() {
  if (port) return port;
  const address = new URL("./device_worker.js", import.meta.url);
  /** @type {WorkerOptions & {extendedLifetime?: boolean}} */
  const options = { type: "module", name: "quinconce", extendedLifetime: true };
  const worker = openShared(address, options) ?? new Worker(address, options);
  worker.onerror = () => giveUp("the worker did not start");
  port = "port" in worker ? worker.port : worker;
  port.onmessage = (/** @type {MessageEvent<Message>} */ { data }) => onMessage(data);
  port.postMessage({ unkept: handedOn.read() });
  // A page that the browser keeps to come back to wants no more; a worker of its own ends with it.
  addEventListener("pagehide", () => {
    for (const id of waiting.keys()) port?.postMessage({ id, abort: true });
  });
  return port;
}

/** @param {Message} message */
function onMessage({ id, status, headers, chunk, end, fault, ready, unkept, complaint }) {
  if (unkept !== undefined) handedOn.write(unkept);
  if (ready !== undefined) showProgress(ready);
  if (complaint) showComplaint(complaint[document.documentElement.lang]);
  if (id === undefined) return fault === undefined ? undefined : giveUp(fault);
  const request = waiting.get(id);
  if (!request) return;
  if (status) request.resolve(new Response(bodyOf(id, request, status), { status, headers }));
  if (chunk) request.body?.enqueue(chunk);
  if (end || fault !== undefined) waiting.delete(id);
  if (end) request.body?.close();
  if (fault !== undefined) fail(request, fault);
}

/**
 * @param {number} id
 * @param {Waiting} request
 * @param {number} status
 */
function bodyOf(id, request, status) {
  const stream = new ReadableStream({
    start: (controller) => void (request.body = controller),
    cancel: () => abort(id, new DOMException("", "AbortError")),
  });
  return status === 204 ? null : stream;
}

/**
 * @param {Waiting} request
 * @param {string | Error} why
 */
function fail({ reject, body }, why) {
  const error = why instanceof Error ? why : new TypeError(why);
  reject(error); // does nothing where the answer has begun
  try {
    body?.error(error);
  } catch {
    // the body was closed before
  }
}

/** @param {string} why */
function giveUp(why) {
  showProgress(1);
  for (const request of waiting.values()) fail(request, why);
  waiting.clear();
  port = null; // the next request tries again
}

/**
 * @param {number} id
 * @param {Error} why
 */
function abort(id, why) {
  const request = waiting.get(id);
  if (!request) return;
  waiting.delete(id);
  port?.postMessage({ id, abort: true });
  fail(request, why);
}

/**
 * Ask Python as `fetch` asks a server. It is loaded when it is first asked.
 * @param {string} path
 * @param {{method?: string, headers?: Record<string, string>, body?: string | Uint8Array,
 *   signal?: AbortSignal | null}} [init]
 * @returns {Promise<Response>}
 */
export function askDevice(path, { method = "GET", headers = {}, body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const id = (last += 1);
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", () => abort(id, signal.reason), { once: true });
    waiting.set(id, { resolve, reject });
    openPort().postMessage({ id, method, path, headers: lowered(headers), body });
  });
}

/** Load Python before it is needed. */
export const prepareDevice = () => void openPort();

/**
 * Headers by their names in lower case.
 * @param {Record<string, string>} headers
 */
function lowered(headers) {
  return Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v]));
}
