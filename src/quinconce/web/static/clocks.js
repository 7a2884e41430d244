/** Shows the clocks of the seats, and lets them run between two answers of the server. */

import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").ClockView} ClockView */
/** @typedef {import("./server_time.js").ServerTime} ServerTime */

const DAY = 86400;
const SHORT = 20; // seconds: from here on a clock shows tenths

export class Clocks {
  /**
   * @param {ServerTime} time
   * @param {(seat: number) => HTMLElement | null} clockElement where the time of a seat stands
   */
  constructor(time, clockElement) {
    this.time = time;
    this.clockElement = clockElement;
    /** @type {ClockView | null} */
    this.clock = null;
    this.readAt = 0; // when the server read the clock, by its own time
    setInterval(() => this.tick(), 250);
  }

  /** @param {{clock: ClockView | null, now: number}} view */
  show({ clock, now }) {
    this.clock = clock;
    this.readAt = now;
    this.tick();
  }

  tick() {
    const passed = Math.max(0, this.time.now - this.readAt);
    this.clock?.left.forEach((left, seat) => {
      const runs = this.clock?.running === seat;
      const now = runs ? left - passed : left;
      const shown = this.clockElement(seat);
      if (!shown) return;
      shown.textContent = formatTime(Math.max(0, now));
      shown.classList.toggle("running", runs);
      shown.classList.toggle("short", now < SHORT);
    });
  }
}

/**
 * A time as a clock shows it; tenths of a second only when little is left.
 * @param {number} seconds
 */
export function formatTime(seconds) {
  if (seconds >= DAY) {
    const h = Math.floor((seconds % DAY) / 3600);
    return phrase("days_left", { n: Math.floor(seconds / DAY), h });
  }
  const whole = Math.floor(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  if (hours) return `${hours}:${two(minutes)}:${two(whole % 60)}`;
  const tenth = seconds < SHORT ? `.${Math.floor(seconds * 10) % 10}` : "";
  return `${minutes}:${two(whole % 60)}${tenth}`;
}
