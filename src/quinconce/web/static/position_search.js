/** The search of one position in the memory of a module: how far it has come, and its lines. */

import { allocate, pack, unpack } from "./engine_module.js";

/** @typedef {import("./device_search.js").PageSearch} PageSearch */
/** @typedef {import("./engine_module.js").EngineModule} EngineModule */
/** @typedef {import("./engine_module.js").Words} Words */
/** @typedef {{entries: Record<string, number>, constants: Record<string, number>}} Interface of a module */

const SLICE_MILLISECONDS = 50; // the page is heard after each
const FIRST_NODES = 20_000; // of a slice, before its speed is known
const TABLE_ROWS = 1 << 21; // of the transposition table: 32 MB
const UNLIMITED = 1n << 60n;

export class Search {
  /**
   * @param {EngineModule} module
   * @param {Interface} interface_
   * @param {PageSearch} given
   * @param {number} [tableRows]
   */
  constructor(module, { entries, constants }, given, tableRows = TABLE_ROWS) {
    this.module = module;
    this.entries = entries;
    this.constants = constants;
    this.given = given;
    this.state = unpack(given.state);
    this.milliseconds = 0;
    this.slice = FIRST_NODES;
    const { MAX_PLY, CONTROL_SIZE, SIGNATURE_COUNT, DEFER_SLOTS, PROGRESS_SIZE } = constants;
    const { fields, max_moves } = given;
    const count = given.texts.length;
    const repeated = unpack(given.repeated);
    const slots = 1 << (32 - Math.clz32((4 * repeated.length) / fields + 1));
    const shapes = {
      rows: [MAX_PLY + 1, max_moves, fields],
      ranks: [MAX_PLY + 1, max_moves],
      path: [MAX_PLY + 1],
      killers: [MAX_PLY + 1, 2],
      history: [2, SIGNATURE_COUNT],
      nodes: [CONTROL_SIZE],
      control: [CONTROL_SIZE],
      table: [tableRows, 2],
      occurrences: [slots, 2],
      beingSearched: [DEFER_SLOTS],
      weights: [given.weights.length],
      endgameDistances: [0],
      states: [count, fields],
      quietTurns: [count],
      known: [count],
      upperBounds: [count],
      leaders: [count],
      scores: [count],
      order: [count],
      found: [count, 2],
      taken: [count],
      progress: [PROGRESS_SIZE],
      variation: [MAX_PLY, fields],
    };
    this.arrays = allocate(module, shapes);
    this.fill(repeated);
  }

  /**
   * Write down what is known of the position before it is searched.
   * @param {BigInt64Array} repeated
   */
  fill(repeated) {
    const { given, constants, arrays } = this;
    const { fields, weights, texts, quiet_turns, quiet_limit } = given;
    const { NODE_LIMIT, QUIET_LIMIT, THREAD_COUNT, ROOT_COUNT, LAST_OCCURRENCE } = constants;
    weights.forEach((weight, i) => (arrays.weights.words[i] = BigInt(weight)));
    arrays.states.words.set(unpack(given.moves));
    quiet_turns.forEach((turns, i) => (arrays.quietTurns.words[i] = BigInt(turns)));
    arrays.known.words.fill(BigInt(constants.NO_SCORE));
    arrays.upperBounds.words.fill(BigInt(constants.INFINITE));
    arrays.scores.words.fill(BigInt(-constants.INFINITE));
    texts.forEach((_, i) => (arrays.order.words[i] = BigInt(i)));
    arrays.progress.words[ROOT_COUNT] = BigInt(texts.length);
    arrays.control.words[NODE_LIMIT] = UNLIMITED; // the first depth is searched whole
    arrays.control.words[QUIET_LIMIT] = BigInt(quiet_limit);
    arrays.control.words[THREAD_COUNT] = 1n;
    arrays.path.words[0] = this.key(this.state);
    const seen = arrays.occurrences.words;
    for (let i = 0; i < repeated.length; i += fields) {
      const key = this.key(repeated.subarray(i, i + fields));
      const last = BigInt(seen.length / 2 - 1);
      let slot = Number(key & last);
      while (seen[2 * slot + 1]) slot = (slot + 1) & Number(last);
      seen.set([key, BigInt(LAST_OCCURRENCE)], 2 * slot);
    }
  }

  /** @param {BigInt64Array} state */
  key(state) {
    return this.call("key", ...state);
  }

  /**
   * Call an entry of the module.
   * @param {string} name
   * @param {...(bigint | number | Words)} given
   */
  call(name, ...given) {
    const { memory, block, run } = this.module;
    const words = given.flatMap((each) =>
      typeof each === "object" ? [each.address, ...each.shape] : [each],
    );
    const place = new BigInt64Array(memory.buffer, block.value, 1 + words.length);
    place.set([this.entries[name], ...words].map(BigInt));
    if (run()) throw new Error(name);
    return place[0];
  }

  /** What compiled code calls the moves of the position. */
  get roots() {
    const { arrays } = this;
    const { states, quietTurns, known, upperBounds, leaders } = arrays;
    const { scores, order, found, taken, progress } = arrays;
    return [
      ...[states, quietTurns, known, upperBounds, leaders],
      ...[scores, order, found, taken, progress],
    ];
  }

  /** What it needs to search with. */
  get workspace() {
    const { rows, ranks, path, killers, history, nodes, control } = this.arrays;
    const { table, occurrences, beingSearched, weights, endgameDistances } = this.arrays;
    return [
      ...[rows, ranks, path, killers, history, nodes, control],
      ...[table, occurrences, beingSearched, weights, endgameDistances],
    ];
  }

  get nodes() {
    return Number(this.arrays.nodes.words[0]);
  }

  get depth() {
    return Number(this.arrays.progress.words[this.constants.WHOLE_DEPTH]);
  }

  /** The score of the move that is best now. */
  get bestScore() {
    const { order, scores } = this.arrays;
    return Number(scores.words[Number(order.words[0])]);
  }

  /**
   * Search for a slice.
   * @param {number} lines
   * @param {number} most plies
   * @param {number} nodes
   * @returns {boolean} whether the last depth was searched whole
   */
  think(lines, most, nodes = this.slice) {
    const { constants, arrays } = this;
    const before = this.nodes;
    arrays.progress.words[constants.NODE_BUDGET] = BigInt(before + nodes);
    arrays.control.words[constants.STOP_FLAG] = 0n;
    const started = performance.now();
    const done = this.call("think", ...this.state, lines, most, ...this.roots, ...this.workspace);
    const spent = performance.now() - started;
    this.milliseconds += spent;
    if (spent) {
      const wanted = ((this.nodes - before) * SLICE_MILLISECONDS) / spent;
      this.slice = Math.max(1000, Math.min(4 * this.slice, Math.round(wanted)));
    }
    return done !== 0n;
  }

  /**
   * The lines that are best now.
   * @param {number} most
   */
  lines(most) {
    const { arrays, constants, given } = this;
    const numbers = Array.from(arrays.order.words.subarray(0, most), Number);
    return numbers.map((number) => {
      const { variation, scores, progress } = arrays;
      const rows = this.call(
        "variation",
        ...this.state,
        number,
        variation,
        ...this.roots,
        ...this.workspace,
      );
      return {
        move: given.texts[number],
        score: Number(scores.words[number]),
        proved: Number(progress.words[constants.LINE_SCORE]),
        states: pack(variation.words.subarray(0, Number(rows) * given.fields)),
      };
    });
  }
}
