/** Tells people that it is their turn, by sound, title and icon, and how something has ended. */

import { kept } from "./browser_storage.js";
import { element } from "./dom.js";
import { phrase } from "./i18n.js";

const KEY = "sound";
const TITLE = document.title;
const icon = /** @type {HTMLLinkElement | null} */ (document.getElementById("favicon"));
const defaultIcon = icon?.href ?? "";
/** @type {AudioContext | null} */
let audio = null;

/** Whether sounds are on; they are off until somebody turns them on. */
export const soundIsOn = () => kept.read(KEY) === "on";

/**
 * Turn sounds on, which plays one, or off.
 * @param {boolean} on
 */
export function setSound(on) {
  kept.write(KEY, on ? "on" : "off");
  playMoveSound();
}

/** Play the sound of a pawn on wood, a short low tone, if sounds are on. */
export function playMoveSound() {
  if (!soundIsOn()) return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [pitch, loudness] of [[190, 0.5], [410, 0.18]]) {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.setValueAtTime(pitch, now);
    tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + 0.08);
    level.gain.setValueAtTime(loudness, now);
    level.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
    tone.connect(level).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.13);
  }
}

/**
 * Show in the title and the icon of the window whose turn it is.
 * @param {boolean} mine whether a player at this screen is to move
 */
export function showTurn(mine) {
  document.title = mine ? `● ${phrase("your_turn")} · ${TITLE}` : TITLE;
  if (icon) icon.href = mine ? (icon.dataset.turn ?? defaultIcon) : defaultIcon;
}

const RESULT_TIME = 2600; // milliseconds; as in the style sheet

/**
 * Show how something has ended, large and over the board, for a moment; the status line says it too.
 * @param {HTMLElement} board
 * @param {string} text
 */
export function showResult(board, text) {
  const shown = element("p", { class: "result", "aria-hidden": "true" }, element("span", {}, text));
  board.append(shown);
  setTimeout(() => shown.remove(), RESULT_TIME);
}
