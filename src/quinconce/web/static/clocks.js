/** The clocks of the seats, which run on in the page between two answers of the server. */

import { say } from "./i18n.js";

/** @typedef {import("./api.js").ClockView} ClockView */

const DAY = 86400;

export class Clocks {
  /** @param {(seat: number) => HTMLElement | null} face where the time of a seat is shown */
  constructor(face) {
    this.face = face;
    /** @type {ClockView | null} */
    this.clock = null;
    this.since = 0;
    setInterval(() => this.tick(), 250);
  }

  /** @param {ClockView | null} clock */
  show(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.tick();
  }

  tick() {
    this.clock?.left.forEach((left, seat) => {
      const runs = this.clock?.running === seat;
      const now = runs ? left - (performance.now() - this.since) / 1000 : left;
      const face = this.face(seat);
      if (!face) return;
      face.textContent = written(Math.max(0, now));
      face.classList.toggle("running", runs);
      face.classList.toggle("short", now < 20);
    });
  }
}

/**
 * A time as a clock shows it; tenths of a second only where they matter.
 * @param {number} seconds
 */
export function written(seconds) {
  if (seconds >= DAY) {
    return say("days_left", { n: Math.floor(seconds / DAY), h: Math.floor((seconds % DAY) / 3600) });
  }
  const whole = Math.floor(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  if (hours) return `${hours}:${two(minutes)}:${two(whole % 60)}`;
  const tenth = seconds < 20 ? `.${Math.floor(seconds * 10) % 10}` : "";
  return `${minutes}:${two(whole % 60)}${tenth}`;
}
