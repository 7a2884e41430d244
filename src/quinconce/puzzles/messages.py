"""What people are told of a puzzle: its goal, how certain it is, what a move did, a hint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.puzzles.puzzle import WIN, Puzzle, puzzles_by_id
from quinconce.words.sentences import outcome_sentence

if TYPE_CHECKING:
    from quinconce.puzzles.judge import MoveJudgement


def goal_message(puzzle: Puzzle) -> Phrase:
    """What is to be found."""
    colours, n = puzzle.game.players[puzzle.game.seat(puzzle.position)], puzzle.turns
    if puzzle.goal == WIN:
        return ngettext(
            "You play {colours}. Win in {n} move.",
            "You play {colours}. Win in {n} moves.",
            n,
            colours=colours,
        )
    return ngettext(
        "You play {colours}. Save the draw in {n} move.",
        "You play {colours}. Save the draw in {n} moves.",
        n,
        colours=colours,
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


def refutation_message(puzzle: Puzzle, answer: MoveJudgement) -> Phrase | None:
    """What becomes of a move that misses the goal: the reply to it, where that is known."""
    if not answer.refutation:
        return None
    match, tried = puzzle.match(answer.refutation), len(answer.moves)
    outcome = match.outcome()
    if len(match.moves) == tried + 1:
        return outcome_sentence(match, outcome) if outcome else None
    move, reply = match.moves[tried], match.moves[-1]
    if outcome and outcome.winners:
        return _("After {move} the opponent plays {reply} and wins.", move=move, reply=reply)
    return _("After {move} the opponent plays {reply}.", move=move, reply=reply)


def is_on_line(puzzle: Puzzle, moves: Sequence[str]) -> bool:
    """Whether these moves begin the stored solution, which then has the next one."""
    return len(moves) < len(puzzle.line) and tuple(moves) == puzzle.line[: len(moves)]


def hint_move(puzzle: Puzzle, moves: Sequence[str]) -> str:
    """A move that keeps the goal after some moves, replies included."""
    if is_on_line(puzzle, moves):
        return puzzle.line[len(moves)]
    from quinconce.puzzles.judge import (  # compiled code is slow to load
        best_continuation,
        goal_reached,
    )
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
