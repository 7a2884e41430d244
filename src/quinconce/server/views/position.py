"""What a page shows of a position: legal moves with their touches, words, and the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from quinconce.core.errors import TooManyMovesError
from quinconce.core.match import Match
from quinconce.core.move_limit import narrow_moves
from quinconce.core.phrase import _
from quinconce.core.record import Seat
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name


class LegalMove(Struct, frozen=True):
    """A move, and the path a finger takes: steps, each of one place or several in any order."""

    move: str
    touches: list[list[str]]


class NarrowedView(Struct, frozen=True):
    """Where there are too many moves to list: what may follow the places touched so far."""

    touched: list[str]
    places: list[str]
    move: str | None  # that the touched places make already, though a longer one may follow


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
    # None where it is not for the asker to move, or where there are too many: see `narrowed`.
    legal: list[LegalMove] | None
    reserves: dict[str, int]  # how many pieces of each kind wait beside the board
    svg: str
    narrowed: NarrowedView | None  # only where somebody asks, or where moves cannot be listed


def position_view(
    match: Match[Any],
    say: Voice,
    seats: Sequence[Seat] = (),
    ply: int | None = None,
    *,
    legal: bool = True,
    flipped: bool = False,
    touched: Sequence[str] | None = None,
) -> PositionView:
    """The view after `ply` moves, by default all of them; the past has no legal moves.

    With places that were touched, the legal moves are those that begin with them.
    """
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
    moves, narrowed = legal_moves(match, touched) if legal and at == now else (None, None)
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
        narrowed=narrowed,
    )


def legal_moves(
    match: Match[Any], touched: Sequence[str] | None
) -> tuple[list[str] | None, NarrowedView | None]:
    """The legal moves, and how to narrow them where they are too many or somebody has begun."""
    if touched is None or match.outcome():
        try:
            return list(match.legal()), None
        except TooManyMovesError:
            pass
    left = narrow_moves(match.game, match.position, touched or ())
    view = NarrowedView(list(left.touched), sorted(left.places), left.move)
    return None if left.legal is None else list(left.legal), view


def touch_steps(match: Match[Any], text: str) -> list[list[str]]:
    """The steps of a move."""
    return [sorted(step) for step in match.game.touches(text)]


def board_svg(match: Match[Any], ply: int, say: Voice, flipped: bool) -> str:
    """The drawing after `ply` moves; a page has its style sheet already."""
    return picture_of(match, ply, say=say, flipped=flipped, standalone=False).svg
