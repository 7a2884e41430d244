"""One part of a layer of endings in rounds that find the moves again, for want of memory.

`layers.py` keeps every quiet move; here none is kept, and a position up to symmetry costs two bytes
and two bits. Round n looks for the positions that are worth n turns, turns back to where a quiet
turn led there from, and there looks at all moves anew. The worths come out the same.

Boards that hold the same cells have numbers in a row, and a symmetry takes all of them to another
set of cells. So positions up to symmetry are those of one set of cells of each class: the entries.
A set with symmetries of its own has some positions twice, which then have the same worth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.kernels import calls
from quinconce.kernels.array_types import Int32Array
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import (
    SuccessorRows,
    from_index,
    image,
    image_count,
    index,
    indices_per_board,
    load,
    quiet_predecessors,
    successors,
    winner,
)
from quinconce.solvers.endgames.layers import (
    Part,
    PartNumbers,
    PartSolution,
    ReportShare,
    ResultCount,
    distance_after_captures,
    part_numbers,
)
from quinconce.solvers.retrograde import LONGEST_DISTANCE, OVER, Distances

SaveRounds = Callable[["Rounds"], None]
Bits = npt.NDArray[np.uint8]
ENTRIES_PER_STEP: Final = 1 << 21  # entries between two signs of life
SETS_PER_STEP: Final = 1 << 12  # sets of cells written at once
SAVE_SECONDS: Final = 600.0  # seconds between two savings
SYMMETRY_BITS: Final = 3  # bits; no board has more than eight symmetries
# What each stage takes of the time, about.
CAPTURES_TIME: Final = 0.15
ROUNDS_TIME: Final = 0.75


class CellSets(NamedTuple):
    """The sets of cells of a part, up to symmetry."""

    codes: Int32Array  # by set: its class, and the symmetry that takes it to the first of the class
    firsts: Int32Array  # by class: its first set
    sizes: Int32Array  # by class: how many sets there are
    numbers: int  # in a row for each set


class Rounds(NamedTuple):
    """How far a part has come: the worths of its entries, two bits for each, and the next step."""

    worths: Distances
    possible: Bits  # whether an entry is a position
    quiet: Bits  # whether all its turns are quiet
    step: npt.NDArray[np.int64]  # the round, 0 while captures are looked at; the first entry to do

    def words(self) -> list[Distances]:
        """All of it as words of 16 bits, to be kept in a file."""
        return [each.view(np.int16) for each in (self.step, self.possible, self.quiet, self.worths)]


def bit_bytes(entries: int) -> int:
    """The bytes of a bit for every entry, whole words of them."""
    return 2 * -(-entries // 16)


def new_rounds(entries: int) -> Rounds:
    """Nothing known yet."""
    bits = bit_bytes(entries)
    return Rounds(
        np.zeros(entries, np.int16),
        np.zeros(bits, np.uint8),
        np.zeros(bits, np.uint8),
        np.zeros(2, np.int64),
    )


def words_to_keep(entries: int) -> int:
    """How many words of 16 bits `Rounds.words` are."""
    return 8 + bit_bytes(entries) + entries


def rounds_from_words(words: Distances, entries: int) -> Rounds:
    """What `Rounds.words` were."""
    bits, found = bit_bytes(entries) // 2, new_rounds(entries)
    for place, kept in (
        (found.step, words[:8]),
        (found.possible, words[8 : 8 + bits]),
        (found.quiet, words[8 + bits : 8 + 2 * bits]),
        (found.worths, words[8 + 2 * bits :]),
    ):
        place.view(np.int16)[:] = kept
    return found


class RoundsSolver:
    """One part, from nothing or from what was saved."""

    def __init__(self, kernel: Kernel, part: Part, lower: Distances) -> None:
        self.state = kernel.encode(kernel.game.start())
        self.span = part_numbers(kernel, part)
        self.part, self.lower = part, lower
        self.most = kernel.game.quiet_limit or LONGEST_DISTANCE
        self.out, self.more = kernel.new_rows(1)[0], kernel.new_rows(1)[0]
        self.sets = find_cell_sets(self.state, self.span, part)
        self.stretches = self.span.total // self.span.size
        self.entries = self.stretches * len(self.sets.firsts) * self.sets.numbers
        self.rounds = new_rounds(self.entries)

    def run(
        self, on_progress: ReportShare = lambda _done: None, save: SaveRounds = lambda _rounds: None
    ) -> None:
        """Work out the worths, saving now and then."""
        saved, step = time.monotonic(), self.rounds.step
        while step[0] <= self.most:
            found = 0
            for begin in range(int(step[1]), self.entries, ENTRIES_PER_STEP):
                step[1] = begin
                if time.monotonic() - saved > SAVE_SECONDS:
                    save(self.rounds)
                    saved = time.monotonic()
                found += self._do_step(begin, min(begin + ENTRIES_PER_STEP, self.entries))
                on_progress(self._share(begin))
            turn = int(step[0])
            # A round that was resumed has found something before, perhaps.
            if turn > OVER + 1 and not found and not has_worth(self.rounds.worths, turn + 1):
                break
            step[:] = max(turn, OVER) + 1, 0
        on_progress(CAPTURES_TIME + ROUNDS_TIME)

    def _do_step(self, begin: int, end: int) -> int:
        """Some entries of a round; returns how many positions were decided."""
        rounds, subject = self.rounds, (self.state, self.span, self.sets, begin, end)
        if rounds.step[0] == 0:
            return int(look_for_captures(*subject, self.lower, rounds, self.out))
        if not self.part.weak:
            return 0  # the game is over everywhere
        return int(look_back(*subject, int(rounds.step[0]), rounds, self.out, self.more))

    def _share(self, begin: int) -> float:
        """How much is done, about: nobody knows how many rounds there will be."""
        turn, part = int(self.rounds.step[0]), begin / self.entries
        if turn == 0:
            return CAPTURES_TIME * part
        return CAPTURES_TIME + ROUNDS_TIME * (1 - 1 / (turn - 1 + part))

    def counts(self) -> tuple[ResultCount, ResultCount, int]:
        """What the part comes to for the weaker and the stronger side, and classes of positions."""
        found = np.zeros((2, 4), np.int64)
        classes = int(count_results(self.state, self.span, self.sets, self.rounds, found))
        weak, strong = (ResultCount(*map(int, row)) for row in found)
        return weak, strong if self.stretches == 2 else weak, classes

    def stretches_of_worths(self, on_progress: ReportShare) -> Iterator[Distances]:
        """The worths of all numbers of the part, in their order, a stretch at a time."""
        sets = len(self.sets.codes)
        for stretch in range(self.stretches):
            for first in range(0, sets, SETS_PER_STEP):
                last = min(first + SETS_PER_STEP, sets)
                worths = np.zeros((last - first) * self.sets.numbers, np.int16)
                subject = (self.state, self.span, self.sets, stretch, first)
                expand_sets(*subject, self.rounds.worths, worths)
                yield worths
                done = (stretch + last / sets) / self.stretches
                on_progress(1 - (1 - CAPTURES_TIME - ROUNDS_TIME) * (1 - done))


def solve_part_in_rounds(kernel: Kernel, part: Part, lower: Distances) -> PartSolution:
    """What `solve_part` returns, by rounds."""
    solver = RoundsSolver(kernel, part, lower)
    solver.run()
    worths = np.concatenate(list(solver.stretches_of_worths(lambda _done: None)))
    return PartSolution(worths, *solver.counts())


def find_cell_sets(state: Any, span: PartNumbers, part: Part) -> CellSets:
    """The sets of cells that the boards of a part hold."""
    numbers = int(calls.indices_per_cell_set(state, part.pieces, part.weak))
    codes = np.zeros(span.size // numbers, np.int32)
    firsts, sizes = np.zeros_like(codes), np.zeros_like(codes)
    found = int(number_cell_sets(state, span.weak, numbers, codes, firsts, sizes))
    return CellSets(codes, firsts[:found].copy(), sizes[:found].copy(), numbers)


def has_worth(worths: Distances, turns: int) -> bool:
    """Whether any entry has a worth of this number of turns."""
    steps = range(0, len(worths), ENTRIES_PER_STEP)
    return any((np.abs(worths[n : n + ENTRIES_PER_STEP]) == turns).any() for n in steps)


@compiled
def number_cell_sets(
    state: Any, first: int, numbers: int, codes: Int32Array, firsts: Int32Array, sizes: Int32Array
) -> int:
    """Number the classes of sets; the first set of each comes before its others."""
    found = 0
    for here in range(codes.size):
        board = from_index(state, first + here * numbers)
        least, symmetry, same = here, 0, 0
        for n in range(image_count(board)):
            there = (index(image(board, n)) - first) // numbers
            if there < least:
                least, symmetry = there, n
            same += 1 if there == here else 0
        if least == here:
            codes[here] = found << SYMMETRY_BITS
            firsts[found] = here
            sizes[found] = image_count(board) // same
            found += 1
        else:
            codes[here] = codes[least] >> SYMMETRY_BITS << SYMMETRY_BITS | symmetry
    return found


@compiled
def entry_of(state: Any, span: PartNumbers, sets: CellSets) -> int:
    """The entry of a position of the part."""
    number = index(state)
    stretch = 0 if number < span.weak + span.size else 1
    first = span.weak if stretch == 0 else span.strong
    code = sets.codes[(number - first) // sets.numbers]
    symmetry = code & (1 << SYMMETRY_BITS) - 1
    if symmetry:
        number = index(image(state, symmetry))
    row = int(code >> SYMMETRY_BITS) + stretch * sets.firsts.size
    return row * sets.numbers + (number - first) % sets.numbers


@compiled
def number_of_entry(span: PartNumbers, sets: CellSets, entry: int) -> int:
    """The number of the position of an entry."""
    row, offset = entry // sets.numbers, entry % sets.numbers
    if row < sets.firsts.size:
        return span.weak + int(sets.firsts[row]) * sets.numbers + offset
    return span.strong + int(sets.firsts[row - sets.firsts.size]) * sets.numbers + offset


@compiled
def look_for_captures(
    state: Any,
    span: PartNumbers,
    sets: CellSets,
    begin: int,
    end: int,
    lower: Distances,
    rounds: Rounds,
    out: SuccessorRows,
) -> int:
    """Which entries are positions, what a capture decides, and where all turns are quiet."""
    found = 0
    for entry in range(begin, end):
        number = number_of_entry(span, sets, entry)
        here = from_index(state, number)
        if index(here) != number:
            continue
        rounds.possible[entry >> 3] |= 1 << (entry & 7)
        side = winner(here)
        worth = 0
        if side >= 0:
            worth = OVER if side == here.turn else -OVER
        else:
            rows = successors(here, out)
            if index(load(here, out, 0)) >= span.first:
                rounds.quiet[entry >> 3] |= 1 << (entry & 7)
            else:
                worth = distance_after_captures(here, lower, out, rows)
        rounds.worths[entry] = worth
        found += 1 if worth else 0
    return found


@compiled
def look_back(
    state: Any,
    span: PartNumbers,
    sets: CellSets,
    begin: int,
    end: int,
    turns: int,
    rounds: Rounds,
    out: SuccessorRows,
    more: SuccessorRows,
) -> int:
    """Decide what leads to the entries with a worth of these turns; returns how many positions."""
    found = 0
    for entry in range(begin, end):
        worth = rounds.worths[entry]
        if worth != turns and worth != -turns:
            continue
        here = from_index(state, number_of_entry(span, sets, entry))
        for row in range(quiet_predecessors(here, out)):
            before = load(here, out, row)
            place = entry_of(before, span, sets)
            if rounds.worths[place] or not rounds.quiet[place >> 3] >> (place & 7) & 1:
                continue
            if worth < 0:
                found += keep_worth(before, place, span, sets, 1 - worth, rounds.worths)
            elif all_turns_lose(before, span, sets, turns, rounds.worths, more):
                found += keep_worth(before, place, span, sets, -1 - worth, rounds.worths)
    return found


@compiled
def all_turns_lose(
    here: Any, span: PartNumbers, sets: CellSets, turns: int, worths: Distances, out: SuccessorRows
) -> bool:
    """Whether every turn leads to a position that the other wins within these turns."""
    for row in range(successors(here, out)):
        worth = worths[entry_of(load(here, out, row), span, sets)]
        if worth <= 0 or worth > turns:
            return False
    return True


@compiled
def keep_worth(
    here: Any, entry: int, span: PartNumbers, sets: CellSets, worth: int, worths: Distances
) -> int:
    """Keep the worth of a position, and of what a symmetry of its own cells makes of it."""
    worths[entry] = worth
    row = entry // sets.numbers
    if row >= sets.firsts.size:
        row -= sets.firsts.size
    if sets.sizes[row] < image_count(here):
        base = number_of_entry(span, sets, entry - entry % sets.numbers)
        for n in range(image_count(here)):
            number = index(image(here, n))
            if base <= number < base + sets.numbers:
                worths[entry - entry % sets.numbers + number - base] = worth
    return 1


@compiled
def count_results(
    state: Any,
    span: PartNumbers,
    sets: CellSets,
    rounds: Rounds,
    counts: npt.NDArray[np.int64],
) -> int:
    """Count all positions by who is to move; returns how many there are up to symmetry."""
    classes = 0
    half = sets.firsts.size * sets.numbers
    for entry in range(rounds.worths.size):
        if not rounds.possible[entry >> 3] >> (entry & 7) & 1:
            continue
        row = 0 if entry < half else 1
        size = sets.sizes[entry // sets.numbers - row * sets.firsts.size]
        worth = rounds.worths[entry]
        counts[row, 0 if worth > 0 else 1 if worth == 0 else 2] += size
        counts[row, 3] = max(counts[row, 3], abs(worth) - 1)
        number = number_of_entry(span, sets, entry)
        classes += 1
        here = from_index(state, number)
        if size < image_count(here):
            for n in range(image_count(here)):
                twin = index(image(here, n))
                if twin < number and twin >= number - entry % sets.numbers:
                    classes -= 1  # counted already
                    break
    return classes


@compiled
def expand_sets(
    state: Any,
    span: PartNumbers,
    sets: CellSets,
    stretch: int,
    first: int,
    worths: Distances,
    out: Distances,
) -> None:
    """Give every number of some sets of cells the worth of its entry."""
    base = span.weak if stretch == 0 else span.strong
    per_board = indices_per_board(state)
    for place in range(0, out.size, per_board):
        number = base + first * sets.numbers + place
        here = from_index(state, number)
        entry = entry_of(here, span, sets)
        for more in range(per_board):
            out[place + more] = worths[entry + more]
