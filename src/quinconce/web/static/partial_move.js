/** The path a finger takes: legal moves narrowed touch by touch, without knowing any rule. */

/** @typedef {import("./api.js").LegalMove} LegalMove */

export class Path {
  /** @param {LegalMove[]} legal */
  constructor(legal) {
    this.legal = legal;
    /** @type {string[]} */
    this.touched = [];
  }

  /** The moves that begin with what was touched. */
  get candidates() {
    return this.legal.filter((move) => begins(move, this.touched));
  }

  /** The move that is whole as it stands, though a longer one may begin like it. */
  get whole() {
    return this.candidates.find((move) => size(move) === this.touched.length);
  }

  /** The last place touched. */
  get last() {
    return this.touched.at(-1);
  }

  /**
   * The places at which some move goes on.
   * @returns {Set<string>}
   */
  next() {
    const places = new Set();
    for (const move of this.candidates) {
      for (const place of rest(move, this.touched)) places.add(place);
    }
    return places;
  }

  /**
   * The places of one move that have not been touched yet, in order.
   * @param {string} text
   */
  steps(text) {
    return this.legal.find((move) => move.move === text)?.touches.flat() ?? [];
  }

  /**
   * Touch a place where a move goes on; the move, once only one is left.
   *
   * A pawn with a single move is picked up like any other: whoever touches it may still let go.
   * @param {string} place
   * @returns {LegalMove | null}
   */
  take(place) {
    this.touched.push(place);
    const left = this.candidates;
    const first = left[0]?.touches[0]?.length ?? 0;
    const begun = left[0]?.touches.length === 1 || this.touched.length > first;
    return left.length === 1 && begun ? left[0] : null;
  }

  /**
   * Whether touching this place first would play at once.
   * @param {string} place
   */
  playsAlone(place) {
    return new Path(this.legal).take(place) !== null;
  }

  letGo() {
    this.touched = [];
  }

  /**
   * The same path among other moves, if it still leads somewhere.
   * @param {LegalMove[]} legal
   */
  among(legal) {
    const path = new Path(legal);
    path.touched = [...this.touched];
    if (!path.candidates.length) path.letGo();
    return path;
  }

  /**
   * How a move to a place where none leads would be written, so that the rules can say why not.
   * @param {string} place
   */
  spelt(place) {
    const like = this.candidates[0];
    const end = like?.touches.at(-1);
    if (like && end?.length === 1 && like.move.endsWith(end[0]) && like.touches.length > 1) {
      return like.move.slice(0, -end[0].length) + place;
    }
    if (like && like.touches[0].length > 1) {
      return like.move[0] + [...this.touched, place].sort().join("+");
    }
    return `${this.touched[0]}-${place}`;
  }
}

/** @param {LegalMove} move */
function size(move) {
  return move.touches.reduce((sum, step) => sum + step.length, 0);
}

/**
 * @param {LegalMove} move
 * @param {string[]} touched
 */
function begins(move, touched) {
  let at = 0;
  for (const step of move.touches) {
    const here = touched.slice(at, at + step.length);
    if (here.some((place, i) => !step.includes(place) || here.indexOf(place) < i)) return false;
    at += step.length;
    if (at >= touched.length) return true;
  }
  return touched.length <= at;
}

/**
 * @param {LegalMove} move
 * @param {string[]} touched
 */
function rest(move, touched) {
  let at = 0;
  for (const step of move.touches) {
    if (touched.length < at + step.length) {
      return step.filter((place) => !touched.slice(at).includes(place));
    }
    at += step.length;
  }
  return [];
}
