/** The server's time, as this page knows it from the views that it was sent. */

export class ServerTime {
  ahead = Infinity; // how far the page's own time is ahead of the server's, in seconds

  /**
   * Compare the two. What was under way for a while seems to come from a slower clock, so that the
   * quickest view says it best.
   * @param {{now: number}} view
   */
  measure({ now }) {
    this.ahead = Math.min(this.ahead, performance.now() / 1000 - now);
  }

  /** Seconds, as the `now` of a view. */
  get now() {
    return performance.now() / 1000 - this.ahead;
  }
}
