"""A puzzle being solved: whether a move keeps the goal, and the defence that lasts longest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.puzzles.oracle import Certainty, certainty
from quinconce.puzzles.puzzle import WIN, Puzzle

# `slow` still wins, but later than can be; `late` may or may not; `wrong` wins no more, or loses.
Verdict = Literal["right", "solved", "slow", "late", "wrong"]

WHEN: Final[dict[bool | None, Verdict]] = {True: "slow", None: "late", False: "wrong"}


class Answer(NamedTuple):
    """What became of the last move: `moves` are those that stand now, replies included."""

    verdict: Verdict
    moves: tuple[str, ...]


def judged(puzzle: Puzzle, moves: Sequence[str]) -> Answer:
    """Whether the last of these moves keeps the goal, and what is replied to it."""
    if not moves:
        raise ValueError(_("play a move"))
    if len(moves) > puzzle.plies:
        raise ValueError(_("the solution is not that long"))
    match = puzzle.match(moves[:-1])
    if puzzle.game.side(match.seat) != puzzle.side:
        raise ValueError(_("it is not for you to move"))
    match.play(moves[-1])
    certain = certainty(puzzle.game)
    certain.begin()
    verdict = kept(certain, puzzle, match)
    if verdict != "right":
        return Answer(verdict, tuple(moves[:-1]))
    answered(certain, puzzle, match)
    return Answer("solved" if solved(puzzle, match) else "right", tuple(match.moves))


def kept(certain: Certainty, puzzle: Puzzle, match: Match[Any]) -> Verdict:
    """What a move that was just played did to the goal."""
    position, side = match.position, puzzle.side
    if puzzle.goal != WIN:
        return "right" if certain.holds(position, side) else "wrong"
    if certain.wins(position, side, puzzle.plies - len(match.moves)):
        return "right"
    if len(match.moves) == 1 and puzzle.alone is None:
        return "wrong"
    return WHEN[certain.ever_wins(position, side)]


def answered(certain: Certainty, puzzle: Puzzle, match: Match[Any]) -> None:
    """Let the others play, as well as they can, until it is for the solver to move again."""
    while (
        not solved(puzzle, match) and match.legal() and puzzle.game.side(match.seat) != puzzle.side
    ):
        match.play(defence(certain, puzzle, match))


def solved(puzzle: Puzzle, match: Match[Any]) -> bool:
    """Whether the goal is reached."""
    if puzzle.goal != WIN:
        return len(match.moves) >= puzzle.plies or match.outcome() is not None
    outcome = match.outcome()
    return outcome is not None and puzzle.side in map(puzzle.game.side, outcome.winners)


def defence(certain: Certainty, puzzle: Puzzle, match: Match[Any]) -> str:
    """The reply that lasts longest; then the one that leaves fewest ways to go on."""
    legal, side = match.legal(), puzzle.side
    if puzzle.goal != WIN:
        return trap(certain, legal, side)
    left = puzzle.plies - len(match.moves) - 1

    def stubborn(text: str) -> tuple[int, int, str]:
        lasts = certain.shortest(legal[text], side, left) or 0
        after = [next_ for _text, next_ in puzzle.game.moves(legal[text])]
        return -lasts, sum(certain.wins(each, side, left - 1) for each in after), text

    return min(legal, key=stubborn)


def trap(certain: Certainty, legal: Mapping[str, Any], side: int) -> str:
    """The reply that does not lose itself, and leaves fewest ways not to lose."""

    def narrow(text: str) -> tuple[bool, int, str]:
        moves = certain.game.moves(legal[text])
        escapes = sum(certain.holds(after, side) for _text, after in moves)
        return bool(certain.ever_wins(legal[text], side)), escapes, text

    return min(legal, key=narrow)


def best(certain: Certainty, puzzle: Puzzle, match: Match[Any]) -> str:
    """A move that keeps the goal, the quickest if it is to win."""
    side, legal = puzzle.side, match.legal()
    if puzzle.goal != WIN:
        return next(text for text in sorted(legal) if certain.holds(legal[text], side))
    return next(
        text
        for within in range(puzzle.plies - len(match.moves))
        for text in sorted(legal)
        if certain.wins(legal[text], side, within)
    )


def main_line(certain: Certainty, puzzle: Puzzle, first: str) -> tuple[str, ...]:
    """The solution from its first move on, against the best defence."""
    match = puzzle.match([first])
    while not solved(puzzle, match):
        answered(certain, puzzle, match)
        if not solved(puzzle, match):
            match.play(best(certain, puzzle, match))
    return tuple(match.moves)
