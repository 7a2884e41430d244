/** The events of a match as the server sends them, and whether the server can be reached. */

import { site } from "./address.js";
import { ask } from "./api.js";
import { pause, retryDelay } from "./retry.js";

const SSE = "text/event-stream";
export const SILENCE = 3500; // milliseconds; the server gives a sign of life every 1.5 seconds
export const CHECK = 250; // milliseconds between two looks whether the stream has fallen silent

/**
 * Dispatches `event` with each event, `disconnect` when the connection is lost, and `reconnect`.
 *
 * It reads server-sent events itself: EventSource hands on only the kinds that it is asked for by
 * name, a kind that is missing in such a list would be lost in silence, and so would a connection
 * that ends without a word.
 */
export class Stream extends EventTarget {
  /** @param {() => string} address where the events are that the page does not know yet */
  constructor(address) {
    super();
    this.address = address;
    this.failures = 0;
    this.heardAt = 0; // when the server last sent anything, if only a sign of life
    /** @type {AbortController | null} */
    this.connection = null;
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.connection ?? this.open());
    setInterval(() => this.checkSilence(), CHECK);
    this.open();
  }

  /** Connect, and dispatch the events after the last one that the page knows, until the end. */
  async open() {
    const connection = new AbortController();
    this.connection = connection;
    this.heardAt = performance.now();
    try {
      const response = await ask(this.address(), {
        headers: { Accept: SSE },
        cache: "no-store",
        signal: connection.signal,
      });
      const type = response.headers.get("Content-Type") ?? "";
      if (!response.ok || !response.body || !type.startsWith(SSE)) throw new Error("no stream");
      if (this.failures) this.dispatchEvent(new Event("reconnect"));
      this.failures = 0;
      const heard = () => (this.heardAt = performance.now());
      for await (const data of eventData(response.body, heard)) {
        this.dispatchEvent(new CustomEvent("event", { detail: JSON.parse(data) }));
      }
    } catch {
      // refused, lost, silent, closed or not readable: each ends the connection
    }
    if (this.connection === connection) await this.retry(connection);
  }

  /**
   * Connect again after a while, unless somebody else does so or the stream is closed.
   * @param {AbortController} connection the one that has ended
   */
  async retry(connection) {
    connection.abort();
    this.dispatchEvent(new Event("disconnect"));
    const delay = retryDelay(this.failures);
    this.failures += 1;
    await pause(delay);
    if (this.connection === connection) this.open();
  }

  /** Give up a connection that may have been cut without a word; a worker may think for long. */
  checkSilence() {
    if (!site && performance.now() - this.heardAt > SILENCE) this.connection?.abort();
  }

  /** Connect anew, because the page may have another seat now. */
  reopen() {
    this.close();
    this.open();
  }

  close() {
    const { connection } = this;
    this.connection = null;
    connection?.abort();
  }
}

/**
 * The data of each server-sent event; an event that is cut off at the end is left out.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {() => unknown} [onBytes] is called when anything has come, if only a comment
 */
export async function* eventData(body, onBytes = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  /** @type {string[]} */
  let data = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const lines = (rest + value).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      if (line || !data.length) continue;
      yield data.join("\n");
      data = [];
    }
  }
}
