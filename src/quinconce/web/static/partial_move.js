/** A move under way: the places touched so far, and the legal moves that begin with them. */

/** @typedef {import("./api.js").LegalMove} LegalMove */
/** @typedef {import("./api.js").Narrowed} Narrowed */
/**
 * @typedef {object} Moves
 * @property {LegalMove[] | null} legal
 * @property {Narrowed | null} narrowed
 * @property {import("./api.js").Guidance | null} guidance what the rules tell the player to move
 */

/** It knows no rule: the legal moves come from the server, each with the places to touch. */
export class PartialMove {
  /**
   * @param {LegalMove[]} legal
   * @param {Narrowed | null} narrowed what may be touched, where there are too many moves to list
   */
  constructor(legal, narrowed = null) {
    this.start = { legal, narrowed };
    this.legal = legal;
    this.narrowed = narrowed;
    /** @type {string[]} */
    this.touched = [];
  }

  /** The legal moves that begin with the touched places. */
  get candidates() {
    return this.legal.filter((move) => beginsWith(move, this.touched));
  }

  /** The legal move that the touched places make, though a longer one may begin with them. */
  get complete() {
    if (this.narrowed) return this.narrowed.move ? { move: this.narrowed.move } : undefined;
    const { touched } = this;
    return this.candidates.find((move) => touchCount(move) === withoutStops(move, touched).length);
  }

  /** Whether the move begins with several places at once, in any order. */
  get severalAtOnce() {
    return (this.candidates[0]?.touches[0]?.length ?? 0) > 1;
  }

  /** The last place touched. */
  get last() {
    return this.touched.at(-1);
  }

  /**
   * The places that continue a candidate.
   * @returns {Set<string>}
   */
  nextPlaces() {
    const places = new Set(this.narrowed?.places);
    for (const move of this.candidates) {
      for (const place of continuations(move, this.touched)) places.add(place);
    }
    return places;
  }

  /**
   * The places to touch for a legal move, in order.
   * @param {string} text
   */
  placesOf(text) {
    return this.legal.find((move) => move.move === text)?.touches.flat() ?? [];
  }

  /**
   * Touch a place that continues a candidate. Returns the move if it is decided now: a pawn with a
   * single move is only picked up by the first touch, so that the player can still put it back.
   * @param {string} place
   * @returns {LegalMove | null}
   */
  touch(place) {
    this.touched.push(place);
    if (this.narrowed) this.narrowed = { touched: [], places: [], move: null }; // until it answers
    return this.decided;
  }

  /** The move if no other is left. */
  get decided() {
    const left = this.candidates;
    const first = left[0]?.touches[0]?.length ?? 0;
    const pastFirstStep = left[0]?.touches.length === 1 || this.touched.length > first;
    return left.length === 1 && pastFirstStep ? left[0] : null;
  }

  /**
   * Whether the first touch of this place would play a move.
   * @param {string} place
   */
  playsAtOnce(place) {
    return this.anew().touch(place) !== null;
  }

  /** The same moves with nothing touched. */
  anew() {
    return new PartialMove(this.start.legal, this.start.narrowed);
  }

  clear() {
    Object.assign(this, this.start);
    this.touched = [];
  }

  /**
   * The server says which moves begin with the touched places, or which places may follow them.
   * @param {Moves} moves
   * @returns {boolean} whether these are still the touched places
   */
  narrow({ legal, narrowed }) {
    if (!this.narrowed || String(narrowed?.touched) !== String(this.touched)) return false;
    this.legal = legal ?? [];
    this.narrowed = legal ? null : narrowed;
    return true;
  }

  /**
   * The same touches among other legal moves; none if no move begins with them.
   * @param {LegalMove[]} legal
   * @param {Narrowed | null} narrowed
   */
  among(legal, narrowed = null) {
    if (narrowed && String(narrowed.places) === String(this.start.narrowed?.places)) return this;
    const other = new PartialMove(legal, narrowed);
    other.touched = [...this.touched];
    if (!other.candidates.length) other.clear();
    return other;
  }

  /**
   * The text of a move to a place where no move leads, so that the rules can say why not.
   * @param {string} place
   */
  spell(place) {
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
function touchCount(move) {
  return move.touches.reduce((sum, step) => sum + step.length, 0);
}

/**
 * The touched places without the stops on the way to the last place of a move.
 * @param {LegalMove} move
 * @param {string[]} touched
 */
function withoutStops({ touches, stops = [] }, touched) {
  if (!stops.length) return touched;
  const end = touches.at(-1)?.[0] ?? "";
  return touched.filter((place, i) => {
    if (place === end) return i === touched.length - 1; // one may have gone on, and come back
    return !i || !stops.includes(place);
  });
}

/**
 * Whether a move begins with these places; the places of one step may come in any order.
 * @param {LegalMove} move
 * @param {string[]} places
 */
function beginsWith(move, places) {
  const touched = withoutStops(move, places);
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
 * The places of a move that may be touched next.
 * @param {LegalMove} move
 * @param {string[]} places
 */
function continuations(move, places) {
  const touched = withoutStops(move, places);
  let at = 0;
  for (const step of move.touches) {
    if (touched.length < at + step.length) {
      return step.filter((place) => !touched.slice(at).includes(place));
    }
    at += step.length;
  }
  return [];
}
