"""A solved game in the middle of a match: exact values where some positions have occurred twice.

A position that has occurred twice is *barred*: its next occurrence ends the match in a draw. The
value of any other position, with the whole history of the match, is its value in the game in which
every barred position is a drawn end:

- A side that wins that game can come nearer to its end with every move, so that it meets no
  position twice on the way, and none of them has occurred twice before: no third occurrence stops
  it.
- A side that does not lose that game can stay for ever where it does not lose, or reach a barred
  position. The match ends at the latest when something occurs a third time, which is a draw.

A drawn end more can only turn wins into draws. So what the table calls drawn is drawn, and a win is
looked at again from here forwards. First the winner plays as the table says, nearer with each move:
positions nearer to their end than every barred one are out of reach of them, and need no look.
Where all such moves of the winner may run into a barred position, a win is still possible by a
longer way. All positions of that kind that can be reached are collected, and their distances are
worked out anew until nothing changes. Positions themselves are looked up here, not classes of
symmetric ones: a match repeats one of them and not its images.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from quinconce.core.value import Value
from quinconce.kernels import calls
from quinconce.kernels.array_types import Int8Array, Int64Array
from quinconce.kernels.arrays import ArrayMaker, temporary_arrays
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import SuccessorRows, index, load, successors
from quinconce.solvers.retrograde import Distances, Solution

# What is known of a position that the table calls won or lost.
UNSEEN, HOLDS, DOUBTFUL, BARRED = range(4)
MAX_DOUBTFUL: Final = 1 << 20  # positions with doubtful wins that are worked out anew
WON_IN_THREE: Final = 4  # in the table: a win in three plies
LONGEST_WIN: Final = 128  # plies, and more than any game has that is solved whole


class DoubtWorkspace(NamedTuple):
    """What is found out about the positions of one question."""

    table: Distances  # of the solution, by index
    marks: Int8Array  # by slot
    worths: Distances  # of doubtful positions that are decided after all, by slot
    doubtful: SuccessorRows  # the states of doubtful positions, in the order they were found
    doubtful_count: Int64Array  # of them
    stack: SuccessorRows  # the states that are looked at, by ply
    rows: Int64Array  # their successors
    moves_made: Int64Array  # how many those are
    moves_seen: Int64Array  # and how many of them are known
    safe_plies: Int64Array  # no barred position is nearer to its end


def values_with_history(
    found: Solution, positions: Sequence[Any], barred: Collection[Any]
) -> list[Value] | None:
    """The value of each position when it has just come up, with a match behind it.

    `barred` are the positions that occurred twice before. None if it takes too much to find out.
    """
    table = [found.known_value(position) for position in positions]
    ends = [value for value in map(found.known_value, barred) if value.plies is not None]
    doubted = [
        position
        for position, value in zip(positions, table, strict=True)
        if value.plies and position not in barred
    ]
    if ends and doubted:
        nearest = min(value.plies or 0 for value in ends)
        again = doubted_values(found, doubted, barred, nearest)
        if again is None:
            return None
        table = [
            again.get(position, value) for position, value in zip(positions, table, strict=True)
        ]
    return [
        Value("draw") if position in barred else value
        for position, value in zip(positions, table, strict=True)
    ]


def doubted_values(
    found: Solution, positions: Sequence[Any], barred: Collection[Any], nearest: int
) -> dict[Any, Value] | None:
    """The values of decided positions with a match behind them; None if it takes too much.

    No barred position is nearer to its end than `nearest`.
    """
    kernel = kernel_for(found.game)
    states = [kernel.encode(position) for position in positions]
    with temporary_arrays(states[0]) as arrays:
        w = new_doubt_workspace(found, nearest, arrays)
        for position in barred:
            bar_position(kernel.encode(position), w)
        safe = [bool(is_safe_win(state, 0, w)) for state in states]
        if not all(safe) and not (
            collect_doubtful(states[0], w) and work_out_doubtful(states[0], w)
        ):
            return None
        worths = [int(worth_with_history(state, w)) for state in states]
    return dict(zip(positions, map(Value.from_distance, worths), strict=True))


def compile_history(found: Solution) -> None:
    """Work out one small question, so that nobody waits for the compiler later.

    To be asked in the native home: modules are compiled already.
    """
    import numpy as np

    kernel, near = kernel_for(found.game), np.flatnonzero(found.distances == WON_IN_THREE)
    if near.size:
        state = calls.from_index(kernel.encode(found.game.start()), int(near[0]))
        position = kernel.decode(state)
        values_with_history(found, [position], set(kernel.successors(position)))


def new_doubt_workspace(found: Solution, safe_plies: int, arrays: ArrayMaker) -> DoubtWorkspace:
    """The memory of a question, which is taken only where it is written."""
    kernel = kernel_for(found.game)
    fields, slots = len(kernel.encode(found.game.start())), 2 * len(found.distances)
    return DoubtWorkspace(
        arrays.keep(found.distances),
        arrays.zeros(slots, dtype="int8"),
        arrays.zeros(slots, dtype="int16"),
        arrays.empty(MAX_DOUBTFUL, fields),
        arrays.zeros(1),
        arrays.empty(LONGEST_WIN, fields),
        arrays.empty(LONGEST_WIN, kernel.max_successors, fields),
        arrays.zeros(LONGEST_WIN),
        arrays.zeros(LONGEST_WIN),
        arrays.array([safe_plies]),
    )


@compiled
def slot_of(state: Any) -> int:
    """The place of a position: the index is the same for both players, with colours exchanged."""
    slot: int = 2 * index(state) + (state.turn & 1)
    return slot


@entry
def bar_position(state: Any, w: DoubtWorkspace) -> None:
    """The next occurrence of a position is a draw."""
    w.marks[slot_of(state)] = BARRED


@compiled
def push_state(state: Any, ply: int, w: DoubtWorkspace) -> None:
    """Look at a position on this ply, from its first move on."""
    for field in range(len(state)):
        w.stack[ply, field] = state[field]
    w.moves_made[ply] = successors(state, w.rows[ply])
    w.moves_seen[ply] = 0


@compiled
def mark_of(state: Any, w: DoubtWorkspace) -> int:
    """What is known of a decided position, at the latest by now."""
    slot = slot_of(state)
    if w.marks[slot] == UNSEEN and abs(w.table[index(state)]) - 1 <= w.safe_plies[0]:
        w.marks[slot] = HOLDS
    return int(w.marks[slot])


@entry
def is_safe_win(state: Any, ply: int, w: DoubtWorkspace) -> bool:
    """Whether the winner of a decided position wins in as many plies as the table says.

    What is in doubt is noted. (With a stack, because Numba cannot load a function from its cache
    that calls a recursive one.)
    """
    if mark_of(state, w) != UNSEEN:
        return mark_of(state, w) == HOLDS
    last = ply
    push_state(state, ply, w)
    while True:
        here = load(state, w.stack, ply)
        worth = int(w.table[index(here)])
        mark = HOLDS if worth < 0 else DOUBTFUL  # if no move says otherwise
        if w.moves_seen[ply] < w.moves_made[ply]:
            after = load(here, w.rows[ply], w.moves_seen[ply])
            useful = worth < 0 or w.table[index(after)] == 1 - worth
            known = mark_of(after, w) if useful else UNSEEN
            if useful and known == UNSEEN:
                ply += 1
                push_state(after, ply, w)
                continue
            if not useful or (known == HOLDS) == (worth < 0):
                w.moves_seen[ply] += 1
                continue
            mark = HOLDS if worth > 0 else DOUBTFUL
        w.marks[slot_of(here)] = mark
        if mark == DOUBTFUL and w.doubtful_count[0] < w.doubtful.shape[0]:
            for field in range(len(here)):
                w.doubtful[w.doubtful_count[0], field] = here[field]
            w.doubtful_count[0] += 1
        if ply == last:
            return mark == HOLDS
        ply -= 1


@entry
def collect_doubtful(state: Any, w: DoubtWorkspace) -> bool:
    """Note every doubtful position to which the winner may go on from one; False if too many."""
    done = 0
    while done < w.doubtful_count[0]:
        here = load(state, w.doubtful, done)
        worth = w.table[index(here)]
        for row in range(successors(here, w.rows[0])):
            after = load(here, w.rows[0], row)
            if worth < 0 or w.table[index(after)] < 0:
                is_safe_win(after, 1, w)
        done += 1
    return bool(done < w.doubtful.shape[0])


@entry
def worth_with_history(state: Any, w: DoubtWorkspace) -> int:
    """What is known of a decided position by now, as a number of the table; 0 is a draw."""
    slot = slot_of(state)
    if w.marks[slot] == HOLDS:
        return int(w.table[index(state)])
    return int(w.worths[slot]) if w.marks[slot] == DOUBTFUL else 0


@compiled
def best_worth_after(state: Any, w: DoubtWorkspace) -> int:
    """The worth of a doubtful position by what is known of its successors; 0 where it is open."""
    winning, best = w.table[index(state)] > 0, 0
    for row in range(successors(state, w.rows[0])):
        after = load(state, w.rows[0], row)
        worth = 0
        if (w.table[index(after)] < 0) == winning:
            worth = worth_with_history(after, w)
        if winning and worth and (best == 0 or 1 - worth < best):
            best = 1 - worth
        elif not winning:
            if worth == 0:
                return 0
            best = min(best, -1 - worth)
    return best


@entry
def work_out_doubtful(state: Any, w: DoubtWorkspace) -> bool:
    """Shorten the ways to the end of doubtful positions until nothing changes any more."""
    changed = True
    while changed:
        changed = False
        for place in range(w.doubtful_count[0]):
            here = load(state, w.doubtful, place)
            worth = best_worth_after(here, w)
            if worth != w.worths[slot_of(here)]:
                w.worths[slot_of(here)] = worth
                changed = True
    return True
