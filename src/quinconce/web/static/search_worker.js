/** The engine in a worker: it searches a position in slices of nodes, and is heard between two. */

import { listen, openModule, read } from "./engine_module.js";
import { Search } from "./position_search.js";

/** @typedef {import("./device_search.js").PageSearch} PageSearch */
/** @typedef {import("./device_search.js").SearchReport} SearchReport */
/** @typedef {import("./engine_module.js").EngineModule} EngineModule */
/** @typedef {import("./position_search.js").Interface} Interface */
/** @typedef {{modules: Record<string, Record<string, number>>, constants: Record<string, number>, report: Plan}} EngineFile */
/**
 * @typedef {object} Plan what is searched for the report of a position in a review
 * @property {number} lines
 * @property {number} nodes
 * @property {number} table_rows
 * @property {number} seen_plies of the deepest of the searches that show what one sees at the board
 * @property {number} seen_nodes
 * @property {number} seen_table_rows
 */
/**
 * @typedef {object} Wish
 * @property {number} number
 * @property {PageSearch} [search]
 * @property {number} lines
 * @property {number} depth
 * @property {number} [nodes] where they are given it searches once, as far as they go
 * @property {boolean} [review] whether it looks at the position as a review does
 */

/** @type {Promise<EngineFile> | null} */
let engine = null;
let current = 0; // the search that is wanted
let searches = 0; // that are under way, those too that are about to end

/**
 * Search a position until another is wanted, or nothing can change any more.
 * @param {PageSearch} given
 * @param {Wish} wish
 */
async function run(given, wish) {
  engine ??= read("engine.json").then((answer) => answer.json());
  const [{ modules, constants, report: plan }, module] = await Promise.all([
    engine,
    openModule(given.kind),
  ]);
  const { number } = wish;
  if (number !== current) return;
  const own = { entries: modules[given.kind], constants };
  if (wish.review) return tell(number, ...lookOnce(module, own, given, plan));
  const search = new Search(module, own, given);
  const lines = Math.min(wish.lines, given.texts.length);
  const deepest = Math.min(wish.depth, constants.MAX_DEPTH);
  let told = 0;
  for (let done = false; !done && number === current; await listen()) {
    done = search.think(lines, deepest, wish.nodes) || wish.nodes !== undefined;
    if (search.depth === told && !done) continue;
    told = search.depth;
    tell(number, search, lines, done);
  }
}

/**
 * The searches of a review: what one sees at the board, and the best lines. They end the same on
 * every device.
 * @param {EngineModule} module
 * @param {Interface} own
 * @param {PageSearch} given
 * @param {Plan} plan
 * @returns {[Search, number, boolean, number[]]}
 */
function lookOnce(module, own, given, plan) {
  const { MAX_DEPTH, PROVED_THRESHOLD } = own.constants;
  const ahead = new Search(module, own, given, plan.seen_table_rows);
  const seen = /** @type {number[]} */ ([]);
  while (seen.length < plan.seen_plies && Math.abs(seen.at(-1) ?? 0) <= PROVED_THRESHOLD) {
    if (!ahead.think(1, seen.length + 1, plan.seen_nodes - ahead.nodes)) break;
    seen.push(ahead.bestScore);
  }
  const search = new Search(module, own, given, plan.table_rows);
  const lines = Math.min(plan.lines, given.texts.length);
  search.think(lines, MAX_DEPTH, plan.nodes);
  return [search, lines, true, seen];
}

/**
 * Tell the page what was found.
 * @param {number} number
 * @param {Search} search
 * @param {number} count of lines
 * @param {boolean} done
 * @param {number[]} [seen]
 */
function tell(number, search, count, done, seen = []) {
  const { depth, nodes, milliseconds, module } = search;
  const bytes = module.memory.buffer.byteLength;
  const lines = search.lines(count);
  /** @type {SearchReport} */
  const report = { number, done, depth, nodes, milliseconds, bytes, searches, lines, seen };
  postMessage(report);
}

/** @param {MessageEvent<Wish>} event */
async function begin({ data }) {
  current = data.number;
  if (!data.search) return;
  searches += 1;
  try {
    await run(data.search, data);
  } catch (error) {
    postMessage({ number: data.number, failed: String(error) });
  }
  searches -= 1;
}

addEventListener("message", begin);
