"""The longest wins in endings, to the last capture: `python -m benchmarks.lengths 8 reach=step`.

The tables of the house count the turns to the next capture, because the limit of quiet turns does.
Here there is no limit, and a position is worth the turns to the end of the game. Nothing is kept.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import quinconce
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel, kernel
from quinconce.kernels.protocol import Rows, index, indexed, load, successors, winner
from quinconce.solvers.endgames.layers import (
    Count,
    Part,
    Span,
    joined,
    layered,
    number_at,
    parts,
    span_of,
    spread,
)
from quinconce.solvers.endgames.tables import sizes
from quinconce.solvers.retrograde import DRAWN, NOWHERE, OVER, Numbers, Worths, turned_round


@compiled
def captured(
    state: Any, span: Span, lower: Worths, firsts: Numbers, left: Numbers, own: Worths, out: Rows
) -> int:
    """What captures decide, with all the turns that follow; counts the quiet moves of the rest."""
    edges = 0
    for place in range(firsts.size):
        here = indexed(state, number_at(span, firsts[place]))
        side = winner(here)
        if side >= 0:
            own[place] = OVER if side == here.turn else -OVER
            continue
        rows = successors(here, out)
        if index(load(here, out, 0)) >= span.first:
            left[place] = rows
            edges += rows
            continue
        best = worst = 0
        drawn = False
        for row in range(rows):
            after = load(here, out, row)
            side = winner(after)
            worth = lower[index(after)] if side < 0 else OVER if side == after.turn else -OVER
            if worth < 0 and (best == 0 or 1 - worth < best):
                best = 1 - worth
            elif worth == DRAWN:
                drawn = True
            elif worth > 0:
                worst = min(worst, -1 - worth)
        own[place] = best if best > 0 else DRAWN if drawn else worst
    return edges


@compiled
def unwound(
    starts: Numbers, back: Numbers, left: Numbers, worths: Worths, seeds: Numbers, queue: Numbers
) -> None:
    """As in a whole game, but the ends are not all equally near: `seeds` has the nearest first."""
    seed = done = ended = 0
    while seed < seeds.size or done < ended:
        if done == ended or (
            seed < seeds.size and abs(worths[seeds[seed]]) <= abs(worths[queue[done]])
        ):
            after = seeds[seed]
            seed += 1
        else:
            after = queue[done]
            done += 1
        worth = worths[after]
        for edge in range(starts[after], starts[after + 1]):
            before = back[edge]
            if worths[before] == DRAWN:
                left[before] -= 1
                if worth < 0 or left[before] == 0:
                    worths[before] = 1 - worth if worth < 0 else -1 - worth
                    queue[ended] = before
                    ended += 1


def longest(numbers: Kernel, part: Part, lower: Worths, table: Worths) -> int:
    """Fill in a part of the table; the turns of its longest win or loss."""
    state, out = numbers.encode(numbers.game.start()), numbers.rows(1)[0]
    span = span_of(numbers, part)
    classes, firsts = np.full(span.total, NOWHERE, np.int32), np.empty(span.total, np.int32)
    found = int(layered(state, span, classes, firsts, 0, 0, span.total))
    firsts = firsts[:found].copy()
    left, own = np.zeros(found, np.int32), np.zeros(found, np.int16)
    onward = np.empty(int(captured(state, span, lower, firsts, left, own, out)), np.int32)
    joined(state, span, classes, firsts, left, onward, out, 0, 0, found)
    starts, back = np.zeros(found + 1, np.int32), np.empty_like(onward)
    turned_round(left, onward, starts, back)
    del onward
    seeds = np.flatnonzero(own).astype(np.int32)
    seeds = seeds[np.argsort(np.abs(own[seeds]), kind="stable")]
    unwound(starts, back, left, own, seeds, np.empty(found, np.int32))
    worths, counts = np.zeros(span.total, np.int16), np.zeros((2, len(Count._fields)), np.int64)
    spread(classes, own, worths, counts, span.size)
    for first, stretch in span.stretches(worths):
        table[first : first + len(stretch)] = stretch
    return int(counts[:, -1].max())


def main(pieces: int, *options: str) -> None:
    """A line for each part of each layer."""
    chosen = dict(option.split("=") for option in options)
    numbers = kernel(quinconce.game("seega", quiet="none", **chosen))
    size = sizes(numbers)
    table = np.zeros(size[pieces], np.int16)
    for layer in range(1, pieces + 1):
        for part in parts(layer):
            started = time.process_time()
            turns = longest(numbers, part, table[: size[layer - 1]], table)
            seconds = time.process_time() - started
            print(f"{part.strong}×{part.weak}: {turns} turns ({seconds:.1f} s)", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
