/** Marks over a board: an arrow or a ghost for a move, and a sign at the place where one ended. */

import { RING } from "./half_made.js";
import { centre } from "./places.js";

const SVG = "http://www.w3.org/2000/svg";
const HEAD = 0.035; // the head of an arrow, as a part of the board's width
const BADGE = 0.028; // the radius of a sign
const LANE = 0.6; // how far each way of an arrow to and fro is from the middle, in heads
export const SIGNS = { win: "+", draw: "=", loss: "−" };
const SEPARATOR = /[@\-^x~]/; // what stands between the places of a move's text

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
 * Draw a move: an arrow along the whole path of a piece, or a ghost of each piece that is placed.
 * @param {GameBoard} board
 * @param {string} move
 * @param {string} [kind] its CSS class
 * @param {boolean} [over] whether the player of the move has moved already, and another is to move
 */
export function drawMove(board, move, kind = "", over = false) {
  const steps = move.split(SEPARATOR).filter(Boolean);
  const placed = move.includes("@");
  const names = placed || steps.length === 1 ? (steps.at(-1)?.split("+") ?? []) : steps;
  const { points, unit, svg } = measure(board, names);
  if (!svg || !points.length) return;
  const size = unit * HEAD;
  const piece = placed ? pieceLike(board, steps.length > 1 ? steps[0] : "", over) : null;
  const ring = Number(board.querySelector("circle.ring")?.getAttribute("r")) || size;
  const marks = steps.length === 1 || placed ? rings(points, ring, size) : arrow(points, size);
  const ghosts = piece ? points.map((point) => ghost(piece, point, ring / RING)) : [];
  svg.append(layer(`arrow-layer ${kind}`, ...ghosts, ...marks));
}

/**
 * A ring about each of the places that are touched at once.
 * @param {Point[]} points
 * @param {number} r
 * @param {number} size of the head of an arrow, as thick as which it looks
 */
function rings(points, r, size) {
  const ring = { r, class: "arrow-ring", "stroke-width": size * 0.3 };
  return points.map(({ x, y }) => node("circle", { ...ring, cx: x, cy: y }));
}

/**
 * An arrow through points. Where it goes to and fro, each way has a side of its own.
 * @param {Point[]} points
 * @param {number} size of its head
 */
function arrow(points, size) {
  const legs = points.slice(1).map((end, i) => [points[i], end]);
  const same = (/** @type {Point} */ a, /** @type {Point} */ b) => Math.hypot(a.x - b.x, a.y - b.y) < 1;
  const twice = legs.some(([a, b], i) =>
    legs.slice(i + 1).some(([c, d]) => (same(a, d) && same(b, c)) || (same(a, c) && same(b, d))),
  );
  const line = legs.flatMap((leg) => shifted(leg, twice ? size * LANE : 0));
  const [before, last] = line.slice(-2);
  const length = Math.hypot(last.x - before.x, last.y - before.y) || 1;
  const [dx, dy] = [(last.x - before.x) / length, (last.y - before.y) / length];
  const neck = { x: last.x - dx * size, y: last.y - dy * size };
  const head = [
    last,
    { x: neck.x - dy * size * 0.6, y: neck.y + dx * size * 0.6 },
    { x: neck.x + dy * size * 0.6, y: neck.y - dx * size * 0.6 },
  ];
  const text = (/** @type {Point[]} */ list) => list.map(({ x, y }) => `${x},${y}`).join(" ");
  const shaft = { points: text([...line.slice(0, -1), neck]), class: "arrow" };
  return [
    node("polyline", { ...shaft, "stroke-width": size * 0.4 }),
    node("polygon", { points: text(head), class: "arrow-head" }),
  ];
}

/**
 * The two ends of a leg, moved to its right-hand side.
 * @param {Point[]} leg
 * @param {number} by
 */
function shifted([start, end], by) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [dx, dy] = [(-(end.y - start.y) / length) * by, ((end.x - start.x) / length) * by];
  return [start, end].map(({ x, y }) => ({ x: x + dx, y: y + dy }));
}

/**
 * A piece like the one that is placed; where the move does not name it, one of the player's own.
 * @param {GameBoard} board
 * @param {string} letter
 * @param {boolean} over whether that player has just moved
 */
function pieceLike(board, letter, over) {
  const own = over ? ".last .piece" : ".reserve.to-move .piece";
  return board.querySelector(letter ? `[data-piece="${letter}"]` : own);
}

/**
 * @param {Element} piece
 * @param {Point} at
 * @param {number} size its radius; in a reserve pieces are smaller
 */
function ghost(piece, { x, y }, size) {
  const copy = /** @type {SVGElement} */ (piece.cloneNode(true));
  copy.removeAttribute("data-piece");
  copy.classList.replace("piece", "ghost-piece");
  const radius = Number(piece.querySelector(".body")?.getAttribute("r"));
  copy.setAttribute("transform", `translate(${x} ${y}) scale(${size / radius || 1})`);
  return copy;
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
 * Colour the places where moves end, with a sign for those who see no colours.
 * @param {GameBoard} board
 * @param {string} move
 * @param {string} sign
 * @param {string} kind its CSS class
 */
export function drawValue(board, move, sign, kind) {
  const names = move.split(SEPARATOR).at(-1)?.split("+") ?? [];
  const { points, unit, svg } = measure(board, names, topPiece);
  const radius = unit * BADGE * 0.8;
  const size = radius * 1.3;
  for (const { x, y } of points) {
    const disc = node("circle", { cx: x, cy: y, r: radius, class: "value" });
    const text = node("text", { x, y: y + size * 0.35, "font-size": size });
    text.textContent = sign;
    svg?.append(layer(`badge-layer ${kind}`, disc, text));
  }
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
