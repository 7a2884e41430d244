/** Shows what is proved of a match: a mark at each move, and the value of the position on show. */

import { ApiError, post } from "./api.js";
import { SIGNS } from "./board_marks.js";
import { kept } from "./browser_storage.js";
import { byId } from "./dom.js";
import { phrase } from "./i18n.js";
import { repeat } from "./retry.js";

/**
 * @typedef {object} ProvenValue
 * @property {"win" | "draw" | "loss"} result for the player to move
 * @property {number | null} moves of the winner, to the end
 * @property {string} words
 */
/**
 * @typedef {object} Values what the server says of a line from some position on
 * @property {(ProvenValue | null)[]} positions
 * @property {(ProvenValue | null)[]} played
 * @property {Record<string, ProvenValue>} legal
 * @property {(string | null)[]} [notes] of positions without a value: what is solved here
 */
/**
 * @typedef {object} Line
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {string} [match] the match that it is, if it is one
 * @property {boolean} allowed whether values may be shown: not while people play each other
 * @property {boolean} over whether the last move ends the game
 * @property {{words: string} | null} [best] what the legal moves prove of the position on show
 */

/** @typedef {import("./move_list.js").MoveList} MoveList */
/** @typedef {Pick<MoveList, "ply" | "showMarks" | "addEventListener">} ListOfMoves */

/** A position in the tree of all lines that were looked at; values are undefined until known. */
class Node {
  /** @type {ProvenValue | null | undefined} */
  value = undefined;
  /** @type {string | null} what is solved here, if there is no value */
  note = null;
  /** @type {ProvenValue | null | undefined} of the move that leads here, for its player */
  move = undefined;
  /** @type {Map<string, Node>} */
  next = new Map();

  /**
   * The position after a move.
   * @param {string} move
   */
  after(move) {
    const found = this.next.get(move) ?? new Node();
    this.next.set(move, found);
    return found;
  }
}

export class ProvenValues {
  root = new Node(); // of it the lines of all games begin
  request = new AbortController();
  /** @type {Node | null} the end of the line that the server is being asked about */
  requested = null;

  /**
   * @param {ListOfMoves} moveList
   * @param {() => Line} line
   */
  constructor(moveList, line) {
    this.moveList = moveList;
    this.line = line;
    this.button = /** @type {HTMLElement} */ (document.querySelector("[data-act=truth]"));
    this.button.addEventListener("click", () => {
      kept.write("truth", this.wanted ? "no" : "yes");
      this.show();
    });
    moveList.addEventListener("shown", () => this.show());
  }

  get wanted() {
    return kept.read("truth") === "yes";
  }

  /** Show what is known already, and ask the server once for what is not. */
  show() {
    const line = this.line();
    this.button.hidden = !line.allowed;
    this.button.setAttribute("aria-pressed", String(this.wanted));
    const visible = line.allowed && this.wanted;
    byId("proved").hidden = !visible;
    const nodes = this.nodes(line);
    const marks = nodes.slice(1).map((node) => toMark(node.move ?? null));
    this.moveList.showMarks(visible ? marks : []);
    byId("proved").textContent = visible ? this.sentence(line, nodes) : "";
    if (visible) this.load(line, nodes);
  }

  /**
   * What is proved of the position on show.
   * @param {Line} line
   * @param {Node[]} nodes
   */
  sentence({ over, moves, best = null }, nodes) {
    const { ply } = this.moveList;
    if (over && ply === moves.length) return phrase("end");
    const known = nodes[ply]?.value;
    const value = known || best;
    if (known === undefined && !value) return phrase("proof_comes");
    if (value) return phrase("proved", { words: value.words });
    return nodes[ply]?.note ?? phrase("not_proved");
  }

  /**
   * The positions of a line, from its start on.
   * @param {Line} line
   */
  nodes({ game, options, start, moves }) {
    const nodes = [this.root.after(JSON.stringify([game, options, start]))];
    for (const move of moves) nodes.push(nodes[nodes.length - 1].after(move));
    return nodes;
  }

  /**
   * Ask the server, once, for all the values of a line from the first that is not known on.
   * @param {Line} line
   * @param {Node[]} nodes
   */
  async load({ game, options, start, moves, match }, nodes) {
    const missing = (/** @type {Node} */ node, /** @type {number} */ ply) =>
      node.value === undefined || (ply > 0 && node.move === undefined);
    const first = nodes.findIndex(missing);
    const end = nodes[moves.length];
    if (first < 0 || this.requested === end) return;
    this.request.abort(); // the reader looks at another line now
    this.request = new AbortController();
    this.requested = end;
    // The value of a move comes with the position before it.
    const since = nodes[first].move === undefined ? Math.max(first - 1, 0) : first;
    const body = { game, options, position: start, moves, since, match };
    const { signal } = this.request;
    const ask = () => post("/api/truths", body, signal);
    try {
      const answer = await repeat(ask, { wanted: () => !signal.aborted });
      if (answer) keep(nodes.slice(since), answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      keep(nodes.slice(since), { positions: [], played: [], legal: {}, notes: [] });
    }
    if (signal.aborted) return;
    this.requested = null;
    this.show();
  }
}

/**
 * Keep what the server says of a line.
 * @param {Node[]} nodes
 * @param {Values} values
 */
function keep(nodes, { positions, played, legal, notes = [] }) {
  nodes.forEach((node, i) => {
    node.value = positions[i] ?? null;
    node.note = notes[i] ?? null;
    if (i) node.move = played[i - 1] ?? null;
  });
  const end = nodes[nodes.length - 1];
  for (const [move, value] of Object.entries(legal)) end.after(move).move = value;
}

/** @param {ProvenValue | null} value */
function toMark(value) {
  if (!value) return null;
  const { result, moves, words } = value;
  return { sign: SIGNS[result] + (moves ?? ""), kind: result, words };
}

/**
 * A sentence about the proven value of one legal move; empty if nothing is proved.
 * @param {Omit<Line, "allowed" | "over">} line
 * @param {string} move
 */
export async function provenText({ game, options, start, moves, match }, move) {
  try {
    const body = { game, options, position: start, moves, since: moves.length, match };
    const { legal } = await post("/api/truths", body);
    return legal[move] ? phrase("proved", { words: legal[move].words }) : "";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return "";
  }
}
