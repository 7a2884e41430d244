"""Check the values of a solved game with the history of a match against another way to find them.

    python -m benchmarks.check_history [GAME] [--matches 300] [--seed 1]

plays matches with many repetitions. For every position of them that follows a repetition, each move
that the engine calls won, drawn or lost with its history considered is worked out once more: all
positions that the winner by the table can reach without leaving what the table calls won are
listed, whole, and solved backwards from the ends, with the positions that occurred twice as drawn
ends. Prints how many moves were compared, and every difference.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import quinconce
from quinconce import Game, Match
from quinconce.core.value import Value, best_move
from quinconce.engine.solved import oracle_values, positions_seen_twice
from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import index, load, successors, winner
from quinconce.solvers.retrograde import Solution, solution

MAX_REGION: Final = 4_000_000  # positions that are listed for one question
EDGES_EACH: Final = 16  # moves of a position that are listed, on average
DITHERING: Final = 0.7  # how often a player takes their last step back, if they can
MAX_MATCH_MOVES: Final = 60
NEAR_END: Final = 3  # plies; a match that begins so near to its end has no room for repetitions
Int32Array = npt.NDArray[np.int32]


@compiled
def list_region(
    root: Any,
    table: Any,
    numbers: Any,
    states: Any,
    starts: Any,
    onward: Any,
    barred: Any,
    rows: Any,
) -> int:
    """Number what the winner may reach, with the moves between: the winner's only where they win.

    Returns how many positions there are, or -1 if they are too many.
    """
    for field in range(len(root)):
        states[0, field] = root[field]
    numbers[2 * index(root) + root.turn] = 1
    count, edge = 1, 0
    done = 0
    while done < count:
        starts[done] = edge
        here = load(root, states, done)
        slot = 2 * index(here) + here.turn
        if not barred[slot] and winner(here) < 0:
            winning = table[index(here)] > 0
            for row in range(successors(here, rows)):
                after = load(here, rows, row)
                if winning and table[index(after)] >= 0:
                    continue
                to = 2 * index(after) + after.turn
                if numbers[to] == 0:
                    if count == states.shape[0]:
                        return -1
                    for field in range(len(root)):
                        states[count, field] = after[field]
                    count += 1
                    numbers[to] = count
                if edge == onward.shape[0]:
                    return -1
                onward[edge] = numbers[to] - 1
                edge += 1
        done += 1
    starts[done] = edge
    return count


@compiled
def solve_region(
    root: Any,
    count: int,
    table: Any,
    states: Any,
    starts: Any,
    onward: Any,
    barred: Any,
    back_starts: Any,
    back: Any,
    left: Any,
    plies: Any,
    queue: Any,
) -> None:
    """The plies to the win of each position, backwards from the ends; -1 where there is none."""
    for edge in range(starts[count]):
        back_starts[onward[edge] + 1] += 1
    for place in range(count):
        back_starts[place + 1] += back_starts[place]
        left[place] = back_starts[place]
    for place in range(count):
        for edge in range(starts[place], starts[place + 1]):
            back[left[onward[edge]]] = place
            left[onward[edge]] += 1
    ended = 0
    for place in range(count):
        here = load(root, states, place)
        left[place] = starts[place + 1] - starts[place]
        plies[place] = -1
        if winner(here) >= 0 and not barred[2 * index(here) + here.turn]:
            plies[place] = 0
            queue[ended] = place
            ended += 1
    done = 0
    while done < ended:
        place = queue[done]
        done += 1
        for edge in range(back_starts[place], back_starts[place + 1]):
            before = back[edge]
            left[before] -= 1
            winning = table[index(load(root, states, before))] > 0
            if plies[before] < 0 and (winning or left[before] == 0):
                plies[before] = plies[place] + 1
                queue[ended] = before
                ended += 1


class RegionSolver:
    """Values of a solved game with drawn ends added, found by listing whole regions."""

    def __init__(self, found: Solution, most: int = MAX_REGION) -> None:
        self.solution = found
        self.kernel = kernel_for(found.game)
        self.rows = self.kernel.new_rows(1)[0]
        self.states = np.empty((most, self.rows.shape[1]), np.int64)
        self.edges = [np.empty(EDGES_EACH * most, np.int32) for _array in range(2)]
        self.places = [np.empty(most + 1, np.int32) for _array in range(4)]

    def value(self, position: Any, again: set[Any]) -> Value | None:
        """The value of a position that has just come up; None if its region is too large."""
        plain = self.solution.value(position)
        if position in again or plain.result == "draw":
            return Value("draw")
        if not plain.plies:
            return plain
        size = 2 * len(self.solution.distances)
        barred, numbers = np.zeros(size, np.bool_), np.zeros(size, np.int32)
        for one in again:
            state = self.kernel.encode(one)
            barred[2 * int(self.index(one)) + state.turn] = True
        root, table = self.kernel.encode(position), self.solution.distances
        starts, left, plies, queue = self.places
        onward, back = self.edges
        count = int(
            list_region(root, table, numbers, self.states, starts, onward, barred, self.rows)
        )
        if count < 0:
            return None
        back_starts = np.zeros(count + 1, np.int32)
        solve_region(
            root,
            count,
            table,
            self.states,
            starts,
            onward,
            barred,
            back_starts,
            back,
            left,
            plies,
            queue,
        )
        return Value(plain.result, int(plies[0])) if plies[0] >= 0 else Value("draw")

    def index(self, position: Any) -> int:
        """The number of a position in the table."""
        return int(calls.index(self.kernel.encode(position)))


def dithering_match(
    game: Game[Any], found: Solution, chance: random.Random
) -> Iterator[Match[Any]]:
    """A match as it goes on from a decided position, in which both often take back what they did.

    Now and then somebody plays the best move, one that holds, or any.
    """
    match = Match(game, decided_position(game, found, chance))
    while not match.outcome() and len(match.moves) < MAX_MATCH_MOVES:
        yield match
        known = found.move_values(match.position)
        result = found.value(match.position).result
        held = sorted(text for text, value in known.items() if value.result == result)
        undone = [text for text in held if is_taken_back(match, text)]
        steps = [text for text in held if "-" in text]
        if undone and chance.random() < DITHERING:
            match.play(chance.choice(undone))
        elif steps and chance.random() < DITHERING:
            match.play(chance.choice(steps))
        elif chance.random() < 0.5:
            match.play(best_move(known))
        else:
            match.play(chance.choice(held if chance.random() < 0.7 else sorted(known)))


def decided_position(game: Game[Any], found: Solution, chance: random.Random) -> Any:
    """A position of random play that is won or lost, and not at once."""
    while True:
        match = Match(game)
        for _turn in range(chance.randrange(5, 30)):
            if not match.outcome():
                match.play(chance.choice(sorted(match.legal())))
        if not match.outcome() and (found.value(match.position).plies or 0) > NEAR_END:
            return match.position


def is_taken_back(match: Match[Any], text: str) -> bool:
    """Whether a step leads back where the mover's last step began."""
    if len(match.moves) < 2 or "-" not in text or "-" not in match.moves[-2]:
        return False
    return text.split("-") == match.moves[-2].split("-")[::-1]


