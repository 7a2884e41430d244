"""What people are told of a puzzle: its goal, how certain it is, what a move did to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quinconce.core.phrase import Phrase as _
from quinconce.puzzles.puzzle import WIN, Puzzle
from quinconce.words.sentences import player

if TYPE_CHECKING:  # Numba is slow to load
    from quinconce.puzzles.judge import Answer


def goal(puzzle: Puzzle) -> _:
    """What is to be found."""
    who, n = player(puzzle.match(), puzzle.game.seat(puzzle.position)), puzzle.turns
    if puzzle.goal == WIN:
        return _("{player} to move wins in {n} moves.", player=who, n=n)
    return _("{player} to move holds the draw: find {n} moves.", player=who, n=n)


def certain(puzzle: Puzzle) -> _:
    """What is known of the other first moves."""
    if puzzle.goal != WIN:
        return _("Every other first move loses.")
    if puzzle.alone is None:
        return _("No other first move wins.")
    return _("No other first move wins within {n} plies.", n=puzzle.alone)


def told(puzzle: Puzzle, answer: Answer) -> _:
    """What became of a move."""
    if answer.verdict == "right":
        return _("Right. The reply is {move}.", move=answer.moves[-1])
    if answer.verdict == "wrong" and puzzle.goal != WIN:
        return _("This loses.")
    n = puzzle.turns
    return {
        "solved": _("Solved!"),
        "slow": _("This still wins, but not in {n} moves.", n=n),
        "late": _("This does not win in {n} moves any more.", n=n),
        "wrong": _("This does not win any more."),
    }[answer.verdict]
