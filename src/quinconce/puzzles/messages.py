"""What people are told of a puzzle: its goal, how certain it is, what a move did to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.puzzles.puzzle import WIN, Puzzle
from quinconce.words.sentences import player_name

if TYPE_CHECKING:  # Numba is slow to load
    from quinconce.puzzles.judge import MoveJudgement


def goal_message(puzzle: Puzzle) -> Phrase:
    """What is to be found."""
    who, n = player_name(puzzle.match(), puzzle.game.seat(puzzle.position)), puzzle.turns
    if puzzle.goal == WIN:
        return ngettext(
            "{player} to move wins in {n} move.",
            "{player} to move wins in {n} moves.",
            n,
            player=who,
        )
    return ngettext(
        "{player} to move holds the draw: find {n} move.",
        "{player} to move holds the draw: find {n} moves.",
        n,
        player=who,
    )


def uniqueness_message(puzzle: Puzzle) -> Phrase:
    """What is known of the other first moves."""
    if puzzle.goal != WIN:
        return _("Every other first move loses.")
    if puzzle.alone is None:
        return _("No other first move wins.")
    return ngettext(
        "No other first move wins within {n} move.",
        "No other first move wins within {n} moves.",
        puzzle.turns_within(puzzle.alone),
    )


def verdict_message(puzzle: Puzzle, answer: MoveJudgement) -> Phrase:
    """What became of a move."""
    if answer.verdict == "right":
        return _("Well seen! The opponent plays {move}.", move=answer.moves[-1])
    if answer.verdict == "wrong" and puzzle.goal != WIN:
        return _("That loses.")
    n = puzzle.turns
    return {
        "solved": _("Solved!"),
        "slow": ngettext(
            "That still wins, but not in {n} move.", "That still wins, but not in {n} moves.", n
        ),
        "late": ngettext(
            "That no longer wins in {n} move.", "That no longer wins in {n} moves.", n
        ),
        "wrong": _("That lets the win slip."),
    }[answer.verdict]
