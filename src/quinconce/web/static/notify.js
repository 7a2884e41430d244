/** The bell: what tells somebody in another window that it is his turn. */

import { say } from "./i18n.js";

const KEY = "sound";
const TITLE = document.title;
const icon = /** @type {HTMLLinkElement | null} */ (document.getElementById("favicon"));
const usual = icon?.href ?? "";
/** @type {AudioContext | null} */
let audio = null;

/** Whether sounds are wanted; they are not, unless somebody has said so. */
export const sounds = () => localStorage.getItem(KEY) === "on";

/** @param {boolean} wanted */
export function wantSounds(wanted) {
  localStorage.setItem(KEY, wanted ? "on" : "off");
  if (wanted) knock();
}

/** The sound of a pawn put down on wood: a short low tone that dies away at once. */
export function knock() {
  if (!sounds()) return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [pitch, loud] of [[190, 0.5], [410, 0.18]]) {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.setValueAtTime(pitch, now);
    tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + 0.08);
    level.gain.setValueAtTime(loud, now);
    level.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
    tone.connect(level).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.13);
  }
}

/**
 * The title and the icon of the window.
 * @param {boolean} mine whether it is the turn of somebody at this screen
 */
export function showTurn(mine) {
  document.title = mine ? `● ${say("your_turn")} · ${TITLE}` : TITLE;
  if (icon) icon.href = mine ? (icon.dataset.turn ?? usual) : usual;
}
