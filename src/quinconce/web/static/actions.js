/** What the buttons beside the board do. */

import { go } from "./address.js";
import { post, request } from "./api.js";
import { askToConfirm, byId, element, inputById, onCustomEvent, onSubmit } from "./dom.js";
import { explainSlowEngine, whileWaiting } from "./engine_progress.js";
import { phrase } from "./i18n.js";
import { narrow } from "./rule_questions.js";
import { rememberName } from "./new_match.js";
import { setSound, soundIsOn } from "./notify.js";
import { ProvenValues, provenText } from "./proven.js";
import { copyText, linkButtons } from "./seat_links.js";
import { SharePanel } from "./share.js";

/** @typedef {import("./match.js").MatchPage} MatchPage */

export class Actions {
  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
  }

  addListeners() {
    const { page } = this;
    for (const button of document.querySelectorAll("[data-act]")) {
      button.addEventListener("click", () => this.run(button.getAttribute("data-act") ?? ""));
    }
    onCustomEvent(page.board, "narrow", (touched) => {
      narrow(page.board, page.line, touched, (error) => page.showError(error));
    });
    onSubmit("typed", async () => {
      const field = inputById("typed-move");
      const move = field.value.trim();
      if (move && (await page.send("moves", { move }))) field.value = "";
    });
    onSubmit("rename", async () => {
      const name = inputById("my-name").value;
      rememberName(name);
      await page.send("seat", { name, seat: page.view.mine[0] });
    });
    const proven = new ProvenValues(page.moveList, () => {
      const over = page.view.scene.outcome !== null;
      return { ...page.view, match: page.view.id, over, allowed: over || page.view.hints };
    });
    proven.show();
    new SharePanel(() => this.shared());
    for (const menu of document.querySelectorAll("details.more")) closeOnEscape(menu);
    page.moveList.addEventListener("shown", () => explainSlowEngine(page));
    this.showSound();
    this.showOwnSeats();
  }

  /** @param {string} name the `data-act` of a button */
  async run(name) {
    const { page } = this;
    if (name === "pass") await page.send("moves", { move: page.view.scene.legal?.[0].move });
    else if (["takeback", "stop", "hints", "rematch"].includes(name)) {
      await page.send("agreements", { matter: name });
    } else if (name === "resign") {
      if (await askToConfirm("resign")) await page.send("resignations", {});
    } else if (name === "hint") await this.showHint();
    else if (name === "flip") {
      await page.flip();
    } else if (name === "watch") await copyText(location.href, byId("whisper"));
    else if (name === "sound") {
      setSound(!soundIsOn());
      this.showSound();
    } else if (name === "delete" && (await askToConfirm("delete"))) {
      await request("DELETE", page.path);
      go("/");
    }
  }

  async showHint() {
    const { board, path } = this.page;
    board.announce(phrase("hint_comes"));
    try {
      const answer = post(`${path}/hints`);
      const tell = (/** @type {string} */ text) => board.announce(text);
      const { move } = await whileWaiting(answer, `${path}/engine`, tell);
      board.hint(move);
      board.announce(phrase("hint", { move }));
      const proven = await provenText({ ...this.page.view, match: this.page.view.id }, move);
      if (proven) board.announce(`${phrase("hint", { move })}. ${proven}`);
    } catch (error) {
      this.page.showError(error);
    }
  }

  /** The position on show and the match, to be shared as pictures. */
  shared() {
    const { view, past, practice, review, flipped } = this.page;
    const { ply, position } = practice ?? past ?? view.scene;
    const { game, options, start } = view;
    const tried = practice ? review.mistakes.found : []; // a better move than the one played
    const moves = [...view.moves.slice(0, ply - tried.length), ...tried];
    const drawn = review.told?.state === "done";
    const curve = drawn ? `${this.page.path}/review/curve.svg?side=${review.side}` : undefined;
    return { game, options, start, moves, position, flipped, match: view.id, curve };
  }

  showSound() {
    const button = document.querySelector("[data-act=sound]");
    button?.setAttribute("aria-pressed", String(soundIsOn()));
  }

  /** Show one's name, and buttons that make links to one's seats, to play on elsewhere. */
  showOwnSeats() {
    const { view } = this.page;
    inputById("my-name").value = view.seats[view.mine[0]]?.name ?? "";
    byId("elsewhere").replaceChildren();
    for (const seat of view.mine) {
      const box = element("div", { class: "invitation" });
      box.append(element("h2", {}, phrase("link_for", { player: view.seats[seat].called })));
      box.append(...linkButtons(box, view.id, String(seat)));
      byId("elsewhere").append(box);
    }
  }
}

/**
 * Close a menu with the Escape key, and go back to what opened it.
 * @param {Element} menu
 */
function closeOnEscape(menu) {
  menu.addEventListener("keydown", (event) => {
    if (/** @type {KeyboardEvent} */ (event).key !== "Escape") return;
    if (!menu.hasAttribute("open")) return;
    event.stopPropagation(); // a move under way is not cancelled by the same key
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  });
}
