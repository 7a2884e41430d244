/** Questions to the rules: which moves follow the places touched so far, and why one is not legal. */

import { post } from "./api.js";
import { whatNext } from "./guidance.js";

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
export function narrow(board, line, touched, onError) {
  board.held.until(ask(board, line, touched).then(() => true, onError));
}

/**
 * @param {GameBoard} board
 * @param {Line} line
 * @param {string[]} touched
 */
async function ask(board, { game, options, start, moves }, touched) {
  const { partialMove } = board;
  try {
    const body = { game, options, position: start, moves, touched };
    const { scene } = await post("/api/explore", body);
    // Not if the player has gone on meanwhile.
    if (board.partialMove !== partialMove || !partialMove.narrow(scene)) return;
  } catch (error) {
    board.cancelMove();
    throw error;
  }
  const { decided, last } = partialMove;
  if (decided) return board.play(decided.move);
  board.announce(whatNext(board, last ?? ""));
  board.describing = true;
  board.updateMarks();
}

/**
 * Let the server refuse a move at the end of a line; throws an ApiError with the reason.
 * @param {Line} line
 * @param {string} text
 */
export async function explainIllegal({ game, options, start, moves }, text) {
  await post("/api/explore", { game, options, position: start, moves: [...moves, text] });
}
