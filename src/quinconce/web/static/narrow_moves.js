/** Where a position has too many moves to list, the server is asked at every touch. */

import { post } from "./api.js";
import { whatNext } from "./guidance.js";

/**
 * Ask what may follow the places that were touched on a board, in the last position of a match.
 * @param {import("./board.js").GameBoard} board
 * @param {{game: string, options: object, start: string | null, moves: string[]}} match
 * @param {string[]} touched
 */
export async function narrow(board, { game, options, start, moves }, touched) {
  const { partialMove } = board;
  try {
    const body = { game, options, position: start, moves, touched };
    const { scene } = await post("/api/explore", body);
    if (board.partialMove !== partialMove || !partialMove.narrow(scene)) return; // it has gone on
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
