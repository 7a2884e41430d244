/** What every page does: the theme, links to join, printing, an address without the language. */

import { go, site } from "./address.js";
import { phrase } from "./i18n.js";

const root = document.documentElement;
const theme = document.getElementById("theme");
if (theme) {
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const wanted = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
    root.dataset.theme = wanted;
    document.cookie = `theme=${wanted}; path=/; max-age=31536000; samesite=lax`;
  });
}

// A cookie keeps the language by now, so that an address can be shared without it.
const here = new URL(location.href);
if (here.searchParams.has("lang")) {
  here.searchParams.delete("lang");
  history.replaceState(history.state, "", here);
}

const join = document.getElementById("join-form");
join?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (document.getElementById("link"));
  const wrong = /** @type {HTMLElement} */ (document.getElementById("join-wrong"));
  const found = field.value.trim().match(/\/match\/[A-Za-z0-9]{12}(#[\w=-]+)?$/);
  wrong.textContent = found ? "" : phrase("link_wrong");
  if (found) go(found[0]);
  else field.focus();
});

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

if (site) import("./site_page.js");
