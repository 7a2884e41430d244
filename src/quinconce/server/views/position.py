"""What a page shows of a position: legal moves with their touches, words, and the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Seat
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name


class LegalMove(Struct, frozen=True):
    """A move, and the path a finger takes: steps, each of one place or several in any order."""

    move: str
    touches: list[list[str]]


class OutcomeView(Struct, frozen=True):
    """How a match ended, for programs and in words."""

    winners: list[int]
    reason: str
    by: str | None
    words: str


class PositionView(Struct, frozen=True):
    """A position of a match, after a number of moves of it."""

    ply: int
    position: str
    turn: int | None  # the seat to move; None when it is over
    last: str | None  # the move that led here
    status: str  # whose turn it is or how it ended, in words
    outcome: OutcomeView | None
    legal: list[LegalMove] | None  # None where it is not for the asker to move
    reserves: dict[str, int]  # how many pieces of each kind wait beside the board
    svg: str


def position_view(
    match: Match[Any],
    say: Voice,
    seats: Sequence[Seat] = (),
    ply: int | None = None,
    *,
    legal: bool = True,
    flipped: bool = False,
) -> PositionView:
    """The view after `ply` moves, by default all of them; the past has no legal moves."""
    now = len(match.moves)
    at = now if ply is None else ply
    game, position, names = match.game, match.positions[at], tuple(seats)
    outcome = match.outcome() if at == now else None
    turn = None if outcome else game.seat(position)
    if outcome:
        status = outcome_sentence(match, outcome, names)
    else:
        status = _("{player} to move.", player=player_name(match, game.seat(position), names))
    told = None
    if outcome:
        told = OutcomeView(list(outcome.winners), outcome.reason, outcome.by, say(status))
    moves = list(match.legal()) if legal and at == now else None
    return PositionView(
        ply=at,
        position=game.write(position),
        turn=turn,
        last=match.moves[at - 1] if at else None,
        status=say(status),
        outcome=told,
        legal=None
        if moves is None
        else [LegalMove(text, touch_steps(match, text)) for text in moves],
        reserves={
            piece.letter: game.reserve(position, piece.letter) for piece in game.board().reserves
        },
        svg=board_svg(match, at, say, flipped),
    )


def touch_steps(match: Match[Any], text: str) -> list[list[str]]:
    """The steps of a move."""
    return [sorted(step) for step in match.game.touches(text)]


def board_svg(match: Match[Any], ply: int, say: Voice, flipped: bool) -> str:
    """The drawing after `ply` moves; a page has its style sheet already."""
    return picture_of(match, ply, say=say, flipped=flipped, standalone=False).svg
