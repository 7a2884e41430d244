/** The buttons beside the board, and what each of them does. */

import { sounds, wantSounds } from "./notify.js";
import { ask, post } from "./api.js";
import { copy, makers } from "./seat_links.js";
import { Truths, provedOf } from "./proven.js";
import { element, input, part, sent } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {import("./match.js").Table} Table */

export class Acts {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  wire() {
    const { table } = this;
    for (const act of document.querySelectorAll("[data-act]")) {
      act.addEventListener("click", () => this.do(act.getAttribute("data-act") ?? ""));
    }
    sent("typed", async () => {
      const field = input("typed-move");
      const move = field.value.trim();
      if (move && (await table.send("moves", { move }))) field.value = "";
    });
    input("my-name").value = table.view.seats[table.view.mine[0]]?.name ?? "";
    sent("rename", async () => {
      const name = input("my-name").value;
      localStorage.setItem("name", name);
      await table.send("seat", { name, seat: table.view.mine[0] });
    });
    const truths = new Truths(table.moves, () => {
      const over = table.view.scene.outcome !== null;
      return { ...table.view, over, allowed: over || table.view.hints };
    });
    truths.show();
    this.sound();
    this.elsewhere();
  }

  /** @param {string} name */
  async do(name) {
    const { table } = this;
    const matter = name;
    if (name === "pass") await table.send("moves", { move: table.view.scene.legal?.[0].move });
    else if (["takeback", "stop", "hints", "rematch"].includes(name)) {
      const done = await table.send("agreements", { matter });
      if (done?.view.rematch) location.href = `/match/${done.view.rematch}`;
    } else if (name === "resign") {
      if (await sure("resign")) await table.send("resignations", {});
    } else if (name === "hint") await this.hint();
    else if (name === "flip") {
      table.flipped = !table.flipped;
      if (table.past) await table.lookBack(table.past.ply);
      await table.refresh();
    } else if (name === "watch") await copy(location.href, part("whisper"));
    else if (name === "sound") {
      wantSounds(!sounds());
      this.sound();
    } else if (name === "delete" && (await sure("delete"))) {
      await ask("DELETE", table.path);
      location.href = "/";
    }
  }

  async hint() {
    this.table.board.whisper(say("hint_comes"));
    try {
      const { move } = await post(`${this.table.path}/hints`);
      this.table.board.hint(move);
      this.table.board.whisper(say("hint", { move }));
      const proved = await provedOf(this.table.view, move);
      if (proved) this.table.board.whisper(`${say("hint", { move })}. ${proved}`);
    } catch (error) {
      this.table.complain(error);
    }
  }

  sound() {
    document.querySelector("[data-act=sound]")?.setAttribute("aria-pressed", String(sounds()));
  }

  /** Links to go on with a seat on another device. */
  elsewhere() {
    const { view } = this.table;
    for (const seat of view.mine) {
      const box = element("div", { class: "invitation" });
      box.append(element("h2", {}, say("link_for", { player: view.seats[seat].called })));
      box.append(...makers(box, view.id, seat));
      part("elsewhere").append(box);
    }
  }
}

/**
 * @param {string} what
 * @returns {Promise<boolean>}
 */
function sure(what) {
  const dialog = /** @type {HTMLDialogElement} */ (part("sure"));
  const text = /** @type {HTMLTemplateElement} */ (part(`sure-${what}`));
  part("sure-text").textContent = text.content.textContent;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
