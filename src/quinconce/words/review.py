"""What a review says of a move, in words: what it threw away or kept, and what was better."""

from __future__ import annotations

from typing import Final, Literal, Protocol

from quinconce.core.phrase import Phrase, _
from quinconce.core.value import RESULTS, Result

Judgement = Literal["inaccuracy", "mistake", "blunder"]
JUDGEMENTS: Final[tuple[Judgement, ...]] = ("inaccuracy", "mistake", "blunder")
MARKS: Final[dict[str, str]] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}

# What is said of a move that lowers what is proved, by what it was and what it is then.
THROWN_AWAY: Final[dict[tuple[str, str], Phrase]] = {
    ("win", "draw"): _("{move} threw away a proven win; {best} kept it."),
    ("win", "loss"): _("{move} turned a proven win into a loss; {best} kept it."),
    ("draw", "loss"): _("{move} threw away a proven draw; {best} held it."),
}
# What is said where only what the best move keeps is proved.
LET_GO: Final[dict[str, Phrase]] = {
    "win": _("{move} let a win go; {best} was proven to win."),
    "draw": _("{move} gave up a sure draw; {best} was proven to hold it."),
}
ONLY: Final[dict[str, Phrase]] = {
    "win": _("{move} is the only move that wins, and that is proven."),
    "draw": _("{move} is the only move that holds the draw, and that is proven."),
}
KEPT: Final[dict[str, Phrase]] = {
    "win": _("{move} keeps a proven win."),
    "draw": _("{move} keeps a proven draw."),
    "loss": _("Before {move} the game was lost already, and that is proven."),
}
ESTIMATED: Final[dict[str, Phrase]] = {
    "inaccuracy": _("{move} is inaccurate; {best} was better."),
    "mistake": _("{move} is a mistake; {best} was better."),
    "blunder": _("{move} is a blunder; {best} was much better."),
}


class JudgedMove(Protocol):
    """What there is to know of a move that was played; study/review makes it."""

    @property
    def move(self) -> str:
        """The move."""

    @property
    def best(self) -> str | None:
        """The best one that was found."""

    @property
    def proven_before(self) -> Result | None:
        """What is proved of the position before it, for the player."""

    @property
    def proven_after(self) -> Result | None:
        """What is proved of the position after it, for the same player."""

    @property
    def only_move(self) -> bool:
        """Whether every other move was worse."""

    @property
    def judgement(self) -> Judgement | None:
        """What kind of error it is, if it is one."""


def judgement_sentence(judged: JudgedMove) -> Phrase:
    """What a review says of a move: what it threw away, what would have been better."""
    move, best, before, after = judged.move, judged.best, judged.proven_before, judged.proven_after
    if judged.judgement is None or best is None or best == move:
        return approval_sentence(judged)
    if before and after:
        if template := THROWN_AWAY.get((before, after)):
            return template.fill(move=move, best=best)
    elif before in LET_GO:
        return LET_GO[before].fill(move=move, best=best)
    elif after == "loss":
        return _("After {move} the game is lost, and that is proven; {best} was better.").fill(
            move=move, best=best
        )
    return ESTIMATED[judged.judgement].fill(move=move, best=best)


def approval_sentence(judged: JudgedMove) -> Phrase:
    """What a review says of a move that is no error."""
    move, best, before, after = judged.move, judged.best, judged.proven_before, judged.proven_after
    if before and before == after and judged.only_move and before in ONLY:
        return ONLY[before].fill(move=move)
    if before == "loss" or (before and before == after):
        return KEPT[before].fill(move=move)
    if after == "win":
        return _("{move} wins, and that is proven.", move=move)
    if best is None or best == move:
        return _("{move} is what the engine would play.", move=move)
    return _("{move} is good; the engine would play {best}.", move=move, best=best)


def is_better(judged: JudgedMove, played: str) -> bool:
    """Whether a move that somebody tries is good, where another was played."""
    return judged.judgement is None and judged.move != played


def attempt_sentence(judged: JudgedMove, played: str) -> Phrase:
    """What somebody is told who tries another move than the one that was played."""
    move, before, after = judged.move, judged.proven_before, judged.proven_after
    if move == played:
        return _("{move} is what was played: find something better.", move=move)
    if is_better(judged, played):
        if after == "win":
            return _("Yes: {move} wins, and that is proven.", move=move)
        if after == "draw" and before == "draw":
            return _("Yes: {move} holds the draw, and that is proven.", move=move)
        return _("Yes, {move} is better.", move=move)
    if before and after and RESULTS.index(after) < RESULTS.index(before):
        return (
            _("{move} throws the win away too: try something else.", move=move)
            if before == "win"
            else _("{move} throws the draw away too: try something else.", move=move)
        )
    return _("{move} is not good enough: try something else.", move=move)


def accuracy_sentence(player: Phrase, share: float) -> Phrase:
    """How accurate a player was, from 0 to 100."""
    return _("{player}: accuracy {n}%.", player=player, n=round(share))
