"""Max^n and paranoid alpha-beta, the rivals of the engine's tree among several sides, and matches.

    python -m benchmarks.rivals [--seconds 0.05] [--games 100] [--seed 0] [max^n | paranoid …]

lets each rival play the engine in every game with more than two sides: in every other seat, in half
of the seats side by side, one engine among rivals and one rival among engines. All search so many
nodes that they need the same CPU time for a move, which is measured first: what else the machine
has to do changes nothing then.
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
from quinconce.core.registry import forms
from quinconce.engine.analysis import prepare, thought_out
from quinconce.engine.match_runner import LONGEST, OPENING, SURE, Player, duel, opened
from quinconce.engine.mcts import Crowd
from quinconce.engine.mcts_tree import UNIT
from quinconce.engine.root_moves import Weakness, text_between
from quinconce.engine.scores import INFINITE, MOST_HOPED, PROVED, WIN, from_root
from quinconce.engine.transpositions import (
    EXACT,
    LOWER,
    NO_ROW,
    NOTHING,
    UPPER,
    Table,
    bound_of,
    depth_of,
    new_table,
    packed,
    recalled,
    remember,
    row_of,
    score_of,
)
from quinconce.engine.weights import weights
from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel, kernel
from quinconce.kernels.protocol import (
    CALM,
    WON,
    Weights,
    evaluate,
    key,
    load,
    successors,
    urgency,
    winner,
)

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

DEEPEST: Final = 60
CALMING: Final = 6  # plies that a search goes on beyond its depth while threats are answered
MEGABYTES: Final = 1
SOONER: Final = 1e-4  # of a win, that it is a ply nearer
LATER: Final = 1e-5  # of a win, that a loss is a ply further: who has lost does not give up
SAMPLE: Final = 60  # positions on which the CPU time of a node is measured
OPENINGS: Final = (8, 40)  # turns of chance before them
FEW: Final = 500


class Desk(NamedTuple):
    """What a search needs."""

    rows: Numbers  # the successors at each ply
    ranks: Numbers  # which of them to try first
    shares: Floats  # what each side may hope for, at each ply
    other: Numbers  # one row: the same board with somebody else to move
    sides: Numbers  # by the step of the cycle
    steps: Numbers  # of the cycle, the first of each side
    turn: Numbers  # which field of a state says whose turn it is; then the side at the root
    nodes: Numbers  # searched, and the most
    table: Table
    weights: Weights


def desk(game: Game[Any], numbers: Kernel) -> Desk:
    """Room for a search."""
    rows = numbers.rows(DEEPEST + 1)
    sides = [game.side(seat) for seat in game.cycle]
    fields = numbers.encode(game.start())._fields
    return Desk(
        rows=rows,
        ranks=np.zeros((DEEPEST + 1, numbers.most), np.int64),
        shares=np.zeros((DEEPEST + 2, len(game.sides)), np.float64),
        other=np.zeros((1, rows.shape[2]), np.int64),
        sides=np.array(sides, np.int64),
        steps=np.array([sides.index(side) for side in range(len(game.sides))], np.int64),
        turn=np.array([fields.index("turn"), 0], np.int64),
        nodes=np.zeros(2, np.int64),
        table=new_table(MEGABYTES),
        weights=weights(numbers),
    )


@compiled
def seen_from(state: Any, step: int, d: Desk) -> int:
    """The evaluation by another player: as if it were his turn."""
    for field in range(len(state)):
        d.other[0, field] = state[field]
    d.other[0, d.turn[0]] = step
    return evaluate(load(state, d.other, 0), d.weights)


@compiled
def ranked(state: Any, ply: int, n: int, best: int, d: Desk) -> None:
    """Say of each successor how early to try it: as the mover sees it, the remembered one first."""
    for row in range(n):
        d.ranks[ply, row] = seen_from(load(state, d.rows[ply], row), state.turn, d)
    if best < n:
        d.ranks[ply, best] = INFINITE


@compiled
def next_row(ply: int, n: int, d: Desk) -> int:
    """The successor to try next; it will not be chosen again."""
    chosen = 0
    for row in range(1, n):
        if d.ranks[ply, row] > d.ranks[ply, chosen]:
            chosen = row
    d.ranks[ply, chosen] = -(1 << 50)
    return chosen


@compiled
def paranoid(state: Any, depth: int, alpha: int, beta: int, ply: int, d: Desk) -> int:
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
    if urgent == WON:
        return WIN - ply - 1 if side == own else ply + 1 - WIN
    if ply >= DEEPEST or (depth <= 0 and (urgent == CALM or depth <= -CALMING)):
        return min(max(seen_from(state, d.steps[own], d), -MOST_HOPED), MOST_HOPED)
    here = key(state)
    entry = recalled(d.table, here)
    best_row = NO_ROW
    if entry != NOTHING:
        best_row = row_of(entry)
        score, bound = from_root(score_of(entry), ply), bound_of(entry)
        if (depth_of(entry) >= depth or abs(score) > PROVED) and (
            bound == EXACT
            or (bound & LOWER and score >= beta)
            or (bound & UPPER and score <= alpha)
        ):
            return score
    n = successors(state, d.rows[ply])
    ranked(state, ply, n, best_row, d)
    lowest, highest = alpha, beta
    best = -INFINITE if side == own else INFINITE
    for _step in range(n):
        row = next_row(ply, n, d)
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
    bound = LOWER if best >= highest else UPPER if best <= lowest else EXACT
    remember(d.table, here, packed(from_root(best, -ply), max(depth, 0), bound, best_row))
    return best


@compiled
def judged(state: Any, ply: int, d: Desk) -> None:
    """What each side may hope for: the chance its own evaluation stands for, of 1 in all."""
    total = 0.0
    for side in range(d.shares.shape[1]):
        chance = 1 / (1 + 10.0 ** (-seen_from(state, d.steps[side], d) / UNIT))
        d.shares[ply, side] = chance
        total += chance
    for side in range(d.shares.shape[1]):
        d.shares[ply, side] /= total


@compiled
def settled(side: int, plies: int, ply: int, d: Desk) -> None:
    """A side wins in so many plies."""
    for other in range(d.shares.shape[1]):
        d.shares[ply, other] = LATER * plies
    d.shares[ply, side] = 1.0 - SOONER * plies


@compiled
def maxn(state: Any, depth: int, enough: float, ply: int, d: Desk) -> None:
    """What each side gets if each wants most for itself, into `shares`.

    If the mover gets as much as `enough`, the one before him will not let it come to this: the
    shares are 1 in all.
    """
    d.nodes[0] += 1
    if d.nodes[0] >= d.nodes[1]:
        return
    side = d.sides[state.turn]
    won = winner(state)
    if won >= 0:
        settled(won, ply, ply, d)
        return
    urgent = urgency(state)
    if urgent == WON:
        settled(side, ply + 1, ply, d)
        return
    if ply >= DEEPEST or (depth <= 0 and (urgent == CALM or depth <= -CALMING)):
        judged(state, ply, d)
        return
    here = key(state)
    entry = recalled(d.table, here)
    best_row = row_of(entry) if entry != NOTHING else NO_ROW
    n = successors(state, d.rows[ply])
    ranked(state, ply, n, best_row, d)
    best = -1.0
    for _step in range(n):
        row = next_row(ply, n, d)
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
    remember(d.table, here, packed(0, max(depth, 0), EXACT, best_row))


@compiled
def best_paranoid(state: Any, depth: int, first: int, ply: int, d: Desk) -> int:
    """The row of the best move for one who fears all others, or -1 if the nodes did not suffice."""
    n = successors(state, d.rows[ply])
    ranked(state, ply, n, first, d)
    best, chosen = -INFINITE - ply, -1
    for _step in range(n):
        row = next_row(ply, n, d)
        after = load(state, d.rows[ply], row)
        score = paranoid(after, depth - 1, best, INFINITE + ply, ply + 1, d)
        if d.nodes[0] >= d.nodes[1]:
            break
        if score > best:
            best, chosen = score, row
    if best < -PROVED and first < n:
        return first  # all others together always win in the end: what seemed best before that
    return chosen


@compiled
def best_maxn(state: Any, depth: int, first: int, ply: int, d: Desk) -> int:
    """The row of the best move where each plays for himself, or -1 if the nodes did not suffice."""
    n = successors(state, d.rows[ply])
    ranked(state, ply, n, first, d)
    best, chosen = -1.0, -1
    for _step in range(n):
        row = next_row(ply, n, d)
        after = load(state, d.rows[ply], row)
        maxn(after, depth - 1, 1.0 - best if best >= 0 else 2.0, ply + 1, d)
        if d.nodes[0] >= d.nodes[1]:
            break
        if d.shares[ply + 1, d.turn[1]] > best:
            best, chosen = d.shares[ply + 1, d.turn[1]], row
    return chosen


# The ply, 0, comes from outside: recursive code that is first called with a literal number cannot
# be loaded from the cache.
Best = Callable[[Any, int, int, int, Desk], int]


class Rival:
    """A player who deepens his search ply by ply until his nodes are used up."""

    def __init__(self, game: Game[Any], best: Best, nodes: int) -> None:
        self.kernel = kernel(game)
        self.best = best
        self.limit = nodes
        self.desk = desk(game, self.kernel)
        self.nodes = 0

    def __call__(self, match: Match[Any], chance: random.Random) -> str:
        """His move."""
        state, d = self.kernel.encode(match.position), self.desk
        d.table[:] = 0  # it holds scores from the view of one side
        d.turn[1] = match.game.side(match.seat)
        d.nodes[:] = 0, self.limit
        chosen, depth = NO_ROW, 0
        while depth < DEEPEST // 2 and d.nodes[0] < self.limit:
            depth += 1
            found = int(self.best(state, depth, chosen, 0, d))
            chosen = found if found >= 0 else chosen
        self.nodes = int(d.nodes[0])
        row = chosen % calls.successors(state, d.rows[0])
        return text_between(
            match.game, match.position, self.kernel.decode(calls.load(state, d.rows[0], row))
        )


class Engine:
    """The engine at full strength, with so many nodes."""

    def __init__(self, game: Game[Any], nodes: int) -> None:
        self.limit = nodes
        self.nodes = 0

    def __call__(self, match: Match[Any], chance: random.Random) -> str:
        """Its move."""
        thought = Crowd(match, nodes=self.limit, weakness=Weakness(seed=chance.getrandbits(62)))
        chance.shuffle(thought.roots)
        text = thought_out(thought)
        self.nodes = thought.nodes
        return text


class Timed:
    """A player of whom it is known how much CPU time he took."""

    def __init__(self, player: Rival | Engine) -> None:
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


Make = Callable[[Game[Any], int], Rival | Engine]
ENGINE: Final = "engine"
CONTESTANTS: Final[dict[str, Make]] = {
    ENGINE: Engine,
    "max^n": lambda game, nodes: Rival(game, best_maxn, nodes),
    "paranoid": lambda game, nodes: Rival(game, best_paranoid, nodes),
}


def calibrated(game: Game[Any], make: Make, seconds: float) -> int:
    """So many nodes take this CPU time, on positions of chance."""
    nodes = FEW
    make(game, nodes)(Match(game), random.Random(0))  # compiles
    for _round in range(2):
        player, chance = Timed(make(game, nodes)), random.Random(SAMPLE)
        for _position in range(SAMPLE):
            player(opened(game, chance, chance.randint(*OPENINGS)), chance)
        nodes = max(FEW, round(seconds * player.nodes / player.seconds))
    return nodes


def together(
    game: Game[Any], first: Player, second: Player, seats: int, games: int, seed: int
) -> Iterator[float]:
    """Matches with the first player in so many seats side by side, every opening once from each."""
    for number in range(games):
        match = opened(game, random.Random(f"{seed} {number // game.seats}"), OPENING)
        chance = random.Random(f"{seed} {number} players")
        own = {(number + seat) % game.seats for seat in range(seats)}
        while not match.outcome() and len(match.moves) < LONGEST:
            match.play((first if match.seat in own else second)(match, chance))
        ended = match.outcome()
        winners = ended.winners if ended else ()
        yield float(winners[0] in own) if winners else seats / game.seats


def told(name: str, shares: Sequence[float], fair: float) -> str:
    """The share of the points, with the interval that holds it with a confidence of 95 %."""
    n, mean = len(shares), sum(shares) / len(shares)
    # One more match of either kind, so that equal results do not look like certainty.
    spread = sum((share - mean) ** 2 for share in shares) + (1 - mean) ** 2 + mean**2
    wide = SURE * math.sqrt(spread / (n + 1) / (n + 2))
    drawn = sum(share not in (0.0, 1.0) for share in shares)
    return (
        f"{name}: {n} matches, {drawn} drawn, {100 * mean:.0f} % ± {100 * wide:.0f} "
        f"(a fair share is {100 * fair:.0f} %)"
    )


def contest(game: Game[Any], rival: str, seconds: float, games: int, seed: int) -> Iterator[str]:
    """The four matches of a rival and the engine, told line by line."""
    limits = {name: calibrated(game, CONTESTANTS[name], seconds) for name in (ENGINE, rival)}
    engine, other = (Timed(CONTESTANTS[name](game, limits[name])) for name in (ENGINE, rival))
    pairing = f"{ENGINE} {limits[ENGINE]} nodes, {rival} {limits[rival]} nodes"
    shares = [done.share for done in duel(game, engine, other, games, seed=seed)]
    yield told(f"{pairing}, every other seat, the engine's share", shares, 1 / 2)
    half = game.seats // 2
    for name, first, second, seats in (
        (f"{ENGINE} in {half} seats side by side", engine, other, half),
        (f"one {ENGINE} among {rival}", engine, other, 1),
        (f"one {rival} among {ENGINE}", other, engine, 1),
    ):
        shares = list(together(game, first, second, seats, games, seed))
        yield told(name, shares, seats / game.seats)
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
    crowded = [g for name in quinconce.names() for g in forms(name) if len(g.sides) > 2]
    for game in crowded:
        prepare(game)
        for rival in given.rivals:
            for line in contest(game, rival, given.seconds, given.games, given.seed):
                sys.stdout.write(f"{game.name} {game.chosen}: {line}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
