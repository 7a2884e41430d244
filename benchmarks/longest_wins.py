"""The longest wins in endgames, to the last capture.

    python -m benchmarks.longest_wins 8 reach=step

The endgame tables count the turns to the next capture, because the limit of quiet turns does.
Here there is no limit, and a position is worth the turns to the end of the game. Nothing is kept.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import quinconce
from quinconce.kernels.array_types import Int32Array
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.kernels.protocol import SuccessorRows, from_index, index, load, successors, winner
from quinconce.solvers.endgames.layers import (
    Part,
    PartNumbers,
    ResultCount,
    expand_classes,
    layer_parts,
    link_quiet_moves,
    number_at,
    number_part_classes,
    part_numbers,
)
from quinconce.solvers.endgames.tables import table_sizes
from quinconce.solvers.retrograde import DRAWN, NO_CLASS, OVER, Distances, reverse_edges


@compiled
def solve_captures(
    state: Any,
    span: PartNumbers,
    lower: Distances,
    firsts: Int32Array,
    left: Int32Array,
    own: Distances,
    out: SuccessorRows,
) -> int:
    """What captures decide, with all the turns that follow; counts the quiet moves of the rest."""
    edges = 0
    for place in range(firsts.size):
        here = from_index(state, number_at(span, firsts[place]))
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
def propagate_back(
    starts: Int32Array,
    back: Int32Array,
    left: Int32Array,
    worths: Distances,
    seeds: Int32Array,
    queue: Int32Array,
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


def solve_part_to_end(kernel: Kernel, part: Part, lower: Distances, table: Distances) -> int:
    """Fill in a part of the table; the turns of its longest win or loss."""
    state, out = kernel.encode(kernel.game.start()), kernel.new_rows(1)[0]
    span = part_numbers(kernel, part)
    classes, firsts = np.full(span.total, NO_CLASS, np.int32), np.empty(span.total, np.int32)
    found = int(number_part_classes(state, span, classes, firsts, 0, 0, span.total))
    firsts = firsts[:found].copy()
    left, own = np.zeros(found, np.int32), np.zeros(found, np.int16)
    onward = np.empty(int(solve_captures(state, span, lower, firsts, left, own, out)), np.int32)
    link_quiet_moves(state, span, classes, firsts, left, onward, out, 0, 0, found)
    starts, back = np.zeros(found + 1, np.int32), np.empty_like(onward)
    reverse_edges(left, onward, starts, back)
    del onward
    seeds = np.flatnonzero(own).astype(np.int32)
    seeds = seeds[np.argsort(np.abs(own[seeds]), kind="stable")]
    propagate_back(starts, back, left, own, seeds, np.empty(found, np.int32))
    worths, counts = (
        np.zeros(span.total, np.int16),
        np.zeros((2, len(ResultCount._fields)), np.int64),
    )
    expand_classes(classes, own, worths, counts, span.size)
    for first, stretch in span.stretches(worths):
        table[first : first + len(stretch)] = stretch
    return int(counts[:, -1].max())


def main(pieces: int, *options: str) -> None:
    """A line for each part of each layer."""
    chosen = dict(option.split("=") for option in options)
    kernel = kernel_for(quinconce.game("seega", quiet="none", **chosen))
    size = table_sizes(kernel)
    table = np.zeros(size[pieces], np.int16)
    for layer in range(1, pieces + 1):
        for part in layer_parts(layer):
            started = time.process_time()
            turns = solve_part_to_end(kernel, part, table[: size[layer - 1]], table)
            seconds = time.process_time() - started
            print(f"{part.strong}×{part.weak}: {turns} turns ({seconds:.1f} s)", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