class Comparison:
    """What was compared so far, and every difference."""

    def __init__(self, found: Solution, most: int = MAX_REGION) -> None:
        self.solution = found
        self.solver = RegionSolver(found, most)
        self.positions = self.moves = self.drawn = self.longer = self.large = self.different = 0
        self.seconds = self.slowest = 0.0

    def compare(self, match: Match[Any], chance: random.Random, share: float) -> None:
        """Look at every move that the history changes, and at a share of the others."""
        again = positions_seen_twice(match)
        if not any(self.solution.value(position).plies for position in again):
            return
        self.positions += 1
        begun = time.perf_counter()
        told = oracle_values(match, self.solution)
        spent = time.perf_counter() - begun
        self.slowest, self.seconds = max(self.slowest, spent), self.seconds + spent
        plain = self.solution.move_values(match.position)
        for text, after in match.legal().items():
            same = told[text].value == plain[text]
            if plain[text].result == "draw" or (same and chance.random() > share):
                continue
            exact = self.solver.value(after, again)
            if exact is None:
                self.large += 1
                continue
            self.moves += 1
            self.drawn += exact.result == "draw"
            self.longer += exact.result != "draw" and exact.one_ply_earlier() != plain[text]
            if exact.one_ply_earlier() != told[text].value:
                self.different += 1
                sys.stdout.write(f"{match.moves} {text}: {exact} {told[text]}\n")

    def __str__(self) -> str:
        each = 1000 * self.seconds / max(self.positions, 1)
        return (
            f"{self.positions} positions after a decided one came twice; {self.moves} moves "
            f"compared: {self.drawn} drawn by history, {self.longer} won or lost later; "
            f"{self.large} too large; {self.different} differences. "
            f"{each:.1f} ms a position, {1000 * self.slowest:.0f} ms at most"
        )


def main() -> None:
    """Compare, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="diadema")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=MAX_REGION, help="positions of a region")
    parser.add_argument("--share", type=float, default=0.03, help="of unchanged moves compared")
    given = parser.parse_args()
    game = quinconce.game(given.game)
    found = solution(game)
    assert found
    comparison, chance = Comparison(found, given.most), random.Random(given.seed)
    for number in range(given.matches):
        for match in dithering_match(game, found, chance):
            comparison.compare(match, chance, given.share)
        if number % 50 == 49:
            sys.stdout.write(f"{number + 1} matches: {comparison}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{given.matches} matches: {comparison}\n")


if __name__ == "__main__":
    main()
