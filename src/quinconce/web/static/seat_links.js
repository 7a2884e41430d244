/** Links to seats: to copy, and as a picture for the camera of a phone. */

import { Refusal, ask, post } from "./api.js";
import { button, drawing, element } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").SeatLink} SeatLink */

/** @param {string} match */
const key = (match) => `links-${match}`;

/**
 * Remember the links of a new match for its page: nobody is told them again.
 * @param {string} match
 * @param {string} reach
 * @param {SeatLink[]} seats
 */
export function remember(match, reach, seats) {
  const links = seats.filter((seat) => seat.link).map((seat) => [seat.seat, seat.link]);
  sessionStorage.setItem(key(match), JSON.stringify({ reach, links: Object.fromEntries(links) }));
}

/**
 * The boxes for seats where nobody has come yet.
 * @param {View} view
 * @param {HTMLElement} holder
 */
export function invite(view, holder) {
  const waiting = view.maker
    ? view.seats.filter((seat) => seat.kind === "friend" && !seat.claimed && !seat.mine)
    : [];
  const wanted = new Set(waiting.map((seat) => `invitation-${seat.seat}`));
  for (const box of [...holder.children]) if (!wanted.has(box.id)) box.remove();
  for (const seat of waiting) {
    const id = `invitation-${seat.seat}`;
    if (document.getElementById(id)) continue;
    const box = element("div", { class: "invitation", id });
    box.append(element("h2", {}, say("link_for", { player: seat.called })));
    holder.append(box);
    const kept = JSON.parse(sessionStorage.getItem(key(view.id)) ?? "{}");
    if (kept.links?.[seat.seat]) {
      show(box, kept.links[seat.seat], kept.reach);
      box.append(rotator(box, view.id, seat.seat));
    } else box.append(...makers(box, view.id, seat.seat));
  }
}

/**
 * The buttons that make links to a seat.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {number} seat
 */
export function makers(box, match, seat) {
  const more = button(say("new_link"), () => renew(box, match, seat, false));
  return [element("p", { class: "buttons" }, more), rotator(box, match, seat)];
}

/**
 * @param {HTMLElement} box
 * @param {string} match
 * @param {number} seat
 */
function rotator(box, match, seat) {
  const rotate = button(say("rotate"), () => renew(box, match, seat, true), "slight");
  return element("p", { class: "rotate" }, rotate);
}

/**
 * Make a new link to a seat and show it.
 * @param {HTMLElement} box
 * @param {string} match
 * @param {number} seat
 * @param {boolean} rotate whether all others cease to work
 */
async function renew(box, match, seat, rotate) {
  let made;
  try {
    made = await post(`/api/matches/${match}/seats/${seat}/links`, { rotate });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    box.append(element("p", { class: "wrong", role: "alert" }, error.message));
    return;
  }
  const kept = JSON.parse(sessionStorage.getItem(key(match)) ?? "{}");
  if (kept.links?.[seat]) {
    kept.links[seat] = made.link; // the one before may open nothing any more
    sessionStorage.setItem(key(match), JSON.stringify(kept));
  }
  box.replaceChildren(...[...box.children].filter((child) => child.matches("h2")));
  show(box, made.link, made.reach);
  if (rotate) box.append(element("p", { class: "note", role: "status" }, say("rotated")));
  box.append(rotator(box, match, seat));
}

/**
 * @param {HTMLElement} box
 * @param {string} link
 * @param {string} reach
 */
function show(box, link, reach) {
  const field = element("input", { readonly: "", value: link, "aria-label": say("secret") });
  const said = element("span", { role: "status", class: "said" });
  field.addEventListener("focus", () => /** @type {HTMLInputElement} */ (field).select());
  const copying = button(say("copy"), () => copy(link, said));
  const code = element("div", { class: "qr-box" });
  box.append(
    element("div", { class: "field" }, field, copying),
    said,
    code,
    element("p", { class: "note" }, say("secret"), " ", say(`reach_${reach}`)),
  );
  ask("POST", "/api/qr", { text: link }).then(
    (svg) => code.replaceChildren(drawing(svg)),
    () => code.remove(), // the link itself is there
  );
}

/**
 * @param {string} text
 * @param {HTMLElement} said where it is told
 */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = say("copied");
  } catch {
    said.textContent = copiedByHand(text) ? say("copied") : text;
  }
}

/**
 * Where there is no clipboard for pages, as on an address without encryption, a field can be copied.
 * @param {string} text
 */
function copiedByHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
