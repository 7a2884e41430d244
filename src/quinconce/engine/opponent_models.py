"""How an opponent errs who searches: they avoid what they see, and choose the rest by estimate.

A model sees as far as a search of some depth does, and chooses among all moves by a softmax over
what it sees; now and then it slips and looks no further than the next threat. What a search of that
depth finds is worked out for every class of a solved game at once.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from quinconce.engine.search import QUIESCENCE_PLIES
from quinconce.kernels.array_types import Float32Array, Int8Array, Int16Array, Int32Array
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.exponentials import exp
from quinconce.kernels.protocol import (
    CALM,
    WIN_IN_ONE,
    Weights,
    evaluate,
    from_index,
    urgency,
)
from quinconce.solvers.retrograde import OVER, ClassGraph, Distances

Estimates = Int16Array
Urgencies = Int8Array
Shares = Float32Array

SEEN_WIN: Final = 10_000  # the estimate of a win on the board, less the plies to it
NEAR_WIN: Final = 9_500  # beyond every other estimate
MOST_ESTIMATE: Final = 9_000
DECISIVE: Final = 1_500  # what lies beyond looks as good as won
SLIP_TEMPERATURE: Final = 100.0


class OpponentModel(NamedTuple):
    """Somebody who errs; fitted on what levels play (docs/lab/errors.md)."""

    depth: int  # plies that they search after their own move
    temperature: float  # hundredths of a pawn: by how much they mistake what they see
    slips: float  # the share of their moves that are chosen at a glance


# As levels 5, 7 and 9 play, and as a search of nine plies would.
MODELS: Final = (
    OpponentModel(1, 60.0, 0.03),
    OpponentModel(3, 40.0, 0.04),
    OpponentModel(5, 15.0, 0.012),
    OpponentModel(8, 15.0, 0.005),
)


def search_every_class(
    state: Any, graph: ClassGraph, worths: Distances, weights: Weights, depths: list[int]
) -> Estimates:
    """What searches of some depths find in every class: a row for each depth."""
    import numpy as np

    here, urgent = np.empty(len(worths), np.int16), np.empty(len(worths), np.int8)
    estimate_classes(state, graph.firsts, worths, weights, here, urgent)
    found = np.empty((len(depths), len(worths)), np.int16)
    before, after = here.copy(), np.empty_like(here)
    for depth in range(1 - QUIESCENCE_PLIES, max(depths) + 1):
        deepen_estimates(graph.starts, graph.onward, here, urgent, depth > 0, before, after)
        before, after = after, before
        for row, wanted in enumerate(depths):
            if depth == wanted:
                found[row] = before
    return found


@entry
def estimate_classes(
    state: Any,
    firsts: Int32Array,
    worths: Distances,
    weights: Weights,
    here: Estimates,
    urgent: Urgencies,
) -> None:
    """What every class looks like at a glance, and how urgent it is."""
    for place in range(firsts.size):
        position = from_index(state, firsts[place])
        urgent[place] = urgency(position)
        if abs(worths[place]) == OVER:
            here[place] = SEEN_WIN * worths[place]
        elif urgent[place] == WIN_IN_ONE:
            here[place] = SEEN_WIN - 1
        else:
            here[place] = min(max(evaluate(position, weights), -MOST_ESTIMATE), MOST_ESTIMATE)


@entry
def deepen_estimates(
    starts: Int32Array,
    onward: Int32Array,
    here: Estimates,
    urgent: Urgencies,
    whole: bool,
    before: Estimates,
    after: Estimates,
) -> None:
    """One ply more for every class; unless it is `whole`, for those that are under a threat."""
    for place in range(here.size):
        best = int(here[place])
        if abs(best) < SEEN_WIN - 1 and (whole or urgent[place] != CALM):
            best = -SEEN_WIN
            for edge in range(starts[place], starts[place + 1]):
                best = max(best, -int(before[onward[edge]]))
            best = best - 1 if best > NEAR_WIN else best + 1 if best < -NEAR_WIN else best
        after[place] = best


@compiled
def clear_estimate(estimate: int) -> float:
    """How a move looks that leads to a position which looks so to the other side."""
    return float(min(max(-estimate, -DECISIVE), DECISIVE))


@compiled
def write_reply_shares(
    estimates: Estimates,
    glances: Estimates,
    temperature: float,
    slips: float,
    replies: Int32Array,
    first: int,
    last: int,
    shares: Shares,
) -> None:
    """How likely a model plays each of the replies from `first` to before `last`."""
    best = glance = -float(DECISIVE)
    for n in range(first, last):
        best = max(best, clear_estimate(estimates[replies[n]]))
        glance = max(glance, clear_estimate(glances[replies[n]]))
    total = slipping = 0.0
    for n in range(first, last):
        total += exp((clear_estimate(estimates[replies[n]]) - best) / temperature)
        slipping += exp((clear_estimate(glances[replies[n]]) - glance) / SLIP_TEMPERATURE)
    for n in range(first, last):
        chosen = exp((clear_estimate(estimates[replies[n]]) - best) / temperature) / total
        slip = exp((clear_estimate(glances[replies[n]]) - glance) / SLIP_TEMPERATURE) / slipping
        shares[n] = (1.0 - slips) * chosen + slips * slip
