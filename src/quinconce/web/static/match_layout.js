/** Where the parts of the page of a match stand: beside the board, or above and below it. */

import { byId } from "./dom.js";

// Where there is no room for a panel beside the board; as in the style sheet.
const NARROW = matchMedia("(max-width: 55.99rem), (max-height: 31.99rem)");

/** Keep the players, and what they are asked now, in view: the board never gives way to them. */
export function arrangeParts() {
  const [seats, asked] = [byId("seats"), byId("asked")];
  const arrange = () => {
    if (NARROW.matches) {
      byId("board").before(seats);
      byId("remark").after(asked);
    } else byId("heading").after(seats, asked);
  };
  NARROW.addEventListener("change", arrange);
  arrange();
}
