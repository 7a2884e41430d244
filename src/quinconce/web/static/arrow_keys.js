/** Arrow keys on a board: each leads to the nearest place in its direction. */

import { centre } from "./places.js";

/** @typedef {{x: number, y: number}} Point */

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const ASIDE_COST = 2; // how much more a step to the side costs than one ahead
const WIDEST = 2.5; // to the side for one ahead: a point further aside is not in that direction

/**
 * The index of the nearest point in the direction of a key, or -1.
 * @param {string} key
 * @param {Point} from
 * @param {Point[]} points
 */
export function nearest(key, from, points) {
  const direction = DIRECTIONS[key];
  let best = -1;
  let least = Infinity;
  points.forEach((point, i) => {
    const dx = point.x - from.x;
    const dy = point.y - from.y;
    const ahead = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1] + dy * direction[0]);
    if (ahead < 1 || aside > WIDEST * ahead) return;
    const cost = ahead + ASIDE_COST * aside;
    if (cost < least) {
      least = cost;
      best = i;
    }
  });
  return best;
}

/**
 * Move the focus of a board to the nearest place in the direction of a key.
 * @param {import("./board.js").GameBoard} board
 * @param {string} key
 */
export function moveFocus(board, key) {
  const here = board.at(board.focused);
  if (!here) return;
  const others = board.places().filter((place) => place !== here);
  const found = nearest(key, centre(here), others.map(centre));
  if (found >= 0) others[found].focus({ preventScroll: true });
}

/** @param {string} key */
export const isArrow = (key) => key in DIRECTIONS;
