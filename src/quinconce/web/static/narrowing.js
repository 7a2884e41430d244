/** Where there are too many moves to list, an answer says what may follow the places touched. */

import { whatNext } from "./guidance.js";

/** @typedef {import("./board.js").GameBoard} GameBoard */
/** @typedef {import("./partial_move.js").Moves} Moves */

/**
 * Go on with the move under way once it is known what may follow; touches meanwhile are held.
 * @param {GameBoard} board
 * @param {Promise<Moves>} answer
 * @param {(error: any) => void} onError
 */
export function narrowBy(board, answer, onError) {
  board.held.until(take(board, answer).then(() => true, onError));
}

/**
 * @param {GameBoard} board
 * @param {Promise<Moves>} answer
 */
async function take(board, answer) {
  const { partialMove } = board;
  try {
    // Not if the player has gone on meanwhile.
    const scene = await answer;
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
