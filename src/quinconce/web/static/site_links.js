/** The links of a page in the folder: to its files where there are some, else to Python. */

import { pageAddress } from "./address.js";
import { ask } from "./api.js";
import { element } from "./dom.js";

const ANCHORS = 'a[href^="/"]';
const RELEASE = 60_000; // milliseconds after which a file has been written

/** @param {Element} link */
function lead(link) {
  const path = link.getAttribute("href") ?? "/";
  if (path.startsWith("/api/")) link.setAttribute("data-asks", path);
  else link.removeAttribute("data-asks");
  link.setAttribute("href", path.startsWith("/api/") ? "#" : pageAddress(path));
}

/** @param {Document | Element} part */
const leadAll = (part) => part.querySelectorAll(ANCHORS).forEach(lead);

/**
 * Save what Python answers as a file, named as it says.
 * @param {string} path
 */
async function download(path) {
  const answer = await ask(path);
  const named = answer.headers.get("Content-Disposition")?.match(/filename="?([^";]+)/)?.[1];
  saveFile(await answer.blob(), named ?? "quinconce.txt");
}

/**
 * @param {Blob} content
 * @param {string} name
 */
export function saveFile(content, name) {
  const href = URL.createObjectURL(content);
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE);
}

leadAll(document);
new MutationObserver((changes) => {
  for (const { target, type } of changes) {
    if (!(target instanceof Element)) continue;
    if (type === "attributes" && target.matches(ANCHORS)) lead(target);
    else if (type === "childList") leadAll(target);
  }
}).observe(document, { attributeFilter: ["href"], childList: true, subtree: true });
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("[data-asks]") : null;
  if (!link) return;
  event.preventDefault();
  download(link.getAttribute("data-asks") ?? "");
});
