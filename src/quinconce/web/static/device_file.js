/** Everything that this device has, as one file: what Python keeps, and what the pages do. */

import { ApiError, ask } from "./api.js";
import { phrase } from "./i18n.js";

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
  const browser = Object.entries(localStorage).filter(([key]) => KEYS.test(key));
  const content = { format: FORMAT, version: 1, browser: Object.fromEntries(browser), device };
  return new Blob([JSON.stringify(content)], { type: "application/json" });
}

/**
 * Take a file in: games of the same name stay as they are here.
 * @param {Blob} file
 */
export async function importFile(file) {
  /** @type {any} */
  const content = await file.text().then(JSON.parse).catch(() => null);
  if (content?.format !== FORMAT || typeof content.device !== "string") {
    throw new ApiError(422, "file", phrase("import_wrong"));
  }
  await check(await ask(IMPORT, { method: "POST", body: content.device }));
  const known = Object.entries(content.browser ?? {}).filter(
    ([key, value]) => KEYS.test(key) && typeof value === "string",
  );
  Object.assign(localStorage, Object.fromEntries(known));
}
