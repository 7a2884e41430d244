/** Secret links to seats: shown to copy, and as a QR code for the camera of a phone. */

import { ApiError, post } from "./api.js";
import { button, element, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").SeatLink} SeatLink */

/** @param {string} match */
const storageKey = (match) => `links-${match}`;

/**
 * The links of a match that this window remembers.
 * @param {string} match
 * @returns {{reach?: string, links?: Record<number, string>}}
 */
function storedLinks(match) {
  return JSON.parse(sessionStorage.getItem(storageKey(match)) ?? "{}");
}

/**
 * Remember the links of a new match for its page: the server gives them only once.
 * @param {string} match
 * @param {string} reach
 * @param {SeatLink[]} seats
 */
export function storeLinks(match, reach, seats) {
  const links = seats.filter((seat) => seat.link).map((seat) => [seat.seat, seat.link]);
  const stored = { reach, links: Object.fromEntries(links) };
  sessionStorage.setItem(storageKey(match), JSON.stringify(stored));
}

/**
 * Show a box with a link for each seat that waits for a friend.
 * @param {View} view
 * @param {HTMLElement} holder
 */
export function showInvitations(view, holder) {
  const waiting = view.maker
    ? view.seats.filter((seat) => seat.kind === "friend" && !seat.claimed && !seat.mine)
    : [];
  const ids = new Set(waiting.map((seat) => `invitation-${seat.seat}`));
  for (const box of [...holder.children]) if (!ids.has(box.id)) box.remove();
  for (const seat of waiting) {
    const id = `invitation-${seat.seat}`;
    if (document.getElementById(id)) continue;
    const box = element("div", { class: "invitation", id });
    box.append(element("h2", {}, phrase("link_for", { player: seat.called })));
    holder.append(box);
    const { reach, links } = storedLinks(view.id);
    if (links?.[seat.seat]) {
      showLink(box, links[seat.seat], reach ?? "");
      box.append(rotateButton(box, view.id, seat.seat));
    } else box.append(...linkButtons(box, view.id, seat.seat));
  }
}

/**
 * The buttons that make links to a seat.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {number} seat
 */
export function linkButtons(box, match, seat) {
  const make = button(phrase("new_link"), () => makeLink(box, match, seat, false));
  return [element("p", { class: "buttons" }, make), rotateButton(box, match, seat)];
}

/**
 * The button that makes a link and ends all others.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {number} seat
 */
function rotateButton(box, match, seat) {
  const onClick = () => makeLink(box, match, seat, true);
  return element("p", { class: "rotate" }, button(phrase("rotate"), onClick, "link-like"));
}

/**
 * Make a new link to a seat and show it.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {number} seat
 * @param {boolean} rotate whether all other links to the seat stop working
 */
async function makeLink(box, match, seat, rotate) {
  let made;
  try {
    made = await post(`/api/matches/${match}/seats/${seat}/links`, { rotate });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    box.append(element("p", { class: "wrong", role: "alert" }, error.message));
    return;
  }
  const stored = storedLinks(match);
  if (stored.links?.[seat]) {
    stored.links[seat] = made.link; // the one before may have stopped working
    sessionStorage.setItem(storageKey(match), JSON.stringify(stored));
  }
  box.replaceChildren(...[...box.children].filter((child) => child.matches("h2")));
  showLink(box, made.link, made.reach);
  if (rotate) box.append(element("p", { class: "note", role: "status" }, phrase("rotated")));
  box.append(rotateButton(box, match, seat));
}

/**
 * Show a link with a button to copy it and its QR code.
 * @param {HTMLElement} box
 * @param {string} link
 * @param {string} reach
 */
function showLink(box, link, reach) {
  const field = element("input", { readonly: "", value: link, "aria-label": phrase("secret") });
  const message = element("span", { role: "status", class: "said" });
  field.addEventListener("focus", () => /** @type {HTMLInputElement} */ (field).select());
  const copyButton = button(phrase("copy"), () => copyText(link, message));
  const code = element("div", { class: "qr-box" });
  box.append(
    element("div", { class: "field" }, field, copyButton),
    message,
    code,
    element("p", { class: "note" }, phrase("secret"), " ", phrase(`reach_${reach}`)),
  );
  post("/api/qr", { text: link }).then(
    (svg) => code.replaceChildren(parseSvg(svg)),
    () => code.remove(), // the link itself is there
  );
}

/**
 * Copy a text to the clipboard.
 * @param {string} text
 * @param {HTMLElement} message where the page says that it is done
 */
export async function copyText(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    message.textContent = phrase("copied");
  } catch {
    message.textContent = copyFromTextarea(text) ? phrase("copied") : text;
  }
}

/**
 * Copy a text where pages have no clipboard, as on an address without encryption.
 * @param {string} text
 */
function copyFromTextarea(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
