/** The form that sets up a match: the options, the players, who starts, the clock. */

import { go } from "./address.js";
import { ApiError, post } from "./api.js";
import { byId, element, inputById, pageData, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";
import { chooseLastLevel, lastName, makeMatch, rememberLevel, rememberName } from "./new_match.js";

/** @typedef {{options: Record<string, string>, seats: string[], order: number[], sides: number[][], swatches: string[]}} GameForm */
/** @typedef {{kind: string, name?: string, level?: number}} SeatSetup */

const form = /** @type {HTMLFormElement} */ (byId("setup"));
const KINDS = ["me", "here", "friend", "engine"];

/** @type {GameForm[]} the forms of the game that a rule sheet describes, each with its seats */
const gameForms = pageData("forms");
/** @type {GameForm | null} the one whose seats are listed */
let listedForm = null;

/** The value of a field, or of the checked one of a group of radio buttons. */
const fieldValue = (/** @type {string} */ name) => String(new FormData(form).get(name) ?? "");

/** @returns {Record<string, string>} */
function chosenOptions() {
  /** @type {Record<string, string>} */
  const options = {};
  for (const field of form.querySelectorAll("input[data-option]:checked")) {
    const name = field.getAttribute("data-option") ?? "";
    const ownNumber = form.querySelector(`[data-number="${name}"]`);
    const value = /** @type {HTMLInputElement} */ (field).value;
    options[name] = value || /** @type {HTMLInputElement} */ (ownNumber).value;
  }
  return options;
}

/** The form of the game that the chosen options describe, if a rule sheet has it. */
function chosenForm() {
  const chosen = chosenOptions();
  return gameForms.find((each) =>
    Object.entries(each.options).every(([name, value]) => chosen[name] === value),
  );
}

/**
 * Who plays in each seat.
 * @returns {SeatSetup[]}
 */
function seatSetups() {
  const way = fieldValue("way");
  const level = Number(fieldValue("level"));
  const name = inputById("name").value.trim();
  const count = chosenForm()?.seats.length ?? 0;
  if (way === "mixed") return [...Array(count).keys()].map((seat) => seatSetup(seat, name));
  /** @type {SeatSetup[]} */
  const others = Array.from({ length: count - 1 }, () =>
    way === "engine" ? { kind: "engine", level } : { kind: way },
  );
  const me = { kind: "me", name };
  return fieldValue("order") === "last" ? [...others, me] : [me, ...others];
}

/**
 * Who plays in a seat, as its own row says.
 * @param {number} seat
 * @param {string} myName
 * @returns {SeatSetup}
 */
function seatSetup(seat, myName) {
  const kind = fieldValue(`seat-${seat}`);
  if (kind === "engine") return { kind, level: Number(fieldValue(`level-${seat}`)) };
  return { kind, name: kind === "me" ? myName : fieldValue(`name-${seat}`) };
}

/** The options that are not the usual ones, in words, for readers who leave them folded. */
function describeOptions() {
  const words = [];
  for (const field of form.querySelectorAll("fieldset input[data-option]:checked")) {
    const { value, dataset, name } = /** @type {HTMLInputElement} */ (field);
    const usual = field === form.querySelector(`input[name="${name}"]`);
    const own = value ? "" : ` ${chosenOptions()[dataset.option ?? ""]}`;
    if (!usual && dataset.words) words.push(dataset.words + own);
  }
  return words.join(" · ");
}

/** The clock in the words of its line in the form; no words for none, as usual. */
function describeClock() {
  const chosen = form.querySelector('input[name="clock"]:checked');
  if (fieldValue("clock") === "none") return "";
  const parts = chosen?.nextElementSibling?.childNodes ?? [];
  const text = (/** @type {Node} */ part) => ("value" in part ? part.value : part.textContent);
  return [...parts].map(text).join("");
}

/** Show the fields that fit what is chosen; a row of a seat that stays keeps its values. */
function updateFields() {
  const chosen = chosenForm();
  byId("setup-wrong").textContent = chosen ? "" : phrase("no_such_form");
  byId("chosen").textContent = describeOptions();
  byId("chosen-clock").textContent = describeClock();
  const players = /** @type {HTMLElement | null} */ (form.querySelector("[data-meaning]:checked"));
  if (players) byId("players-meaning").textContent = players.dataset.meaning ?? "";
  /** @type {HTMLButtonElement} */ (byId("play")).disabled = !chosen;
  const mixed = fieldValue("way") === "mixed";
  byId("seats").hidden = !mixed;
  byId("level-line").hidden = fieldValue("way") !== "engine";
  for (const label of form.querySelectorAll("[data-for]")) {
    const fits = label.getAttribute("data-for") === (mixed ? "mixed" : "ready");
    /** @type {HTMLElement} */ (label).hidden = !fits;
    const radio = label.querySelector("input");
    if (!fits && radio?.checked) inputById("lot").checked = true;
  }
  if (!chosen || chosen === listedForm) return;
  listedForm = chosen;
  /** @type {NodeListOf<HTMLSelectElement | HTMLInputElement>} */
  const fields = byId("seats").querySelectorAll("select, input");
  const before = [...fields].map((field) => [field.name, field.value]);
  byId("seats").replaceChildren(...chosen.order.map((seat) => seatRow(chosen, seat)));
  for (const [name, value] of before) {
    const field = form.elements.namedItem(name);
    if (field && "value" in field) field.value = value;
  }
  updateSeatRows();
}

/**
 * @param {GameForm} gameForm
 * @param {number} seat
 */
function seatRow(gameForm, seat) {
  const id = `seat-${seat}`;
  const side = gameForm.sides.findIndex((team) => team.includes(seat));
  const team = gameForm.sides[side].length > 1 ? ` (${phrase("team", { n: side + 1 })})` : "";
  const kinds = element("select", { id, name: id });
  for (const kind of KINDS) {
    const text = phrase(kind === "engine" ? "robot" : kind);
    kinds.append(element("option", { value: kind }, text));
  }
  /** @type {HTMLSelectElement} */ (kinds).value = seat ? "engine" : "me";
  const levels = /** @type {HTMLSelectElement} */ (byId("level").cloneNode(true));
  levels.id = levels.name = `level-${seat}`;
  levels.setAttribute("aria-label", byId("level-line").querySelector("label")?.textContent ?? "");
  const label = phrase("seat_n", { n: seat + 1, plays: gameForm.seats[seat] }) + team;
  const name = element("input", {
    name: `name-${seat}`,
    maxlength: "40",
    "aria-label": `${label}, ${phrase("your_name")}`,
    placeholder: phrase("player", { n: seat + 1 }),
  });
  return element(
    "div",
    { class: "seat-row" },
    element("span", { class: "swatches" }, parseSvg(gameForm.swatches[seat])),
    element("label", { for: id }, label),
    kinds,
    levels,
    name,
  );
}

/** Show the fields of each seat that its kind needs: a level for an engine, a name for a person. */
function updateSeatRows() {
  for (const row of byId("seats").children) {
    const [kind, level] = row.querySelectorAll("select");
    level.hidden = kind.value !== "engine";
    const name = /** @type {HTMLInputElement} */ (row.querySelector("input"));
    name.hidden = kind.value === "engine" || kind.value === "me";
  }
}

/** @returns {object | null} */
function clockTerms() {
  const kind = fieldValue("clock");
  if (kind === "minutes") {
    return { minutes: Number(fieldValue("minutes")), increment: Number(fieldValue("increment")) };
  }
  return kind === "days" ? { days: Number(fieldValue("days")) } : null;
}

async function createMatch() {
  const order = fieldValue("order") === "lot" ? "lot" : "given";
  const seats = seatSetups();
  rememberName(inputById("name").value.trim());
  const { game, position } = form.dataset;
  const setup = { game, seats, order, options: chosenOptions(), clock: clockTerms(), position };
  const id = await makeMatch(setup);
  if (fieldValue("way") === "engine") rememberLevel(Number(fieldValue("level")));
  const friends = seats.some((each) => each.kind === "friend");
  if (friends && new FormData(form).has("hints")) {
    await post(`/api/matches/${id}/agreements`, { matter: "hints", seq: 0 });
  }
  go(`/match/${id}`);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const play = /** @type {HTMLButtonElement} */ (byId("play"));
  play.disabled = true;
  byId("setup-wrong").textContent = "";
  try {
    await createMatch();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    byId("setup-wrong").textContent = error.message;
    play.disabled = false;
  }
});
form.addEventListener("change", (event) => {
  const row = /** @type {Element} */ (event.target).closest(".seat-row");
  if (row) updateSeatRows();
  else updateFields();
});
addEventListener("pageshow", () => updateFields());
inputById("name").value = lastName();
chooseLastLevel(/** @type {HTMLSelectElement} */ (byId("level")));
