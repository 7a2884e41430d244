/** On the first page: one's games on this device, keeping it, and everything as one file. */

import { site } from "./address.js";
import { ask } from "./api.js";
import { handedOn } from "./browser_storage.js";
import { byId, inputById } from "./dom.js";
import { exportFile, importFile } from "./device_file.js";
import { phrase } from "./i18n.js";
import { downloadSize, keep, keepingState } from "./offline_copy.js";
import { saveFile } from "./site_links.js";

/** @param {string} text */
const say = (text) => (byId("device-said").textContent = text);

/** Show the games that this device has, as the first page of a server does. */
async function showOwnMatches() {
  const answer = await ask("/", { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [mine, shown] = [page, document].map((each) => each.getElementById("mine")?.parentElement);
  if (mine) shown?.replaceWith(mine);
  const latest = page.querySelector(".continue");
  if (latest) document.querySelector(".intro")?.after(latest);
}

async function offerKeeping() {
  const button = /** @type {HTMLButtonElement} */ (byId("keep-here"));
  const state = await keepingState();
  if (state !== "keep_offer") byId("keep-said").textContent = phrase(state);
  else {
    button.textContent = phrase("keep_offer", { n: await downloadSize() });
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      byId("keep-said").textContent = phrase("keep_working");
      const kept = await keep().then(() => true, () => false);
      byId("keep-said").textContent = phrase(kept ? "keep_done" : "keep_failed");
      button.hidden = kept;
      button.disabled = false;
    });
  }
}

byId("export").addEventListener("click", async () => {
  try {
    const day = new Date().toISOString().slice(0, 10);
    saveFile(await exportFile(), `quinconce-${day}.json`);
  } catch (error) {
    say(/** @type {Error} */ (error).message);
  }
});
inputById("import").addEventListener("change", async () => {
  const field = inputById("import");
  const [file] = field.files ?? [];
  field.value = "";
  if (!file) return;
  try {
    await importFile(file);
    say(phrase("import_done"));
    await showOwnMatches();
  } catch (error) {
    say(/** @type {Error} */ (error).message);
  }
});

/** Whether there may be games here; where Python was never needed, it is not loaded for that. */
async function wasUsed() {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === "quinconce");
  } catch {
    return handedOn.read() !== ""; // the browser keeps nothing
  }
}

if (site) {
  offerKeeping();
  if (await wasUsed()) showOwnMatches();
}
