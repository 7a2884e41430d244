/** Shows a page that has no file of its own: Python makes it, as a server would. */

import { ask } from "./api.js";
import { here, pageAddress, root, site } from "./address.js";
import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { preparePage } from "./page.js";

/**
 * Where a file that a page asks for is in the folder.
 * @param {string} path
 */
const fileAddress = (path) => new URL(`${site?.static}/${path.split("/").pop()}`, root).href;

/**
 * Put a page in the place of this one, and run its modules; lines over the page stay.
 * @param {Document} page
 */
function show(page) {
  document.title = page.title;
  document.body.className = page.body.className;
  const lines = document.querySelectorAll(".new-version, .device-progress");
  document.body.replaceChildren(...page.body.childNodes, ...lines);
  preparePage();
  for (const sheet of page.querySelectorAll('link[rel="stylesheet"]')) {
    const href = fileAddress(sheet.getAttribute("href") ?? "");
    if (document.querySelector(`link[href$="${href.split("/").pop()}"]`)) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  }
  for (const script of page.querySelectorAll("head script[src]")) {
    const src = fileAddress(script.getAttribute("src") ?? "");
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src }));
  }
}

try {
  const { pathname, search } = here();
  const answer = await ask(pathname + search, { headers: { Accept: "text/html" } });
  const elsewhere = answer.headers.get("Location");
  if (elsewhere) location.replace(pageAddress(elsewhere));
  else show(new DOMParser().parseFromString(await answer.text(), "text/html"));
} catch {
  byId("shell-status").textContent = phrase("device_failed");
}
