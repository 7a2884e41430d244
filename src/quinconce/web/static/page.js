/** What every page does: the theme, links to join, printing, an address without the language. */

import { go, site } from "./address.js";
import { phrase } from "./i18n.js";

const root = document.documentElement;

function changeTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const wanted = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
  root.dataset.theme = wanted;
  document.cookie = `theme=${wanted}; path=/; max-age=31536000; samesite=lax`;
}

/**
 * Give a button of the page its work; without scripts it is not shown.
 * @param {string} id
 * @param {() => unknown} act
 */
function offer(id, act) {
  const button = document.getElementById(id);
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", act);
}

/** Make the page work; once more where another was put in its place. */
export function preparePage() {
  offer("theme", changeTheme);
  offer("print", () => window.print());
  prepareJoining();
  if (site && document.getElementById("device-section")) import("./device_section.js");
}

// A cookie keeps the language by now, so that an address can be shared without it.
const here = new URL(location.href);
if (here.searchParams.has("lang")) {
  here.searchParams.delete("lang");
  history.replaceState(history.state, "", here);
}

function prepareJoining() {
  document.getElementById("join-form")?.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (document.getElementById("link"));
    const wrong = /** @type {HTMLElement} */ (document.getElementById("join-wrong"));
    const found = field.value.trim().match(/\/match\/[A-Za-z0-9]{12}(#[\w=-]+)?$/);
    wrong.textContent = found ? "" : phrase("link_wrong");
    if (found) go(found[0]);
    else field.focus();
  });
}

preparePage();
if (site) import("./site_page.js");
