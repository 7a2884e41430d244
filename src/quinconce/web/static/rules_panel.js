/** The rules in short beside the board: the button with the question mark and the key «?». */

import { ask } from "./api.js";
import { element, parseSvg } from "./dom.js";
import { phrase } from "./i18n.js";

const WIDE = matchMedia("(min-width: 56rem) and (min-height: 32rem)"); // as in the style sheet

class RulesPanel {
  /**
   * @param {HTMLElement} button
   * @param {HTMLDialogElement} dialog
   */
  constructor(button, dialog) {
    this.button = button;
    this.dialog = dialog;
    this.loaded = ""; // the address of the rules on show
    button.hidden = false;
    button.addEventListener("click", () => this.toggle());
    dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && dialog.matches(":modal")) dialog.close(); // beside the sheet
    });
    dialog.addEventListener("close", () => {
      button.setAttribute("aria-expanded", "false");
      button.focus({ preventScroll: true });
    });
    document.addEventListener("keydown", (event) => this.onKeydown(event));
  }

  /** @param {KeyboardEvent} event */
  onKeydown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (event.key === "?" && !target.closest("input, textarea, select")) {
      event.preventDefault();
      this.toggle();
    } else if (event.key === "Escape" && this.dialog.contains(target)) {
      event.preventDefault();
      this.dialog.close();
    }
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.open();
  }

  /** Beside the board where there is room, so that one can play on; else a sheet over the page. */
  open() {
    if (WIDE.matches) this.dialog.show();
    else this.dialog.showModal();
    this.button.setAttribute("aria-expanded", "true");
    this.dialog.focus({ preventScroll: true });
    this.load();
  }

  /** Read the rules that the dialog names, unless they are there. */
  async load() {
    const content = this.dialog.querySelector(".rules-content");
    const address = this.dialog.dataset.rules ?? "";
    if (address === this.loaded) return;
    try {
      const answer = await ask(address);
      if (!answer.ok) throw new Error(String(answer.status));
      content?.replaceChildren(parseSvg(await answer.text()));
      this.loaded = address;
    } catch {
      content?.replaceChildren(element("p", { class: "wrong" }, phrase("unreachable")));
    }
  }
}

const button = document.getElementById("rules-button");
const dialog = document.getElementById("rules-panel");
if (button && dialog instanceof HTMLDialogElement) new RulesPanel(button, dialog);
