/** Keeps the whole folder on this device for use without a network, and tells of new versions. */

import { root, site } from "./address.js";
import { button, element } from "./dom.js";
import { phrase } from "./i18n.js";

const AGAIN = 1000; // milliseconds

/** Whether this browser keeps sites at all: only where nobody on the way can change them. */
export const canKeep = "serviceWorker" in navigator && isSecureContext;

/** @returns {Promise<ServiceWorkerRegistration | undefined>} */
export async function registration() {
  return canKeep ? navigator.serviceWorker.getRegistration(root.href) : undefined;
}

/** The size of what is kept, in megabytes. */
export async function keptSize() {
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
 * Say that a version is wanted, until the page is loaded anew by it: a browser that is busy with
 * answers of the version before forgets it.
 * @param {ServiceWorker} worker
 */
function wantVersion(worker) {
  worker.postMessage("use");
  setTimeout(() => wantVersion(worker), AGAIN);
}

/** @param {ServiceWorker} worker a version that is whole and waits */
function offerVersion(worker) {
  if (document.getElementById("new-version")) return;
  const use = button(phrase("version_use"), () => wantVersion(worker), "main");
  const line = element("div", { class: "new-version", id: "new-version", role: "status" });
  line.append(element("span", {}, phrase("version_new")), use);
  document.body.append(line);
}

/** Offer a new version when it is there, and show it once it is wanted. */
export async function watchVersions() {
  const kept = await registration();
  if (!kept?.active) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  if (kept.waiting) offerVersion(kept.waiting);
  const follow = () => {
    const worker = kept.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed") offerVersion(worker);
    });
  };
  follow(); // a slow page may come after the browser has found one
  kept.addEventListener("updatefound", follow);
}
