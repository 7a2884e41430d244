/** What stands beside a puzzle: the list of all of them, how many are solved, and the streak. */

import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { puzzleRun } from "./puzzle_run.js";
import { solvedPuzzles } from "./solved_puzzles.js";

/** @typedef {import("./puzzle_run.js").Entry} Entry */

/**
 * Show which puzzles are solved, which is open, and which have the theme that was chosen.
 * @param {Entry[]} entries
 * @param {Entry[]} chosen those that have the theme
 * @param {string} current
 */
export function showPuzzleList(entries, chosen, current) {
  const ids = new Set(chosen.map(({ id }) => id));
  for (const link of document.querySelectorAll(".numbers a")) {
    const id = link.getAttribute("href")?.slice(1) ?? "";
    const solved = solvedPuzzles.has(id);
    link.classList.toggle("solved", solved);
    /** @type {HTMLElement} */ (link.parentElement).hidden = !ids.has(id);
    const label = phrase(solved ? "puzzle_solved" : "puzzle_open", { n: link.textContent ?? "" });
    link.setAttribute("aria-label", label);
    if (id === current) {
      link.setAttribute("aria-current", "true");
      const grade = link.closest("details");
      if (grade && !document.querySelector(".grade[open]")) grade.open = true;
    } else link.removeAttribute("aria-current");
  }
  for (const grade of document.querySelectorAll(".grade")) {
    const shown = "li:not([hidden]) a";
    const of = grade.querySelectorAll(shown).length;
    /** @type {HTMLElement} */ (grade).hidden = of === 0;
    const tally = grade.querySelector(".tally");
    if (tally) tally.textContent = `${grade.querySelectorAll(`${shown}.solved`).length} / ${of}`;
  }
  const n = entries.filter(({ id }) => solvedPuzzles.has(id)).length;
  byId("progress").textContent = phrase("progress", { n, of: entries.length });
  showStreak();
}

export function showStreak() {
  const { streak, best } = puzzleRun;
  byId("streak").textContent = best ? phrase("streak", { n: streak, best }) : "";
}
