"""What a page shows of a position: legal moves with their touches, words, and the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar.connection import ASGIConnection
from msgspec import Struct

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Seat
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.sentences import ending, player


class LegalMove(Struct, frozen=True):
    """A move, and the path a finger takes: steps, each of one place or several in any order."""

    move: str
    touches: list[list[str]]


class Ending(Struct, frozen=True):
    """How a match ended, for programs and in words."""

    winners: list[int]
    reason: str
    by: str | None
    words: str


class Scene(Struct, frozen=True):
    """A position of a match, after so many moves of it."""

    ply: int
    position: str
    turn: int | None  # the seat to move; None when it is over
    last: str | None  # the move that led here
    status: str  # whose turn it is or how it ended, in words
    outcome: Ending | None
    legal: list[LegalMove] | None  # None where it is not for the asker to move
    reserves: dict[str, int]  # how many pieces of each kind wait beside the board
    svg: str


def scene(
    match: Match[Any],
    say: Voice,
    seats: Sequence[Seat] = (),
    ply: int | None = None,
    *,
    legal: bool = True,
    flipped: bool = False,
) -> Scene:
    """The scene after so many moves, all of them if not told; the past has no legal moves."""
    now = len(match.moves)
    at = now if ply is None else ply
    game, position, names = match.game, match.positions[at], tuple(seats)
    outcome = match.outcome() if at == now else None
    turn = None if outcome else game.seat(position)
    if outcome:
        status = ending(match, outcome, names)
    else:
        status = _("{player} to move.", player=player(match, game.seat(position), names))
    told = None
    if outcome:
        told = Ending(list(outcome.winners), outcome.reason, outcome.by, say(status))
    moves = list(match.legal()) if legal and at == now else None
    return Scene(
        ply=at,
        position=game.write(position),
        turn=turn,
        last=match.moves[at - 1] if at else None,
        status=say(status),
        outcome=told,
        legal=None if moves is None else [LegalMove(text, touches(match, text)) for text in moves],
        reserves={
            piece.letter: game.reserve(position, piece.letter) for piece in game.board().reserves
        },
        svg=drawn(match, at, say, flipped),
    )


def from_behind(request: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether somebody wants to see the board from its other side: `?flip=1`."""
    return request.query_params.get("flip") == "1"


def touches(match: Match[Any], text: str) -> list[list[str]]:
    """The steps of a move."""
    return [sorted(step) for step in match.game.touches(text)]


def drawn(match: Match[Any], ply: int, say: Voice, flipped: bool) -> str:
    """The drawing after so many moves; a page has its style sheet already."""
    return picture_of(match, ply, say=say, flipped=flipped, standalone=False).svg
