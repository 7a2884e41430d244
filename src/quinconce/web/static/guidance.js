/** What the rules tell a player who touches the board; the server sends the sentences. */

/** @typedef {import("./api.js").Guidance} Guidance */
/** @typedef {import("./board.js").GameBoard} GameBoard */

/**
 * Why no move begins at a place; an empty text if the rules have no reason.
 * @param {Guidance | null} guidance
 * @param {string[]} places innermost first
 */
export function whyNot(guidance, places) {
  const reasons = Object.entries(guidance?.hindrances ?? {});
  for (const place of places) {
    const found = reasons.find(([, hindered]) => hindered.includes(place));
    if (found) return found[0];
  }
  return "";
}

/**
 * What to do after the touch of a place that has begun or continued a move.
 * @param {GameBoard} board
 * @param {string} place
 */
export function whatNext(board, place) {
  const { partialMove, guidance, phrase } = board;
  if (partialMove.complete) return phrase("complete", { place });
  if (partialMove.severalAtOnce) return phrase("one_more", { place });
  if (partialMove.touched.length > 1) return phrase("go_on");
  const n = partialMove.nextPlaces().size;
  const letter = board.at(place)?.querySelector("[data-piece]")?.getAttribute("data-piece");
  const choose = guidance?.choose[letter ?? ""];
  if (!choose) return phrase("picked", { place: board.label(place), n });
  return `${choose} ${phrase("places_to_go", { n })}`;
}
