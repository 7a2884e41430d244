/** A move half made is seen on the board: its pieces stand where they have been put so far. */

/** @typedef {import("./board.js").GameBoard} GameBoard */

export const RING = 1.12; // the ring about a place is this much larger than a piece on it

/**
 * Draw pieces on the touched places that are empty, and take away those drawn before.
 * @param {GameBoard} board
 */
export function showHalfMade(board) {
  for (const old of board.querySelectorAll(".half-made")) old.remove();
  const { touched } = board.partialMove;
  const first = touched.length ? board.at(touched[0]) : undefined;
  if (!first) return;
  const moving = first.querySelector(".piece");
  const piece = moving ?? board.querySelector(".reserve.to-move .piece");
  // A piece that moves on stands on the last place alone; pieces that are placed stay.
  const places = moving ? touched.slice(1).slice(-1) : touched;
  for (const place of places.map((name) => board.at(name))) {
    if (piece && place && !place.querySelector(".piece")) drawOn(place, piece);
  }
}

/**
 * @param {SVGElement} place
 * @param {Element} piece one like it; those in a reserve are smaller
 */
function drawOn(place, piece) {
  const ring = place.querySelector(":scope > .ring");
  const radius = Number(piece.querySelector(".body")?.getAttribute("r"));
  const copy = /** @type {Element} */ (piece.cloneNode(true));
  copy.removeAttribute("data-piece");
  copy.classList.replace("piece", "half-made");
  const scale = Number(ring?.getAttribute("r")) / RING / radius;
  copy.setAttribute("transform", `scale(${scale || 1})`);
  place.insertBefore(copy, ring);
}
