/** The stream of a match: tells when something has happened, and when the house is out of reach. */

const PATIENCE = [500, 1000, 2000, 4000, 8000];
const KINDS = [
  "move", "agree", "refuse", "resign", "claim", "name", "back", "takeback", "hand", "timeout",
  "clock", "rematch", "end", "presence",
];

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
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.source ?? this.open());
    this.open();
  }

  open() {
    const source = new EventSource(`/api/matches/${this.match}/events?after=${this.seq()}`);
    this.source = source;
    source.addEventListener("open", () => {
      if (this.failures) this.dispatchEvent(new Event("found"));
      this.failures = 0;
    });
    source.addEventListener("error", () => this.retry());
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        const detail = JSON.parse(event.data);
        this.dispatchEvent(new CustomEvent("news", { detail }));
      });
    }
  }

  retry() {
    this.close();
    this.dispatchEvent(new Event("lost"));
    const wait = PATIENCE[Math.min(this.failures, PATIENCE.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.source ?? this.open(), wait);
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
}
