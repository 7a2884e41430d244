"""Max^n and paranoid alpha-beta, the rivals of the engine's tree among several sides, and matches.

    python -m benchmarks.multiplayer_rivals [--seconds 0.05] [--games 100] [--seed 0]
                                            [max^n | paranoid …]

lets each rival play the engine in every game with more than two sides: in every other seat, in half
of the seats side by side, one engine among rivals and one rival among engines. All search just
as many nodes as take the same CPU time a move, which is measured first: what else the machine has
to do changes nothing then.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

import quinconce
from quinconce import Game, Match
from quinconce.core.registry import game_forms
from quinconce.engine.analysis import run_search
from quinconce.engine.elo import Z_95
from quinconce.engine.limits import Limits
from quinconce.engine.match_runner import (
    MAX_MATCH_MOVES,
    OPENING_TURNS,
    Player,
    random_opening,
    run_matches,
)
from quinconce.engine.mcts import TreeSearch
from quinconce.engine.mcts_tree import ODDS_SCALE
from quinconce.engine.position_search import move_between
from quinconce.engine.preparation import prepare
from quinconce.engine.scores import INFINITE, MAX_ESTIMATE, PROVED_THRESHOLD, WIN
from quinconce.engine.transpositions import (
    EXACT,
    LOWER_BOUND,
    NO_ENTRY,
    NO_ROW,
    UPPER_BOUND,
    TranspositionTable,
    entry_bound,
    entry_depth,
    entry_row,
    entry_score,
    new_table,
    pack_entry,
    probe_transposition,
    score_from_root,
    store_entry,
)
from quinconce.engine.weakness import Weakness
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels import calls
from quinconce.kernels.arrays import NativeArrays
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.kernels.protocol import (
    CALM,
    WIN_IN_ONE,
    Weights,
    evaluate,
    key,
    load,
    successors,
    urgency,
    winner,
)

Int64Array = npt.NDArray[np.int64]
Float64Array = npt.NDArray[np.float64]

RIVAL_MAX_PLY: Final = 60
RIVAL_QUIESCENCE_PLIES: Final = (
    6  # plies that a search goes on beyond its depth while threats are answered
)
TABLE_MEGABYTES: Final = 1
SOONER_WIN_BONUS: Final = 1e-4  # of a win, that it is a ply nearer
LATER_LOSS_BONUS: Final = (
    1e-5  # of a win, that a loss is a ply further: who has lost does not give up
)
CALIBRATION_POSITIONS: Final = 60  # positions on which the CPU time of a node is measured
CALIBRATION_TURNS: Final = (8, 40)  # turns of chance before them
MIN_NODES: Final = 500


class RivalWorkspace(NamedTuple):
    """What a search needs."""

    rows: Int64Array  # the successors at each ply
    ranks: Int64Array  # which of them to try first
    shares: Float64Array  # what each side may hope for, at each ply
    other: Int64Array  # one row: the same board with somebody else to move
    sides: Int64Array  # by the step of the cycle
    steps: Int64Array  # of the cycle, the first of each side
    turn: Int64Array  # which field of a state says whose turn it is; then the side at the root
    nodes: Int64Array  # searched, and the most
    table: TranspositionTable
    weights: Weights


def new_rival_workspace(game: Game[Any], kernel: Kernel) -> RivalWorkspace:
    """Room for a search."""
    rows = kernel.new_rows(RIVAL_MAX_PLY + 1)
    sides = [game.side(seat) for seat in game.cycle]
    fields = kernel.encode(game.start())._fields
    return RivalWorkspace(
        rows=rows,
        ranks=np.zeros((RIVAL_MAX_PLY + 1, kernel.max_successors), np.int64),
        shares=np.zeros((RIVAL_MAX_PLY + 2, len(game.sides)), np.float64),
        other=np.zeros((1, rows.shape[2]), np.int64),
        sides=np.array(sides, np.int64),
        steps=np.array([sides.index(side) for side in range(len(game.sides))], np.int64),
        turn=np.array([fields.index("turn"), 0], np.int64),
        nodes=np.zeros(2, np.int64),
        table=new_table(TABLE_MEGABYTES, NativeArrays()),
        weights=evaluation_weights(kernel),
    )


@compiled
def evaluate_for(state: Any, step: int, d: RivalWorkspace) -> int:
    """The evaluation by another player: as if it were their turn."""
    for field in range(len(state)):
        d.other[0, field] = state[field]
    d.other[0, d.turn[0]] = step
    return evaluate(load(state, d.other, 0), d.weights)


@compiled
def rank_rival_moves(state: Any, ply: int, n: int, best: int, d: RivalWorkspace) -> None:
    """Say of each successor how early to try it: as the mover sees it, the remembered one first."""
    for row in range(n):
        d.ranks[ply, row] = evaluate_for(load(state, d.rows[ply], row), state.turn, d)
    if best < n:
        d.ranks[ply, best] = INFINITE


@compiled
def pick_rival_row(ply: int, n: int, d: RivalWorkspace) -> int:
    """The successor to try next; it will not be chosen again."""
    chosen = 0
    for row in range(1, n):
        if d.ranks[ply, row] > d.ranks[ply, chosen]:
            chosen = row
    d.ranks[ply, chosen] = -(1 << 50)
    return chosen


@compiled
def paranoid(state: Any, depth: int, alpha: int, beta: int, ply: int, d: RivalWorkspace) -> int:
    """The score for the side at the root, if all others play against it."""
    d.nodes[0] += 1
    if d.nodes[0] >= d.nodes[1]:
        return 0
    own = d.turn[1]
    side = d.sides[state.turn]
    won = winner(state)
    if won >= 0:
        return WIN - ply if won == own else ply - WIN
    urgent = urgency(state)
    if urgent == WIN_IN_ONE:
        return WIN - ply - 1 if side == own else ply + 1 - WIN
    if ply >= RIVAL_MAX_PLY or (
        depth <= 0 and (urgent == CALM or depth <= -RIVAL_QUIESCENCE_PLIES)
    ):
        return min(max(evaluate_for(state, d.steps[own], d), -MAX_ESTIMATE), MAX_ESTIMATE)
    here = key(state)
    entry = probe_transposition(d.table, here)
    best_row = NO_ROW
    if entry != NO_ENTRY:
        best_row = entry_row(entry)
        score, bound = score_from_root(entry_score(entry), ply), entry_bound(entry)
        if (entry_depth(entry) >= depth or abs(score) > PROVED_THRESHOLD) and (
            bound == EXACT
            or (bound & LOWER_BOUND and score >= beta)
            or (bound & UPPER_BOUND and score <= alpha)
        ):
            return score
    n = successors(state, d.rows[ply])
    rank_rival_moves(state, ply, n, best_row, d)
    lowest, highest = alpha, beta
    best = -INFINITE if side == own else INFINITE
    for _step in range(n):
        row = pick_rival_row(ply, n, d)
        score = paranoid(load(state, d.rows[ply], row), depth - 1, alpha, beta, ply + 1, d)
        if d.nodes[0] >= d.nodes[1]:
            return 0
        if (side == own and score > best) or (side != own and score < best):
            best, best_row = score, row
        if side == own:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    bound = LOWER_BOUND if best >= highest else UPPER_BOUND if best <= lowest else EXACT
    store_entry(
        d.table, here, pack_entry(score_from_root(best, -ply), max(depth, 0), bound, best_row)
    )
    return best


@compiled
def estimate_rival_shares(state: Any, ply: int, d: RivalWorkspace) -> None:
    """What each side may hope for: the chance its own evaluation stands for, of 1 in all."""
    total = 0.0
    for side in range(d.shares.shape[1]):
        chance = 1 / (1 + 10.0 ** (-evaluate_for(state, d.steps[side], d) / ODDS_SCALE))
        d.shares[ply, side] = chance
        total += chance
    for side in range(d.shares.shape[1]):
        d.shares[ply, side] /= total


@compiled
def store_win(side: int, plies: int, ply: int, d: RivalWorkspace) -> None:
    """A side wins in a number of plies."""
    for other in range(d.shares.shape[1]):
        d.shares[ply, other] = LATER_LOSS_BONUS * plies
    d.shares[ply, side] = 1.0 - SOONER_WIN_BONUS * plies


@compiled
def maxn(state: Any, depth: int, enough: float, ply: int, d: RivalWorkspace) -> None:
    """What each side gets if each wants most for itself, into `shares`.

    If the mover gets as much as `enough`, the player before them will not let it come to this: the
    shares are 1 in all.
    """
    d.nodes[0] += 1
    if d.nodes[0] >= d.nodes[1]:
        return
    side = d.sides[state.turn]
    won = winner(state)
    if won >= 0:
        store_win(won, ply, ply, d)
        return
    urgent = urgency(state)
    if urgent == WIN_IN_ONE:
        store_win(side, ply + 1, ply, d)
        return
    if ply >= RIVAL_MAX_PLY or (
        depth <= 0 and (urgent == CALM or depth <= -RIVAL_QUIESCENCE_PLIES)
    ):
        estimate_rival_shares(state, ply, d)
        return
    here = key(state)
    entry = probe_transposition(d.table, here)
    best_row = entry_row(entry) if entry != NO_ENTRY else NO_ROW
    n = successors(state, d.rows[ply])
    rank_rival_moves(state, ply, n, best_row, d)
    best = -1.0
    for _step in range(n):
        row = pick_rival_row(ply, n, d)
        after = load(state, d.rows[ply], row)
        maxn(after, depth - 1, 1.0 - best if best >= 0 else 2.0, ply + 1, d)
        if d.nodes[0] >= d.nodes[1]:
            return
        if d.shares[ply + 1, side] > best:
            best, best_row = d.shares[ply + 1, side], row
            for other in range(d.shares.shape[1]):
                d.shares[ply, other] = d.shares[ply + 1, other]
            if best >= enough:
                break
    store_entry(d.table, here, pack_entry(0, max(depth, 0), EXACT, best_row))


@compiled
def best_paranoid(state: Any, depth: int, first: int, ply: int, d: RivalWorkspace) -> int:
    """The row of the best move for one who fears all others, or -1 if the nodes did not suffice."""
    n = successors(state, d.rows[ply])
    rank_rival_moves(state, ply, n, first, d)
    best, chosen = -INFINITE - ply, -1
    for _step in range(n):
        row = pick_rival_row(ply, n, d)
        after = load(state, d.rows[ply], row)
        score = paranoid(after, depth - 1, best, INFINITE + ply, ply + 1, d)
        if d.nodes[0] >= d.nodes[1]:
            break
        if score > best:
            best, chosen = score, row
    if best < -PROVED_THRESHOLD and first < n:
        return first  # all others together always win in the end: what seemed best before that
    return chosen


@compiled
def best_maxn(state: Any, depth: int, first: int, ply: int, d: RivalWorkspace) -> int:
    """The row of the best move where each plays for himself, or -1 if the nodes did not suffice."""
    n = successors(state, d.rows[ply])
    rank_rival_moves(state, ply, n, first, d)
    best, chosen = -1.0, -1
    for _step in range(n):
        row = pick_rival_row(ply, n, d)
        after = load(state, d.rows[ply], row)
        maxn(after, depth - 1, 1.0 - best if best >= 0 else 2.0, ply + 1, d)
        if d.nodes[0] >= d.nodes[1]:
            break
        if d.shares[ply + 1, d.turn[1]] > best:
            best, chosen = d.shares[ply + 1, d.turn[1]], row
    return chosen


# The ply, 0, comes from outside: recursive code that is first called with a literal number cannot
# be loaded from the cache.
BestRow = Callable[[Any, int, int, int, RivalWorkspace], int]


class RivalPlayer:
    """A player who deepens the search ply by ply until the nodes are used up."""

    def __init__(self, game: Game[Any], best: BestRow, nodes: int) -> None:
        self.kernel = kernel_for(game)
        self.best = best
        self.limit = nodes
        self.desk = new_rival_workspace(game, self.kernel)
        self.nodes = 0

    def __call__(self, match: Match[Any], chance: random.Random) -> str:
        """His move."""
        state, d = self.kernel.encode(match.position), self.desk
        d.table[:] = 0  # it holds scores from the view of one side
        d.turn[1] = match.game.side(match.seat)
        d.nodes[:] = 0, self.limit
        chosen, depth = NO_ROW, 0
        while depth < RIVAL_MAX_PLY // 2 and d.nodes[0] < self.limit:
            depth += 1
            found = int(self.best(state, depth, chosen, 0, d))
            chosen = found if found >= 0 else chosen
        self.nodes = int(d.nodes[0])
        row = chosen % calls.successors(state, d.rows[0])
        return move_between(
            match.game, match.position, self.kernel.decode(calls.load(state, d.rows[0], row))
        )


class EnginePlayer:
    """The engine at full strength, with a number of nodes."""

    def __init__(self, game: Game[Any], nodes: int) -> None:
        self.limit = nodes
        self.nodes = 0

    def __call__(self, match: Match[Any], chance: random.Random) -> str:
        """Its move."""
        thought = TreeSearch(
            match, Limits(nodes=self.limit), weakness=Weakness(seed=chance.getrandbits(62))
        )
        chance.shuffle(thought.root_moves)
        text = run_search(thought)
        self.nodes = thought.nodes
        return text


class TimedPlayer:
    """A player whose CPU time is measured."""

    def __init__(self, player: RivalPlayer | EnginePlayer) -> None:
        self.player = player
        self.seconds, self.moves, self.nodes = 0.0, 0, 0

    def __call__(self, match: Match[Any], chance: random.Random) -> str:
        """His move; one that is forced takes no thought."""
        if len(legal := match.legal()) == 1:
            return next(iter(legal))
        started = time.thread_time()
        text = self.player(match, chance)
        self.seconds += time.thread_time() - started
        self.moves += 1
        self.nodes += self.player.nodes
        return text


PlayerFactory = Callable[[Game[Any], int], RivalPlayer | EnginePlayer]
ENGINE: Final = "engine"
CONTESTANTS: Final[dict[str, PlayerFactory]] = {
    ENGINE: EnginePlayer,
    "max^n": lambda game, nodes: RivalPlayer(game, best_maxn, nodes),
    "paranoid": lambda game, nodes: RivalPlayer(game, best_paranoid, nodes),
}


def calibrate_nodes(game: Game[Any], make: PlayerFactory, seconds: float) -> int:
    """So many nodes take this CPU time, on positions of chance."""
    nodes = MIN_NODES
    make(game, nodes)(Match(game), random.Random(0))  # compiles
    for _round in range(2):
        player, chance = TimedPlayer(make(game, nodes)), random.Random(CALIBRATION_POSITIONS)
        for _position in range(CALIBRATION_POSITIONS):
            player(random_opening(game, chance, chance.randint(*CALIBRATION_TURNS)), chance)
        nodes = max(MIN_NODES, round(seconds * player.nodes / player.seconds))
    return nodes


def play_side_by_side(
    game: Game[Any], first: Player, second: Player, seats: int, games: int, seed: int
) -> Iterator[float]:
    """Matches with the first player in some seats side by side, every opening once from each."""
    for number in range(games):
        match = random_opening(game, random.Random(f"{seed} {number // game.seats}"), OPENING_TURNS)
        chance = random.Random(f"{seed} {number} players")
        own = {(number + seat) % game.seats for seat in range(seats)}
        while not match.outcome() and len(match.moves) < MAX_MATCH_MOVES:
            match.play((first if match.seat in own else second)(match, chance))
        ended = match.outcome()
        winners = ended.winners if ended else ()
        yield float(winners[0] in own) if winners else seats / game.seats


def share_line(name: str, shares: Sequence[float], fair: float) -> str:
    """The share of the points, with the interval that holds it with a confidence of 95 %."""
    n, mean = len(shares), sum(shares) / len(shares)
    # One more match of either kind, so that equal results do not look like certainty.
    spread = sum((share - mean) ** 2 for share in shares) + (1 - mean) ** 2 + mean**2
    wide = Z_95 * math.sqrt(spread / (n + 1) / (n + 2))
    drawn = sum(share not in (0.0, 1.0) for share in shares)
    return (
        f"{name}: {n} matches, {drawn} drawn, {100 * mean:.0f} % ± {100 * wide:.0f} "
        f"(a fair share is {100 * fair:.0f} %)"
    )


def run_contest(
    game: Game[Any], rival: str, seconds: float, games: int, seed: int
) -> Iterator[str]:
    """The four matches of a rival and the engine, told line by line."""
    limits = {name: calibrate_nodes(game, CONTESTANTS[name], seconds) for name in (ENGINE, rival)}
    engine, other = (TimedPlayer(CONTESTANTS[name](game, limits[name])) for name in (ENGINE, rival))
    pairing = f"{ENGINE} {limits[ENGINE]} nodes, {rival} {limits[rival]} nodes"
    shares = [done.share for done in run_matches(game, engine, other, games, seed=seed)]
    yield share_line(f"{pairing}, every other seat, the engine's share", shares, 1 / 2)
    half = game.seats // 2
    for name, first, second, seats in (
        (f"{ENGINE} in {half} seats side by side", engine, other, half),
        (f"one {ENGINE} among {rival}", engine, other, 1),
        (f"one {rival} among {ENGINE}", other, engine, 1),
    ):
        shares = list(play_side_by_side(game, first, second, seats, games, seed))
        yield share_line(name, shares, seats / game.seats)
    spent = (f"{1000 * each.seconds / each.moves:.1f} ms" for each in (engine, other))
    yield f"CPU time a move: {ENGINE} {next(spent)}, {rival} {next(spent)}"


def main() -> None:
    """Play the matches."""
    rivals = [name for name in CONTESTANTS if name != ENGINE]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rivals", nargs="*", default=rivals)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    crowded = [g for name in quinconce.names() for g in game_forms(name) if len(g.sides) > 2]
    for game in crowded:
        prepare(game)
        for rival in given.rivals:
            for line in run_contest(game, rival, given.seconds, given.games, given.seed):
                sys.stdout.write(f"{game.name} {game.chosen}: {line}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
