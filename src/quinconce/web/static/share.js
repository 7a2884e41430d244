/** The dialog from which pictures are shared, and a board that other sites can show in a frame. */

import { ApiError, get } from "./api.js";
import { byId, element, inputById } from "./dom.js";
import { phrase } from "./i18n.js";
import { copyText } from "./seat_links.js";

/**
 * What a page has to share.
 * @typedef {object} Shared
 * @property {string} game
 * @property {Record<string, string | number>} options
 * @property {string | null} start the position before the moves, if it is not the game's own
 * @property {string[]} moves that lead to the position on show
 * @property {string} position on show
 * @property {boolean} flipped whether the board is seen from its far side
 * @property {string} [match] the match of which there can be a moving picture
 * @property {string} [embed] the page for other sites, if it is more than this line of moves
 * @property {string} [curve] the address of the curve of its review, if there is one
 */

const MAX_MOVES = 200; // in an address; after more of them, the position alone is in it

/** @param {string} id */
const selectById = (id) => /** @type {HTMLSelectElement} */ (byId(id));

export class SharePanel {
  /** @param {() => Shared} source called whenever the dialog opens */
  constructor(source) {
    this.source = source;
    this.shared = /** @type {Shared | null} */ (null);
    this.dialog = /** @type {HTMLDialogElement} */ (byId("share"));
    this.preview = /** @type {HTMLImageElement} */ (byId("share-preview"));
    this.what = selectById("share-what");
    this.side = selectById("share-side");
    this.theme = selectById("share-theme");
    this.addListeners();
  }

  addListeners() {
    const { dialog, preview } = this;
    for (const opener of document.querySelectorAll("[data-act=share]")) {
      opener.addEventListener("click", () => this.open());
    }
    dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close(); // beside the dialog
    });
    dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the board has keys
    for (const choice of [this.what, this.side, this.theme]) {
      choice.addEventListener("change", () => this.show());
    }
    preview.addEventListener("load", () => (byId("share-status").textContent = ""));
    preview.addEventListener("error", () => this.explain());
    for (const [field, copy] of [["share-link", "share-copy"], ["share-embed", "share-embed-copy"]]) {
      const input = inputById(field);
      byId(copy).addEventListener("click", () => copyText(input.value, byId("share-said")));
      input.addEventListener("focus", () => input.select());
    }
  }

  open() {
    this.shared = this.source();
    this.side.value = this.shared.flipped ? "1" : "";
    this.theme.value = isDark() ? "dark" : "light";
    this.offerCurve(this.shared.curve);
    this.dialog.showModal();
    this.show();
  }

  /**
   * Let the curve be chosen where there is one.
   * @param {string} [address]
   */
  offerCurve(address) {
    const offered = this.what.querySelector("option[value=curve]");
    if (address && !offered) {
      this.what.append(element("option", { value: "curve" }, phrase("share_curve")));
    } else if (!address) offered?.remove();
  }

  /** Show the picture that is chosen, and where it is. */
  show() {
    if (!this.shared) return;
    const kind = this.what.value;
    const path = pictureAddress(this.shared, kind, this.side.value === "1", this.theme.value);
    this.side.disabled = kind === "curve";
    inputById("share-link").value = new URL(path, location.href).href;
    inputById("share-embed").value = frameHtml(embedAddress(this.shared, this.side.value === "1"));
    const save = byId("share-save");
    save.setAttribute("href", path);
    save.setAttribute("download", fileName(this.shared, kind));
    byId("share-said").textContent = "";
    if (this.preview.getAttribute("src") === path) return;
    byId("share-status").textContent = phrase("share_drawing");
    this.preview.alt = this.what.selectedOptions[0].text;
    this.preview.src = path;
  }

  /** Say why there is no picture. */
  async explain() {
    const path = this.preview.getAttribute("src") ?? "";
    let why = phrase("unreachable");
    try {
      await get(path);
    } catch (error) {
      if (error instanceof ApiError) why = error.message;
    }
    if (this.preview.getAttribute("src") !== path) return; // another was chosen meanwhile
    this.preview.removeAttribute("src"); // so that it is asked for again
    byId("share-status").textContent = why;
  }
}

/** Whether the page is dark. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * @param {Shared} shared
 * @param {string} kind png, svg, gif, webp or curve
 * @param {boolean} turned
 * @param {string} theme
 */
export function pictureAddress(shared, kind, turned, theme) {
  if (kind === "curve") return `${shared.curve}&theme=${theme}`;
  const looks = new URLSearchParams({ ...(turned && { turned: "1" }), theme });
  if (kind === "gif" || kind === "webp") {
    return `/api/matches/${shared.match}/moving.${kind}?${looks}`;
  }
  const query = lineQuery(shared);
  for (const [name, value] of looks) query.set(name, value);
  query.set("lang", document.documentElement.lang);
  return `/picture/${shared.game}.${kind}?${query}`;
}

/**
 * The line that leads to the position on show, as addresses have it.
 * @param {Shared} shared
 */
function lineQuery({ options, start, moves, position }) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) query.set(name, String(value));
  if (moves.length > MAX_MOVES) query.set("position", position);
  else {
    if (start) query.set("position", start);
    if (moves.length) query.set("moves", moves.join(" "));
  }
  return query;
}

/**
 * The page that other sites may show: of the match, the puzzle or the study, else of the line.
 * @param {Shared} shared
 * @param {boolean} turned
 */
export function embedAddress(shared, turned) {
  const { game, match, embed } = shared;
  const path = embed ?? (match ? `/embed/match/${match}` : `/embed/board?game=${game}&${lineQuery(shared)}`);
  const address = new URL(path, location.href);
  if (turned) address.searchParams.set("turned", "1");
  return address.href;
}

/**
 * What is copied into the source of another page.
 * @param {string} address
 */
function frameHtml(address) {
  const heading = document.querySelector("h1")?.textContent?.trim(); // the title may tell a turn
  const frame = element("iframe", {
    src: address,
    title: [heading, "Quinconce"].filter(Boolean).join(" · "),
    width: "480",
    height: "640",
    loading: "lazy",
  });
  return frame.outerHTML;
}

/**
 * The name under which a picture is saved.
 * @param {Shared} shared
 * @param {string} kind
 */
function fileName({ game, match, moves }, kind) {
  if (kind === "curve") return `${game}-${match}-curve.svg`;
  if (kind === "gif" || kind === "webp") return `${game}-${match}.${kind}`;
  return `${game}-${moves.length}.${kind}`;
}
