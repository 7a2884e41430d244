/** Marks over a board: an arrow along a move, and a sign at the place where a move ended. */

import { centre } from "./places.js";

const SVG = "http://www.w3.org/2000/svg";
const HEAD = 0.035; // the head of an arrow, as a part of the board's width
const BADGE = 0.028; // the radius of a sign

/** @typedef {import("./board.js").GameBoard} GameBoard */
/** @typedef {{x: number, y: number}} Point */

/**
 * Take away all marks.
 * @param {GameBoard} board
 */
export function clearMarks(board) {
  for (const old of board.querySelectorAll(".over-board")) old.remove();
}

/**
 * Draw an arrow along a move; a ring about each place, if all are touched at once.
 * @param {GameBoard} board
 * @param {string[][]} touches
 * @param {string} [kind] its CSS class
 */
export function drawArrow(board, touches, kind = "") {
  const places = touches.length === 1 ? touches[0] : touches.map((step) => step[0]);
  const { points, unit, svg } = measure(board, places);
  if (!svg || !points.length) return;
  const size = unit * HEAD;
  if (touches.length === 1) {
    const ring = { r: size * 1.1, class: "arrow-ring", "stroke-width": size * 0.35 };
    const rings = points.map(({ x, y }) => node("circle", { ...ring, cx: x, cy: y }));
    return svg.append(layer(`arrow-layer ${kind}`, ...rings));
  }
  const last = points[points.length - 1];
  const before = points[points.length - 2] ?? last;
  const length = Math.hypot(last.x - before.x, last.y - before.y) || 1;
  const [dx, dy] = [(last.x - before.x) / length, (last.y - before.y) / length];
  const neck = { x: last.x - dx * size, y: last.y - dy * size };
  const line = [...points.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(" ");
  const head = [
    last,
    { x: neck.x - dy * size * 0.6, y: neck.y + dx * size * 0.6 },
    { x: neck.x + dy * size * 0.6, y: neck.y - dx * size * 0.6 },
  ];
  const shaft = node("polyline", { points: line, class: "arrow", "stroke-width": size * 0.4 });
  const tip = head.map(({ x, y }) => `${x},${y}`).join(" ");
  const point = node("polygon", { points: tip, class: "arrow-head" });
  svg.append(layer(`arrow-layer ${kind}`, shaft, point));
}

/**
 * Draw a sign such as «??» beside a place.
 * @param {GameBoard} board
 * @param {string} place
 * @param {string} sign
 * @param {string} kind its CSS class
 */
export function drawBadge(board, place, sign, kind) {
  const { points, unit, svg } = measure(board, [place], topPiece);
  if (!svg || !points.length) return;
  const radius = unit * BADGE;
  const at = { x: points[0].x + radius * 1.2, y: points[0].y - radius * 1.2 };
  const disc = node("circle", { cx: at.x, cy: at.y, r: radius, class: "badge" });
  const size = radius * 1.25;
  const text = node("text", { x: at.x, y: at.y + size * 0.35, "font-size": size });
  text.textContent = sign;
  svg.append(layer(`badge-layer ${kind}`, disc, text));
}

/**
 * Where places are in the coordinates of the drawing, and how wide that is.
 * @param {GameBoard} board
 * @param {string[]} names
 * @param {(place: SVGElement) => Point} middle of a place on the screen
 */
function measure(board, names, middle = centre) {
  const svg = board.querySelector("svg");
  const back = svg?.getScreenCTM()?.inverse();
  if (!svg || !back) return { points: [], unit: 0, svg: null };
  const places = names.map((name) => findPlace(board, name)).filter((place) => place !== null);
  const points = places.map((place) => {
    const { x, y } = middle(place);
    return new DOMPoint(x, y).matrixTransform(back);
  });
  return { points, unit: svg.viewBox.baseVal.width, svg };
}

/**
 * The middle of the last piece on a place, or of the place if it is empty.
 * @param {SVGElement} place
 */
function topPiece(place) {
  const piece = [...place.querySelectorAll(".piece")].at(-1);
  return piece instanceof SVGElement ? centre(piece) : centre(place);
}

/**
 * A place; a pawn that is gone from a pile stands for its pile.
 * @param {GameBoard} board
 * @param {string} name
 * @returns {SVGElement | null}
 */
function findPlace(board, name) {
  const at = (/** @type {string} */ wanted) =>
    board.allPlaces().find((place) => place.dataset.place === wanted);
  return at(name) ?? at(name.split(".")[0]) ?? null;
}

/**
 * @param {string} kind
 * @param {SVGElement[]} children
 */
function layer(kind, ...children) {
  const made = node("g", { class: `over-board ${kind}`, "aria-hidden": "true" });
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
export function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
