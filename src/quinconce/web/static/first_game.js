/** The buttons that start a first game: against the first level, with remarks. */

import { go } from "./address.js";
import { ApiError } from "./api.js";
import { element } from "./dom.js";
import { lastName, makeMatch } from "./new_match.js";
import { wantRemarks } from "./remarks.js";

/**
 * Make the match that a button stands for, and open it.
 * @param {DOMStringMap} dataset
 */
async function startFirstGame({ firstGame: game, options = "{}", seats = "2" }) {
  const engines = Array.from({ length: Number(seats) - 1 }, () => ({ kind: "engine", level: 1 }));
  const setup = { game, options: JSON.parse(options), order: "given" };
  const id = await makeMatch({ ...setup, seats: [{ kind: "me", name: lastName() }, ...engines] });
  wantRemarks(true);
  go(`/match/${id}`);
}

const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll("[data-first-game]")
);
for (const button of buttons) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await startFirstGame(button.dataset);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      button.after(element("span", { class: "wrong", role: "alert" }, error.message));
      button.disabled = false;
    }
  });
}
// Also when somebody comes back to the page.
addEventListener("pageshow", () => buttons.forEach((button) => (button.disabled = false)));
