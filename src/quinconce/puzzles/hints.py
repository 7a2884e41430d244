"""A hint for a puzzle that is being solved: the move that goes on."""

from __future__ import annotations

from collections.abc import Sequence

from quinconce.core.phrase import _
from quinconce.puzzles.puzzle import Puzzle, puzzles_by_id


def is_on_line(puzzle: Puzzle, moves: Sequence[str]) -> bool:
    """Whether these moves begin the stored solution, which then has the next one."""
    return len(moves) < len(puzzle.line) and tuple(moves) == puzzle.line[: len(moves)]


def hint_move(puzzle: Puzzle, moves: Sequence[str]) -> str:
    """A move that keeps the goal after some moves, replies included."""
    if is_on_line(puzzle, moves):
        return puzzle.line[len(moves)]
    from quinconce.puzzles.judge import best_continuation, goal_reached  # Numba is slow to load
    from quinconce.puzzles.oracle import oracle_for

    match = puzzle.match(moves)
    if goal_reached(puzzle, match) or puzzle.game.side(match.seat) != puzzle.side:
        raise ValueError(_("it is not for you to move"))
    certain = oracle_for(puzzle.game)
    certain.reset_allowance()
    try:
        return best_continuation(certain, puzzle, match)
    except StopIteration:
        raise ValueError(_("no move keeps the goal from here")) from None


def find_hint(id_: str, moves: tuple[str, ...]) -> str:
    """The same for a process that knows the puzzle by its id."""
    return hint_move(puzzles_by_id()[id_], moves)
