/** Questions to the rules: which moves follow the places touched so far, and why one is not legal. */

import { post } from "./api.js";
import { narrowBy } from "./narrowing.js";

/** @typedef {import("./board.js").GameBoard} GameBoard */
/** @typedef {{game: string, options: object, start: string | null, moves: string[]}} Line */

/**
 * Ask what may follow the places that were touched in the last position of a line; touches
 * meanwhile are held.
 * @param {GameBoard} board
 * @param {Line} line
 * @param {string[]} touched
 * @param {(error: any) => void} onError
 */
export function narrow(board, { game, options, start, moves }, touched, onError) {
  const body = { game, options, position: start, moves, touched };
  const answer = post("/api/explore", body).then(({ scene }) => scene);
  narrowBy(board, answer, onError);
}

/**
 * Let the server refuse a move at the end of a line; throws an ApiError with the reason.
 * @param {Line} line
 * @param {string} text
 */
export async function explainIllegal({ game, options, start, moves }, text) {
  await post("/api/explore", { game, options, position: start, moves: [...moves, text] });
}
