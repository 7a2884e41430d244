/** Secret links to seats and tables: shown to copy, and as a QR code for the camera of a phone. */

import { ApiError, post } from "./api.js";
import { visit } from "./browser_storage.js";
import { button, element, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").SeatLink} SeatLink */

const TABLE = "table"; // where the link to a table is remembered among those to seats

/** @param {string} match */
const storageKey = (match) => `links-${match}`;

/**
 * The links of a match that this window remembers.
 * @param {string} match
 * @returns {{reach?: string, links?: Record<string, string>}}
 */
function storedLinks(match) {
  return visit.readJson(storageKey(match)) ?? {};
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
  visit.write(storageKey(match), JSON.stringify(stored));
}

/**
 * Show the links for friends who have not come: one for the table where there are several, with
 * those of its seats folded below it; else that of the seat.
 * @param {View} view
 * @param {HTMLElement} holder
 * @param {number[]} order the seats in the order in which they move
 */
export function showInvitations(view, holder, order) {
  const friends = order.map((n) => view.seats[n]).filter((seat) => seat.kind === "friend");
  const waiting = view.maker ? friends.filter((seat) => !seat.claimed && !seat.mine) : [];
  if (!waiting.length) return holder.replaceChildren();
  const several = friends.length > 1;
  const places = several ? tableBox(view.id, holder) : holder;
  const ids = new Set(waiting.map((seat) => `invitation-${seat.seat}`));
  for (const box of [...places.children]) if (!ids.has(box.id)) box.remove();
  for (const seat of waiting) {
    const id = `invitation-${seat.seat}`;
    if (document.getElementById(id)) continue;
    const box = element("div", { class: several ? "seat-link" : "invitation", id });
    box.append(element("h2", {}, phrase("link_for", { player: seat.called })));
    places.append(box);
    showStored(box, view.id, String(seat.seat));
  }
}

/**
 * The box with the link to a table, made once; returns the place for the links to its seats.
 * @param {string} match
 * @param {HTMLElement} holder
 */
function tableBox(match, holder) {
  const found = /** @type {HTMLElement | null} */ (holder.querySelector(".seat-boxes"));
  if (found) return found;
  const box = element("div", { class: "invitation", id: "invitation-table" });
  box.append(element("h2", {}, phrase("table_link")));
  const seats = element("div", { class: "seat-boxes" });
  const summary = element("summary", {}, phrase("seat_links"));
  holder.replaceChildren(box, element("details", { class: "seat-links" }, summary, seats));
  const { links } = storedLinks(match);
  if (links && !links[TABLE]) makeLink(box, match, TABLE, false); // in the window that made it
  else showStored(box, match, TABLE);
  return seats;
}

/**
 * Show the link that this window remembers, or buttons that make one.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {string} place a seat, or the table
 */
function showStored(box, match, place) {
  const { reach, links } = storedLinks(match);
  if (!links?.[place]) return box.append(...linkButtons(box, match, place));
  showLink(box, links[place], reach ?? "", place);
  box.append(rotateButton(box, match, place));
}

/**
 * The buttons that make links to a place.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {string} place a seat, or the table
 */
export function linkButtons(box, match, place) {
  const make = button(phrase("new_link"), () => makeLink(box, match, place, false));
  return [element("p", { class: "buttons" }, make), rotateButton(box, match, place)];
}

/**
 * The button that makes a link and ends all others.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {string} place a seat, or the table
 */
function rotateButton(box, match, place) {
  const onClick = () => makeLink(box, match, place, true);
  return element("p", { class: "rotate" }, button(phrase("rotate"), onClick, "link-like"));
}

/**
 * Make a new link and show it.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {string} place a seat, or the table
 * @param {boolean} rotate whether all other links to it stop working
 */
async function makeLink(box, match, place, rotate) {
  const path = place === TABLE ? TABLE : `seats/${place}`;
  let made;
  try {
    made = await post(`/api/matches/${match}/${path}/links`, { rotate });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    box.append(element("p", { class: "wrong", role: "alert" }, error.message));
    return;
  }
  const stored = storedLinks(match);
  if (stored.links) {
    stored.links[place] = made.link; // the one before may have stopped working
    visit.write(storageKey(match), JSON.stringify(stored));
  }
  box.replaceChildren(...[...box.children].filter((child) => child.matches("h2")));
  showLink(box, made.link, made.reach, place);
  if (rotate) box.append(element("p", { class: "note", role: "status" }, phrase("rotated")));
  box.append(rotateButton(box, match, place));
}

/**
 * Show a link with a button to copy it; with its QR code, unless that of the table stands above.
 * @param {HTMLElement} box
 * @param {string} link
 * @param {string} reach
 * @param {string} place a seat, or the table
 */
function showLink(box, link, reach, place) {
  const note = phrase(place === TABLE ? "table_note" : "secret");
  const field = element("input", { readonly: "", value: link, "aria-label": note });
  const message = element("span", { role: "status", class: "said" });
  field.addEventListener("focus", () => /** @type {HTMLInputElement} */ (field).select());
  const copyButton = button(phrase("copy"), () => copyText(link, message));
  box.append(element("div", { class: "field" }, field, copyButton), message);
  if (box.matches(".seat-link")) return;
  const code = element("div", { class: "qr-box" });
  box.append(code, element("p", { class: "note" }, note, " ", phrase(`reach_${reach}`)));
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
