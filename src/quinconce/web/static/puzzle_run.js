/** How puzzles go in this browser: the streak, how hard the next should be, and where one was. */

import { kept } from "./browser_storage.js";

/** @typedef {{streak: number, best: number, levels: Record<string, number>, last: string}} Run */
/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} game
 * @property {number} grade
 * @property {string} themes names with spaces between them
 */

const KEY = "puzzle-run";
const EASIEST = 1;
const HARDEST = 5;
const HARDER = 0.34; // three puzzles solved at the first try lead to the next grade
const EASIER = 0.5;

/** @returns {Run} */
function read() {
  const found = kept.readJson(KEY) ?? {};
  const { last, levels } = found;
  return {
    streak: Number.isInteger(found.streak) ? found.streak : 0,
    best: Number.isInteger(found.best) ? found.best : 0,
    levels: levels && typeof levels === "object" ? levels : {},
    last: typeof last === "string" && last.startsWith("/puzzles/") ? last : "",
  };
}

let run = read();

/** @param {Partial<Run>} changes */
function write(changes) {
  run = { ...run, ...changes };
  kept.write(KEY, JSON.stringify(run));
}

/**
 * @param {string} game
 * @param {number} step
 */
function changeLevel(game, step) {
  const level = Math.min(HARDEST, Math.max(EASIEST, puzzleRun.level(game) + step));
  write({ levels: { ...run.levels, [game]: level } });
}

export const puzzleRun = {
  get streak() {
    return run.streak;
  },

  get best() {
    return run.best;
  },

  /** Where the last puzzle was tried: a path of this server. */
  get last() {
    return run.last;
  },

  /**
   * How hard the next puzzle of a game should be: a grade, with fractions.
   * @param {string} game
   */
  level(game) {
    const level = Number(run.levels[game]);
    return level >= EASIEST && level <= HARDEST ? level : EASIEST;
  },

  /**
   * A puzzle was solved at the first try.
   * @param {string} game
   */
  succeed(game) {
    const streak = run.streak + 1;
    write({ streak, best: Math.max(run.best, streak) });
    changeLevel(game, HARDER);
  },

  /**
   * A wrong move was played, or help was needed.
   * @param {string} game
   */
  fail(game) {
    write({ streak: 0 });
    changeLevel(game, -EASIER);
  },

  /** @param {string} path */
  remember(path) {
    write({ last: path });
  },
};

/**
 * The next puzzle of a run: one that is not solved yet, as hard as suits, drawn by lot.
 * @param {Entry[]} entries
 * @param {(id: string) => boolean} solved
 * @param {string} current the puzzle that was just tried
 * @returns {Entry | undefined}
 */
export function chooseNext(entries, solved, current) {
  const others = entries.filter(({ id }) => id !== current);
  const open = others.filter(({ id }) => !solved(id));
  const games = [...new Set((open.length ? open : others).map(({ game }) => game))];
  const game = games[Math.floor(Math.random() * games.length)];
  const pool = (open.length ? open : others).filter((entry) => entry.game === game);
  const wanted = Math.round(puzzleRun.level(game));
  const distance = Math.min(...pool.map(({ grade }) => Math.abs(grade - wanted)));
  const fitting = pool.filter(({ grade }) => Math.abs(grade - wanted) === distance);
  return fitting[Math.floor(Math.random() * fitting.length)] ?? entries[0];
}
