/** The events of a match as the server sends them, and whether the server can be reached. */

const DELAYS = [500, 1000, 2000, 4000, 8000]; // milliseconds before each attempt to connect again
const KINDS = [
  "move", "agree", "refuse", "resign", "claim", "name", "back", "takeback", "hand", "timeout",
  "clock", "rematch", "end", "presence",
];

/** Dispatches `event` with each event, `disconnect` when the connection is lost, and `reconnect`. */
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
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.source ?? this.open());
    this.open();
  }

  open() {
    const source = new EventSource(`/api/matches/${this.match}/events?after=${this.seq()}`);
    this.source = source;
    source.addEventListener("open", () => {
      if (this.failures) this.dispatchEvent(new Event("reconnect"));
      this.failures = 0;
    });
    source.addEventListener("error", () => this.retry());
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        const detail = JSON.parse(event.data);
        this.dispatchEvent(new CustomEvent("event", { detail }));
      });
    }
  }

  retry() {
    this.close();
    this.dispatchEvent(new Event("disconnect"));
    const delay = DELAYS[Math.min(this.failures, DELAYS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.source ?? this.open(), delay);
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}
