/** Where pages are: at the paths of a server, or in a folder of files that any web space serves. */

import { pageData } from "./dom.js";

/**
 * @typedef {object} Site what a page of the folder knows of it; pages of a server know nothing
 * @property {string[]} pages the paths, with their queries, that have files of their own
 * @property {string[]} open those that read their query by themselves
 * @property {string} static the folder of this file, below the root
 */

/** @type {Site | null} */
export const site = pageData("site");

export const root = new URL("../../", import.meta.url); // of the folder: this is static/VERSION/
const SHELL = "page"; // shows the pages that have no file of their own
const SERVER = "http://quinconce.invalid"; // stands for a server, to take paths apart

/** @param {string} language */
const folder = (language) => new URL(`${language}/`, root);

/**
 * The name of the file of a page, below the folder of its language.
 * @param {URL} url
 */
function fileName({ pathname, search }) {
  const query = search.slice(1).replaceAll("&", ",");
  return `${pathname.slice(1) || "index"}${query && `,${query}`}.html`;
}

/**
 * Where a browser finds the page that a server has at this path.
 * @param {string} path with its query and fragment
 * @returns {string}
 */
export function pageAddress(path) {
  if (!site) return path;
  const url = new URL(path, SERVER);
  const language = url.searchParams.get("lang") ?? document.documentElement.lang;
  if (url.searchParams.has("lang")) url.searchParams.delete("lang");
  const { pathname, search, hash } = url;
  const found = new URL(`${SHELL}.html`, folder(language));
  if (site.pages.includes(pathname + search)) found.pathname = folder(language).pathname + fileName(url);
  else if (site.open.includes(pathname)) {
    found.pathname = folder(language).pathname + fileName(new URL(pathname, SERVER));
    found.search = search;
  } else found.search = `?${new URLSearchParams({ at: pathname + search })}`;
  found.hash = hash;
  return found.href;
}

/**
 * The address of this page as a server would have it: its path, its query, its fragment.
 * Hosts may leave out `.html` and `index.html`.
 * @returns {URL}
 */
export function here() {
  const url = new URL(location.href);
  if (!site) return url;
  const file = url.pathname.slice(folder(document.documentElement.lang).pathname.length);
  const name = file.replace(/\.html$/, "");
  if (name === SHELL) return new URL((url.searchParams.get("at") ?? "/") + url.hash, SERVER);
  const [path, ...query] = name.split(",");
  const search = url.search || (query.length ? `?${query.join("&")}` : "");
  return new URL(`/${path === "index" ? "" : path}${search}${url.hash}`, SERVER);
}

/**
 * Leave this page for another.
 * @param {string} path
 */
export const go = (path) => location.assign(pageAddress(path));

/**
 * Show another address for what the page shows, without loading anything.
 * @param {string} path
 * @param {any} [state]
 */
export const replaceAddress = (path, state = history.state) =>
  history.replaceState(state, "", pageAddress(path));
