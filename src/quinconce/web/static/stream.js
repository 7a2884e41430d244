/** The events of a match as the server sends them, and whether the server can be reached. */

const DELAYS = [500, 1000, 2000, 4000, 8000]; // milliseconds before each attempt to connect again
const SSE = "text/event-stream";

/**
 * Dispatches `event` with each event, `disconnect` when the connection is lost, and `reconnect`.
 *
 * It reads server-sent events itself: EventSource hands on only the kinds that it is asked for by
 * name, and a kind that is missing in such a list would be lost in silence.
 */
export class Stream extends EventTarget {
  /**
   * @param {string} match
   * @param {() => number} seq the number of the last event that the page knows
   */
  constructor(match, seq) {
    super();
    this.match = match;
    this.seq = seq;
    this.failures = 0;
    /** @type {AbortController | null} */
    this.connection = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.connection ?? this.open());
    this.open();
  }

  /** Connect, and dispatch the events after the last one that the page knows, until the end. */
  async open() {
    const connection = new AbortController();
    this.connection = connection;
    try {
      const response = await fetch(`/api/matches/${this.match}/events?after=${this.seq()}`, {
        headers: { Accept: SSE },
        cache: "no-store",
        signal: connection.signal,
      });
      const type = response.headers.get("Content-Type") ?? "";
      if (!response.ok || !response.body || !type.startsWith(SSE)) throw new Error("no stream");
      if (this.failures) this.dispatchEvent(new Event("reconnect"));
      this.failures = 0;
      for await (const data of eventData(response.body)) {
        this.dispatchEvent(new CustomEvent("event", { detail: JSON.parse(data) }));
      }
    } catch {
      // refused, lost, closed or not readable: each ends the connection
    }
    if (this.connection === connection) this.retry();
  }

  retry() {
    this.close();
    this.dispatchEvent(new Event("disconnect"));
    const delay = DELAYS[Math.min(this.failures, DELAYS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.connection ?? this.open(), delay);
  }

  close() {
    const { connection } = this;
    clearTimeout(this.timer);
    this.connection = null;
    connection?.abort();
  }
}

/**
 * The data of each server-sent event; an event that is cut off at the end is left out.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 */
export async function* eventData(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  /** @type {string[]} */
  let data = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
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
