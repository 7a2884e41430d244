/** The steps of lessons done in this browser, and how a page shows them; no server knows them. */

import { kept } from "./browser_storage.js";
import { phrase } from "./i18n.js";

const KEY = "lessons";

/** @returns {Record<string, string[]>} the ids of steps by the names of games */
function storedSteps() {
  const found = kept.readJson(KEY);
  return found && typeof found === "object" && !Array.isArray(found) ? found : {};
}

const steps = storedSteps();

/**
 * The steps of a game that are done.
 * @param {string} game
 * @returns {Set<string>}
 */
export function doneSteps(game) {
  const found = Object.hasOwn(steps, game) ? steps[game] : [];
  return new Set(Array.isArray(found) ? found : []);
}

/**
 * Remember that steps are done.
 * @param {string} game
 * @param {string[]} done
 */
export function markDone(game, ...done) {
  steps[game] = [...new Set([...doneSteps(game), ...done])];
  const stored = storedSteps(); // another window may have done others meanwhile
  const others = Array.isArray(stored[game]) ? stored[game] : [];
  stored[game] = [...new Set([...others, ...steps[game]])];
  kept.write(KEY, JSON.stringify(stored));
}

/**
 * Forget which steps of a game are done.
 * @param {string} game
 */
function forget(game) {
  const stored = storedSteps();
  delete stored[game];
  kept.write(KEY, JSON.stringify(stored));
}

/** Write how far somebody is into every line for it, and let the start lead to what comes next. */
export function showProgress() {
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-lessons]")
  )) {
    const { lessons: game = "", steps: text = "" } = line.dataset;
    const ids = text.split(" ").filter(Boolean);
    const done = doneSteps(game);
    const n = ids.filter((id) => done.has(id)).length;
    line.textContent = n ? phrase("lesson_progress", { n, of: ids.length }) : "";
    line.hidden = !n;
    markLinks(done);
    const start = document.getElementById("start");
    const next = ids.find((id) => !done.has(id));
    if (start && n && next) {
      start.setAttribute("href", `/learn/${game}/${next}`);
      start.textContent = phrase("lesson_go_on");
    }
    const restart = document.getElementById("restart");
    if (!restart) continue;
    restart.hidden = !n;
    restart.onclick = () => {
      forget(game);
      location.reload();
    };
  }
}

/**
 * Mark the links to steps that are done.
 * @param {Set<string>} done
 */
export function markLinks(done) {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("a[data-step]")
  )) {
    if (!done.has(link.dataset.step ?? "") || link.classList.contains("done")) continue;
    link.classList.add("done");
    link.setAttribute("aria-label", phrase("lesson_done", { title: link.textContent ?? "" }));
  }
}

addEventListener("pageshow", showProgress); // also when somebody comes back to the page
