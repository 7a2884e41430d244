/** The places of a drawing: which lie in which, and where they are on the screen. */

/**
 * The places that an element lies in, innermost first.
 * @param {Element} element
 * @returns {string[]}
 */
export function chain(element) {
  const places = [];
  /** @type {Element | null | undefined} */
  let at = element.closest("[data-place]");
  while (at instanceof SVGElement) {
    places.push(at.dataset.place ?? "");
    at = at.parentElement?.closest("[data-place]");
  }
  return places;
}

/**
 * Where a place is on the screen; that of a pile is where the next piece would lie.
 * @param {SVGElement} place
 */
export function middle(place) {
  const mark = place.querySelector(":scope > .dot") ?? place.querySelector(":scope > .hit") ?? place;
  const { x, y, width, height } = mark.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
