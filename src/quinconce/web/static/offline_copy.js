/** Keeps the whole folder on this device for use without a network, and tells of new versions. */

import { root, site } from "./address.js";
import { button, element } from "./dom.js";
import { phrase } from "./i18n.js";

const AGAIN = 1000; // milliseconds

/**
 * What keeps the folder on this device, if anything does; it throws where a browser keeps no sites.
 * @returns {Promise<ServiceWorkerRegistration | undefined>}
 */
async function registration() {
  const found = await navigator.serviceWorker.getRegistration(root.href);
  return found?.scope === root.href && found.active ? found : undefined;
}

/** What there is to say about keeping the folder, as the name of a phrase. */
export async function keepingState() {
  if (!isSecureContext) return "keep_insecure"; // somebody on the way could change what is kept
  try {
    return (await registration()) ? "keep_done" : "keep_offer";
  } catch {
    return "keep_refused";
  }
}

/** The size of what is downloaded to be kept, in megabytes. */
export async function downloadSize() {
  const listed = await (await fetch(new URL(`${site?.static}/kept.json`, root))).json();
  return Math.ceil(listed.bytes / 1_000_000);
}

/** Keep everything; it throws if not all of it could be kept. */
export async function keep() {
  const address = new URL("service_worker.js", root);
  const made = await navigator.serviceWorker.register(address, { scope: root.href });
  const worker = made.installing ?? made.waiting ?? made.active;
  await new Promise((resolve, reject) => {
    const check = () => {
      if (worker?.state === "activated") resolve(null);
      else if (worker?.state === "redundant") reject(new Error("it was not kept"));
    };
    worker?.addEventListener("statechange", check);
    check();
  });
  await navigator.storage?.persist?.();
}

/**
 * Say that the version that waits is wanted, until the page is loaded anew by it: a browser that is
 * busy with answers of the version before forgets it, and a newer one may take its place.
 * @param {ServiceWorkerRegistration} kept
 */
function wantVersion(kept) {
  if (!kept.waiting && !kept.installing) return location.reload();
  kept.waiting?.postMessage("use");
  setTimeout(() => wantVersion(kept), AGAIN);
}

/** @param {ServiceWorkerRegistration} kept with a version that is whole and waits */
function offerVersion(kept) {
  if (document.getElementById("new-version")) return;
  const use = button(phrase("version_use"), () => wantVersion(kept), "main");
  const line = element("div", { class: "new-version", id: "new-version", role: "status" });
  line.append(element("span", {}, phrase("version_new")), use);
  document.body.append(line);
}

/** Say which version this page shows; what keeps another may have it loaded anew. */
function sayVersion() {
  const said = { shows: site?.static, address: location.origin + location.pathname };
  navigator.serviceWorker.controller?.postMessage(said);
}

/** Follow what is kept on this device, if anything is. */
async function followVersions() {
  const kept = await registration().catch(() => undefined);
  if (!kept) return;
  sayVersion();
  if (kept.waiting) offerVersion(kept);
  const follow = () => {
    const worker = kept.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed") offerVersion(kept);
    });
  };
  follow(); // a slow page may come after the browser has found one
  kept.addEventListener("updatefound", follow);
  // Browsers look for a new version when a page is opened; an app may stay open for weeks.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) kept.update().catch(() => {});
  });
}

/** Offer a new version when it is there; `head.js` shows it once it has taken over. */
export function watchVersions() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  workers.addEventListener("controllerchange", followVersions); // everything was kept just now
  workers.onmessage = ({ data }) => (data === "reload" ? location.reload() : sayVersion());
  followVersions();
}
