/** Why a move is not legal: the rules say it in their own words. */

import { post } from "./api.js";

/**
 * Let the server refuse a move at the end of a line; throws an ApiError with the reason.
 * @param {{game: string, options: object, start: string | null, moves: string[]}} line
 * @param {string} text
 */
export async function explainIllegal({ game, options, start, moves }, text) {
  await post("/api/explore", { game, options, position: start, moves: [...moves, text] });
}
