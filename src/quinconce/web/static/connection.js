/** Keeps the page of a match current: follows its stream, and reads it when there is news. */

import { ApiError, get } from "./api.js";
import { byId, onCustomEvent } from "./dom.js";
import { phrase } from "./i18n.js";
import { repeat } from "./retry.js";
import { Stream } from "./stream.js";

/** @typedef {import("./match.js").MatchPage} MatchPage */

export class Connection {
  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.readAgain = false;
    /** @type {Promise<void> | null} */
    this.reading = null;
    /** @type {Stream | null} */
    this.stream = null;
  }

  open() {
    const { page } = this;
    const stream = new Stream(() => {
      const query = new URLSearchParams({ after: String(page.view.seq) });
      if (page.flipped) query.set("flip", "1");
      return `${page.path}/events?${query}`;
    });
    this.stream = stream;
    if (page.view.clock) this.refresh(); // a page may have been long under way
    onCustomEvent(stream, "event", (event) => page.onEvent(event));
    for (const change of ["disconnect", "reconnect"]) {
      stream.addEventListener(change, () => {
        page.banner.report("stream", change === "disconnect");
        this.refresh(); // which also finds out whether the match has been deleted
      });
    }
  }

  /** Show the match as it is now; calls during a read are answered by one more after it. */
  refresh() {
    this.readAgain = true;
    this.reading ??= this.readUntilCurrent();
    return this.reading;
  }

  /** Read the match anew, until the server answers. */
  async readUntilCurrent() {
    const { page } = this;
    const onChange = (/** @type {boolean} */ failed) => page.banner.report("read", failed);
    const wanted = () => !page.banner.deleted;
    try {
      while (this.readAgain) {
        this.readAgain = false;
        const read = (/** @type {AbortSignal} */ signal) => get(page.path + page.query, signal);
        const view = await repeat(read, { wanted, onChange });
        if (view) this.onView(view);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.endWithMatch();
      else page.showError(error);
    } finally {
      this.reading = null;
    }
  }

  /** @param {import("./api.js").View} view */
  onView(view) {
    this.page.update(view);
    const wrong = byId("wrong"); // where something may have failed while the server was away
    if (wrong.textContent === phrase("unreachable")) wrong.textContent = "";
  }

  /** The match has been deleted. */
  endWithMatch() {
    this.page.banner.reportDeleted();
    this.stream?.close();
  }
}
