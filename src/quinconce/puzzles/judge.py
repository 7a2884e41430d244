"""A puzzle being solved: whether a move keeps the goal, and the defence that lasts longest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.puzzles.oracle import DEEPEST_WIN, TOO_LONG, Oracle, TooHardError, oracle_for
from quinconce.puzzles.puzzle import WIN, Puzzle

# `slow` still wins, but later than can be; `late` may or may not; `wrong` wins no more, or loses.
Verdict = Literal["right", "solved", "slow", "late", "wrong"]

SOON: Final = 3  # plies that are looked ahead for a win of the opponent
LATER_WIN_VERDICTS: Final[dict[bool | None, Verdict]] = {True: "slow", None: "late", False: "wrong"}


class MoveJudgement(NamedTuple):
    """What became of the last move: `moves` are those that stand now, replies included.

    A move that misses the goal does not stand: `refutation` are the moves with it and its reply.
    """

    verdict: Verdict
    moves: tuple[str, ...]
    refutation: tuple[str, ...] = ()


def judge_move(puzzle: Puzzle, moves: Sequence[str]) -> MoveJudgement:
    """Whether the last of these moves keeps the goal, and what is replied to it."""
    if not moves:
        raise ValueError(_("play a move"))
    if len(moves) > puzzle.plies:
        raise ValueError(_("the solution is not that long"))
    match = puzzle.match(moves[:-1])
    if puzzle.game.side(match.seat) != puzzle.side:
        raise ValueError(_("it is not for you to move"))
    match.play(moves[-1])
    certain = oracle_for(puzzle.game)
    certain.reset_allowance()
    verdict = verdict_on_last_move(certain, puzzle, match)
    if verdict != "right":
        refute(certain, puzzle, match)
        return MoveJudgement(verdict, tuple(moves[:-1]), tuple(match.moves))
    play_replies(certain, puzzle, match)
    return MoveJudgement("solved" if goal_reached(puzzle, match) else "right", tuple(match.moves))


def verdict_on_last_move(certain: Oracle, puzzle: Puzzle, match: Match[Any]) -> Verdict:
    """What a move that was just played did to the goal."""
    position, side = match.position, puzzle.side
    if puzzle.goal != WIN:
        return "right" if certain.holds(position, side) else "wrong"
    if certain.wins_within(position, side, puzzle.plies - len(match.moves)):
        return "right"
    if len(match.moves) == 1 and puzzle.alone is None:
        return "wrong"
    return LATER_WIN_VERDICTS[certain.ever_wins(position, side)]


def refute(certain: Oracle, puzzle: Puzzle, match: Match[Any]) -> None:
    """Play the reply to a move that misses the goal, if there is one and it is found in time."""
    legal = match.legal()
    if puzzle.game.side(match.seat) == puzzle.side or not legal:
        return
    with suppress(TooHardError):
        match.play(best_refutation(certain, puzzle, match))


def best_refutation(certain: Oracle, puzzle: Puzzle, match: Match[Any]) -> str:
    """The reply after which the goal is missed; one that wins soon itself comes first."""
    legal, side = match.legal(), puzzle.side
    left = max(puzzle.plies - len(match.moves) - 1, 0)  # none after a last move that did not win

    def misses(position: Any) -> bool:
        if puzzle.goal != WIN:
            return not certain.holds(position, side)
        return not certain.wins_within(position, side, left)

    refuting = [text for text in sorted(legal) if misses(legal[text])]
    if not refuting:
        raise TooHardError(TOO_LONG)
    return min(refuting, key=lambda text: (soonest_win(certain, legal[text], 1 - side), text))


def soonest_win(certain: Oracle, position: Any, side: int) -> int:
    """Within how many plies a side wins, if that is soon."""
    if len(certain.game.sides) != 2:
        return SOON
    most = DEEPEST_WIN if certain.complete else SOON - 1
    found = certain.shortest_win(position, side, most)
    return most + 1 if found is None else found


def play_replies(certain: Oracle, puzzle: Puzzle, match: Match[Any]) -> None:
    """Let the others play, as well as they can, until it is for the solver to move again."""
    while (
        not goal_reached(puzzle, match)
        and match.legal()
        and puzzle.game.side(match.seat) != puzzle.side
    ):
        match.play(best_defence(certain, puzzle, match))


def goal_reached(puzzle: Puzzle, match: Match[Any]) -> bool:
    """Whether the goal is reached."""
    if puzzle.goal != WIN:
        return len(match.moves) >= puzzle.plies or match.outcome() is not None
    outcome = match.outcome()
    return outcome is not None and puzzle.side in map(puzzle.game.side, outcome.winners)


def best_defence(certain: Oracle, puzzle: Puzzle, match: Match[Any]) -> str:
    """The reply that lasts longest; then the one that leaves fewest ways to go on."""
    legal, side = match.legal(), puzzle.side
    if puzzle.goal != WIN:
        return trickiest_reply(certain, legal, side)
    left = puzzle.plies - len(match.moves) - 1

    def resistance(text: str) -> tuple[int, int, str]:
        lasts = certain.shortest_win(legal[text], side, left) or 0
        after = [next_ for _text, next_ in puzzle.game.moves(legal[text])]
        return -lasts, sum(certain.wins_within(each, side, left - 1) for each in after), text

    return min(legal, key=resistance)


def trickiest_reply(certain: Oracle, legal: Mapping[str, Any], side: int) -> str:
    """The reply that does not lose itself, and leaves fewest ways not to lose."""

    def escapes(text: str) -> tuple[bool, int, str]:
        moves = certain.game.moves(legal[text])
        escapes = sum(certain.holds(after, side) for _text, after in moves)
        return bool(certain.ever_wins(legal[text], side)), escapes, text

    return min(legal, key=escapes)


def best_continuation(certain: Oracle, puzzle: Puzzle, match: Match[Any]) -> str:
    """A move that keeps the goal, the quickest if it is to win."""
    side, legal = puzzle.side, match.legal()
    if puzzle.goal != WIN:
        return next(text for text in sorted(legal) if certain.holds(legal[text], side))
    return next(
        text
        for within in range(puzzle.plies - len(match.moves))
        for text in sorted(legal)
        if certain.wins_within(legal[text], side, within)
    )


def main_line(certain: Oracle, puzzle: Puzzle, first: str) -> tuple[str, ...]:
    """The solution from its first move on, against the best defence."""
    match = puzzle.match([first])
    while not goal_reached(puzzle, match):
        play_replies(certain, puzzle, match)
        if not goal_reached(puzzle, match):
            match.play(best_continuation(certain, puzzle, match))
    return tuple(match.moves)
