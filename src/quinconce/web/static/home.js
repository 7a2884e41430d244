/** The first page: Play starts a match against the engine at once, and a card shows an edition. */

import { go } from "./address.js";
import { ApiError } from "./api.js";
import { byId } from "./dom.js";
import { chooseLastLevel, lastName, makeMatch, rememberLevel } from "./new_match.js";

const levels = /** @type {HTMLSelectElement} */ (byId("level"));

/**
 * Make a match against the engine and open it.
 * @param {string} game
 * @param {Record<string, string>} options
 */
async function playEngine(game, options) {
  const level = Number(levels.value);
  const seats = [{ kind: "me", name: lastName() }, { kind: "engine", level }];
  const id = await makeMatch({ game, options, seats, order: "lot" });
  rememberLevel(level);
  go(`/match/${id}`);
}

/**
 * Show one edition of a game on its card.
 * @param {Element} card
 * @param {string} edition its number
 */
function showEdition(card, edition) {
  for (const part of card.querySelectorAll("[data-edition]")) {
    /** @type {HTMLElement} */ (part).hidden = part.getAttribute("data-edition") !== edition;
  }
}

let making = false; // a second click makes no second match
addEventListener("pageshow", () => (making = false));
for (const link of document.querySelectorAll("a[data-game]")) {
  const { game = "", options = "{}" } = /** @type {HTMLElement} */ (link).dataset;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (making) return;
    making = true;
    byId("play-wrong").textContent = "";
    try {
      await playEngine(game, JSON.parse(options));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      byId("play-wrong").textContent = error.message;
      making = false;
    }
  });
}

for (const card of document.querySelectorAll("[data-card]")) {
  const choice = card.querySelector("fieldset");
  if (!choice) continue;
  choice.hidden = false;
  const update = () => {
    const chosen = /** @type {HTMLInputElement | null} */ (choice.querySelector(":checked"));
    showEdition(card, chosen?.value ?? "0");
  };
  choice.addEventListener("change", update);
  addEventListener("pageshow", update); // a browser that goes back keeps what was chosen
}
byId("play-level").hidden = false;
chooseLastLevel(levels);
