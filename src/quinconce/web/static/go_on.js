/** On the first page, a way back to the puzzles for people who have begun to solve them. */

import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { puzzleRun } from "./puzzle_run.js";

const { last, streak, best } = puzzleRun;
if (last) {
  byId("go-on-link").setAttribute("href", last);
  byId("go-on-words").textContent = best ? phrase("streak", { n: streak, best }) : "";
  byId("go-on").hidden = false;
}
