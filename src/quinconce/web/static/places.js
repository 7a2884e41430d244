/** The places of a drawing: which place lies in which, and where a place is on the screen. */

/**
 * The names of the places that an element lies in, innermost first.
 * @param {Element} element
 * @returns {string[]}
 */
export function enclosingPlaces(element) {
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
 * The centre of a place on the screen; for a pile, where the next piece would lie.
 * @param {SVGElement} place
 */
export function centre(place) {
  const mark = place.querySelector(":scope > .dot") ?? place.querySelector(":scope > .hit") ?? place;
  const { x, y, width, height } = mark.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
