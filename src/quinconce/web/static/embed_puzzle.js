/** A puzzle inside another site: moves are tried and judged, and nothing is kept. */

import "./board.js";
import { pageData } from "./dom.js";
import { PuzzleAttempt } from "./puzzle_attempt.js";

const attempt = new PuzzleAttempt();
attempt.puzzle = pageData("embed");
attempt.addListeners();
attempt.restart();
