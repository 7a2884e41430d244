/** The form in which a match is set up: the options, who sits where, who starts, the clock. */

import { Refusal, post } from "./api.js";
import { remember } from "./seat_links.js";
import { data, drawing, element, input, part } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {{options: Record<string, string>, seats: string[], sides: number[][], swatches: string[]}} Form */
/** @typedef {{kind: string, name?: string, level?: number}} Chair */

const form = /** @type {HTMLFormElement} */ (part("setup"));
const NAME = "name";
const KINDS = ["me", "here", "friend", "engine"];

/** @type {Form[]} */
const forms = data("forms");
/** @type {Form | null} the one whose seats are listed */
let seated = null;

/** The value of a group of radio buttons. */
const chosen = (/** @type {string} */ name) => String(new FormData(form).get(name) ?? "");

/** @returns {Record<string, string>} */
function options() {
  /** @type {Record<string, string>} */
  const found = {};
  for (const field of form.querySelectorAll("input[data-option]:checked")) {
    const name = field.getAttribute("data-option") ?? "";
    const own = form.querySelector(`[data-number="${name}"]`);
    const value = /** @type {HTMLInputElement} */ (field).value;
    found[name] = value || /** @type {HTMLInputElement} */ (own).value;
  }
  return found;
}

/** The form of the game that the options describe, if a sheet has it. */
function shape() {
  const wanted = options();
  return forms.find((each) =>
    Object.entries(each.options).every(([name, value]) => wanted[name] === value),
  );
}

/** @returns {Chair[]} */
function chairs() {
  const way = chosen("way");
  const level = Number(chosen("level"));
  const name = input("name").value.trim();
  const count = shape()?.seats.length ?? 0;
  if (way === "mixed") return [...Array(count).keys()].map((seat) => chair(seat, name));
  /** @type {Chair[]} */
  const others = Array.from({ length: count - 1 }, () =>
    way === "engine" ? { kind: "engine", level } : { kind: way },
  );
  const me = { kind: "me", name };
  return chosen("order") === "last" ? [...others, me] : [me, ...others];
}

/**
 * @param {number} seat
 * @param {string} name
 * @returns {Chair}
 */
function chair(seat, name) {
  const kind = chosen(`seat-${seat}`);
  if (kind === "engine") return { kind, level: Number(chosen(`level-${seat}`)) };
  return { kind, name: kind === "me" ? name : chosen(`name-${seat}`) };
}

/** A row for every seat, kept as it was where the seat is the same. */
function seating() {
  const found = shape();
  part("setup-wrong").textContent = found ? "" : say("no_such_form");
  /** @type {HTMLButtonElement} */ (part("play")).disabled = !found;
  const mixed = chosen("way") === "mixed";
  part("seats").hidden = !mixed;
  part("level-line").hidden = chosen("way") !== "engine";
  for (const label of form.querySelectorAll("[data-for]")) {
    const fits = label.getAttribute("data-for") === (mixed ? "mixed" : "ready");
    /** @type {HTMLElement} */ (label).hidden = !fits;
    const radio = label.querySelector("input");
    if (!fits && radio?.checked) input("lot").checked = true;
  }
  if (!found || found === seated) return;
  seated = found;
  /** @type {NodeListOf<HTMLSelectElement | HTMLInputElement>} */
  const fields = part("seats").querySelectorAll("select, input");
  const kept = [...fields].map((field) => [field.name, field.value]);
  part("seats").replaceChildren(...found.seats.map((plays, seat) => row(found, plays, seat)));
  for (const [name, value] of kept) {
    const field = form.elements.namedItem(name);
    if (field && "value" in field) field.value = value;
  }
  details();
}

/**
 * @param {Form} found
 * @param {string} plays
 * @param {number} seat
 */
function row(found, plays, seat) {
  const id = `seat-${seat}`;
  const side = found.sides.findIndex((mates) => mates.includes(seat));
  const team = found.sides[side].length > 1 ? ` (${say("team", { n: side + 1 })})` : "";
  const kinds = element("select", { id, name: id });
  for (const kind of KINDS) {
    const text = say(kind === "engine" ? "robot" : kind);
    kinds.append(element("option", { value: kind }, text));
  }
  /** @type {HTMLSelectElement} */ (kinds).value = seat ? "engine" : "me";
  const levels = /** @type {HTMLSelectElement} */ (part("level").cloneNode(true));
  levels.id = levels.name = `level-${seat}`;
  levels.setAttribute("aria-label", part("level-line").querySelector("label")?.textContent ?? "");
  const label = say("seat_n", { n: seat + 1, plays }) + team;
  const name = element("input", {
    name: `name-${seat}`,
    maxlength: "40",
    "aria-label": `${label}, ${say("your_name")}`,
    placeholder: say("player", { n: seat + 1 }),
  });
  return element(
    "div",
    { class: "seat-row" },
    element("span", { class: "swatches" }, drawing(found.swatches[seat])),
    element("label", { for: id }, label),
    kinds,
    levels,
    name,
  );
}

/** What a kind of seat asks for: an engine a level, others a name. */
function details() {
  for (const row of part("seats").children) {
    const [kind, level] = row.querySelectorAll("select");
    level.hidden = kind.value !== "engine";
    const name = /** @type {HTMLInputElement} */ (row.querySelector("input"));
    name.hidden = kind.value === "engine" || kind.value === "me";
  }
}

/** @returns {object | null} */
function clock() {
  const kind = chosen("clock");
  if (kind === "minutes") {
    return { minutes: Number(chosen("minutes")), increment: Number(chosen("increment")) };
  }
  return kind === "days" ? { days: Number(chosen("days")) } : null;
}

async function make() {
  const order = chosen("order") === "lot" ? "lot" : "given";
  const seats = chairs();
  localStorage.setItem(NAME, input("name").value.trim());
  const { game, position } = form.dataset;
  const setup = { game, seats, order, options: options(), clock: clock(), position };
  const made = await post("/api/matches", setup);
  remember(made.id, made.reach, made.seats);
  const people = seats.some((each) => each.kind === "friend");
  if (people && new FormData(form).has("hints")) {
    await post(`/api/matches/${made.id}/agreements`, { matter: "hints", seq: 0 });
  }
  location.href = `/match/${made.id}`;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const play = /** @type {HTMLButtonElement} */ (part("play"));
  play.disabled = true;
  part("setup-wrong").textContent = "";
  try {
    await make();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    part("setup-wrong").textContent = error.message;
    play.disabled = false;
  }
});
form.addEventListener("change", (event) => {
  const seat = /** @type {Element} */ (event.target).closest(".seat-row");
  if (seat) details();
  else seating();
});
addEventListener("pageshow", () => seating());
input("name").value = localStorage.getItem(NAME) ?? "";
