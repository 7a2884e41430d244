/** The bar that shows how far Python is, and what there is to say once it is there. */

import { visit } from "./browser_storage.js";
import { element } from "./dom.js";
import { phrase } from "./i18n.js";

const DELAY = 300; // milliseconds, within which Python may be there without a word

const TOLD = "told-of-device"; // in the session: what somebody has read

/** @type {HTMLElement | null} */
let line = null;
let timer = 0;
let share = 0;

/**
 * @param {number} ready the share that is there; at 1 the bar goes
 */
export function showProgress(ready) {
  share = ready;
  if (ready >= 1) {
    clearTimeout(timer);
    timer = 0;
    line?.remove();
    line = null;
  } else if (line) line.querySelector("progress")?.setAttribute("value", String(ready));
  else timer ||= setTimeout(show, DELAY);
}

function show() {
  const label = element("label", { for: "device-ready" }, phrase("device_loading"));
  const bar = element("progress", { id: "device-ready", max: "1", value: String(share) });
  line = element("div", { class: "device-progress", role: "status" }, label, bar);
  document.body.append(line);
}

/**
 * Say once a visit what is wrong with what this device keeps.
 * @param {string} [words]
 */
export function showComplaint(words) {
  if (!words || visit.read(TOLD) === words) return;
  const close = element("button", { type: "button" }, phrase("ok"));
  const said = element("div", { class: "new-version device-complaint", role: "status" }, words, close);
  close.addEventListener("click", () => {
    visit.write(TOLD, words);
    said.remove();
  });
  document.querySelector(".device-complaint")?.remove();
  document.documentElement.append(said); // the page itself may yet be replaced
}
