/** Shows the clocks of the seats, and lets them run between two answers of the server. */

import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").ClockView} ClockView */

const DAY = 86400;
const SHORT = 20; // seconds: from here on a clock shows tenths

export class Clocks {
  /** @param {(seat: number) => HTMLElement | null} clockElement where the time of a seat stands */
  constructor(clockElement) {
    this.clockElement = clockElement;
    /** @type {ClockView | null} */
    this.clock = null;
    this.shownAt = 0;
    setInterval(() => this.tick(), 250);
  }

  /** @param {ClockView | null} clock */
  show(clock) {
    this.clock = clock;
    this.shownAt = performance.now();
    this.tick();
  }

  tick() {
    this.clock?.left.forEach((left, seat) => {
      const runs = this.clock?.running === seat;
      const now = runs ? left - (performance.now() - this.shownAt) / 1000 : left;
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
