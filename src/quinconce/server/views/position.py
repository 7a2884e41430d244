"""What a page shows of a position: legal moves with their touches, words, and the drawing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from quinconce.core.board import Steps
from quinconce.core.errors import TooManyMovesError
from quinconce.core.match import Match
from quinconce.core.move_input import hindrances
from quinconce.core.move_limit import narrow_moves, sample_moves
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import Outcome
from quinconce.core.record import Seat
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.sentences import first_turn_aim, move_sentence, outcome_sentence, player_name


class LegalMove(Struct, frozen=True, omit_defaults=True):
    """A move, and the path a finger takes: steps, each of one place or several in any order."""

    move: str
    touches: list[list[str]]
    stops: list[str] = []  # where it may stop on the way to the last place; absent for none


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
    told: str  # the same to the asker: «You won: …»


class TallyView(Struct, frozen=True):
    """Something that is counted for a seat."""

    what: str
    n: int
    words: str


class Guidance(Struct, frozen=True):
    """What the rules tell the player to move."""

    prompt: str  # what to do now
    aim: str | None  # how to win; at a player's first turns
    choose: dict[str, str]  # what to do once a piece is picked up, by its letter
    hindrances: dict[str, list[str]]  # a reason -> the places where no move begins because of it


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
    told: str | None  # the move that led here, in words
    notices: list[str]  # what will end the game soon
    tallies: list[list[TallyView]]  # what is counted, by seat
    guidance: Guidance | None  # None where there are no legal moves, or a move is under way


def position_view(
    match: Match[Any],
    say: Voice,
    seats: Sequence[Seat] = (),
    ply: int | None = None,
    *,
    legal: bool = True,
    flipped: bool = False,
    mine: Collection[int] = (),
    touched: Sequence[str] | None = None,
    svg: str | None = None,
) -> PositionView:
    """The view after `ply` moves, by default all of them, told to the players of the seats `mine`.

    The past has no legal moves. With places that were touched, they are those that begin with them.
    `svg` is the drawing, if it was made already.
    """
    now = len(match.moves)
    at = now if ply is None else ply
    game, position, names = match.game, match.positions[at], tuple(seats)
    outcome = match.outcome() if at == now else None
    playable = legal and at == now and outcome is None
    moves, narrowed = legal_moves(match, touched) if legal and at == now else (None, None)
    paths = [game.touches(text) for text in moves or ()]
    return PositionView(
        ply=at,
        position=game.write(position),
        turn=None if outcome else game.seat(position),
        last=match.moves[at - 1] if at else None,
        status=say(
            outcome_sentence(match, outcome, names)
            if outcome
            else _("{player} to move.", player=player_name(match, game.seat(position), names))
        ),
        outcome=outcome_view(match, outcome, say, names, mine) if outcome else None,
        legal=None
        if moves is None
        else [
            LegalMove(text, touch_steps(path), sorted(game.stops(position, text)))
            for text, path in zip(moves, paths, strict=True)
        ],
        reserves={
            piece.letter: game.reserve(position, piece.letter) for piece in game.board().reserves
        },
        svg=svg or board_svg(match, at, say, flipped),
        narrowed=narrowed,
        told=say(move_sentence(match, at, names, mine)) if at else None,
        notices=[] if outcome else [say(notice) for notice in match.notices(at)],
        tallies=[
            [TallyView(what, n, say(words)) for what, n, words in game.tallies(position, seat)]
            for seat in range(game.seats)
        ],
        guidance=guidance(match, say, moves, paths) if playable and not touched else None,
    )


def outcome_view(
    match: Match[Any], outcome: Outcome, say: Voice, seats: tuple[Seat, ...], mine: Collection[int]
) -> OutcomeView:
    """How a match ended, to anybody and to the players of the seats `mine`."""
    return OutcomeView(
        list(outcome.winners),
        outcome.reason,
        outcome.by,
        say(outcome_sentence(match, outcome, seats)),
        say(outcome_sentence(match, outcome, seats, mine)),
    )


def legal_moves(
    match: Match[Any], touched: Sequence[str] | None
) -> tuple[Mapping[str, Any] | None, NarrowedView | None]:
    """The legal moves, and how to narrow them where they are too many or somebody has begun."""
    if touched is None or match.outcome():
        try:
            return match.legal(), None
        except TooManyMovesError:
            pass
    left = narrow_moves(match.game, match.position, touched or ())
    return left.legal, NarrowedView(list(left.touched), sorted(left.places), left.move)


def touch_steps(path: Steps) -> list[list[str]]:
    """The steps of a move."""
    return [sorted(step) for step in path]


def guidance(
    match: Match[Any], say: Voice, moves: Mapping[str, Any] | None, paths: Sequence[Steps]
) -> Guidance:
    """What the rules tell the player to move; where moves are not listed, some stand for all.

    `paths` are those of the moves.
    """
    game, position = match.game, match.position
    if moves is None:
        moves = sample_moves(game, position)
        paths = [game.touches(text) for text in moves]
    by_reason: dict[Phrase, list[str]] = {}
    for place, reason in hindrances(game, position, moves, paths).items():
        by_reason.setdefault(reason, []).append(place)
    aim = first_turn_aim(match)
    return Guidance(
        prompt=say(game.prompt(position, moves)),
        aim=say(aim) if aim else None,
        choose={
            kind.letter: say(_("Choose where {piece} goes.", piece=kind.definite))
            for kind in game.kinds
        },
        hindrances={say(reason): places for reason, places in by_reason.items()},
    )


def board_svg(match: Match[Any], ply: int, say: Voice, flipped: bool) -> str:
    """The drawing after `ply` moves; a page has its style sheet already."""
    return picture_of(match, ply, say=say, flipped=flipped, standalone=False).svg
