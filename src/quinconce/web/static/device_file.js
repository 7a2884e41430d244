/** Everything that this device has, as one file: what Python keeps, and what the pages do. */

import { ApiError, ask } from "./api.js";
import { kept } from "./browser_storage.js";
import { phrase } from "./i18n.js";
import { markDone } from "./lesson_progress.js";
import { solvedPuzzles } from "./solved_puzzles.js";

// By which Python hands out what it keeps, and takes it in.
const EXPORT = "/api/device/export";
const IMPORT = "/api/device/import";
const FORMAT = "quinconce-device";
// The keys of the pages in this browser; a web space may hold other sites, with keys of their own.
const KEYS = /^(name|level|lessons|puzzles|puzzle-run|remarks|sound|truth|(study|links)-\w+)$/;

/** @param {Response} answer */
async function check(answer) {
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new ApiError(answer.status, told.code ?? "", told.error ?? phrase("device_failed"));
}

/** @returns {Promise<Blob>} */
export async function exportFile() {
  const device = await (await check(await ask(EXPORT))).text();
  const browser = kept.entries().filter(([key]) => KEYS.test(key));
  const content = { format: FORMAT, version: 1, browser: Object.fromEntries(browser), device };
  return new Blob([JSON.stringify(content)], { type: "application/json" });
}

/**
 * @param {string} text
 * @returns {any} null if it is no JSON
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Add what pages kept elsewhere; what they keep here stays.
 * @param {string} key
 * @param {string} value
 */
function add(key, value) {
  if (key === "lessons") {
    for (const [game, steps] of Object.entries(parsed(value) ?? {})) {
      if (Array.isArray(steps)) markDone(game, ...steps.map(String));
    }
  } else if (key === "puzzles") {
    const ids = parsed(value);
    if (Array.isArray(ids)) solvedPuzzles.add(...ids.map(String));
  } else if (kept.read(key) === null) kept.write(key, value);
}

/**
 * Take a file in: games of the same name stay as they are here.
 * @param {Blob} file
 */
export async function importFile(file) {
  /** @type {any} */
  const content = parsed(await file.text());
  if (content?.format !== FORMAT || typeof content.device !== "string") {
    throw new ApiError(422, "file", phrase("import_wrong"));
  }
  await check(await ask(IMPORT, { method: "POST", body: content.device }));
  for (const [key, value] of Object.entries(content.browser ?? {})) {
    if (KEYS.test(key) && typeof value === "string") add(key, value);
  }
}
