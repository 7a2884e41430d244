"""What a page shows of a position: legal moves with their touches, words, and the drawing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from quinconce.core.guidance import hindrances
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Seat
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.sentences import (
    first_turn_aim,
    move_sentence,
    outcome_sentence,
    player_name,
)


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
    legal: list[LegalMove] | None  # None where it is not for the asker to move
    reserves: dict[str, int]  # how many pieces of each kind wait beside the board
    svg: str
    told: str | None  # the move that led here, in words
    notices: list[str]  # what will end the game soon
    tallies: list[list[TallyView]]  # what is counted, by seat
    guidance: Guidance | None  # None where there are no legal moves


def position_view(
    match: Match[Any],
    say: Voice,
    seats: Sequence[Seat] = (),
    ply: int | None = None,
    *,
    legal: bool = True,
    flipped: bool = False,
    mine: Collection[int] = (),
) -> PositionView:
    """The view after `ply` moves, by default all of them, told to the players of the seats `mine`.

    The past has no legal moves.
    """
    now = len(match.moves)
    at = now if ply is None else ply
    game, position, names = match.game, match.positions[at], tuple(seats)
    outcome = match.outcome() if at == now else None
    moves = match.legal() if legal and at == now else None
    paths = {text: game.touches(text) for text in moves or ()}
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
        outcome=OutcomeView(
            list(outcome.winners),
            outcome.reason,
            outcome.by,
            say(outcome_sentence(match, outcome, names)),
            say(outcome_sentence(match, outcome, names, mine)),
        )
        if outcome
        else None,
        legal=None
        if moves is None
        else [LegalMove(text, [sorted(step) for step in path]) for text, path in paths.items()],
        reserves={
            piece.letter: game.reserve(position, piece.letter) for piece in game.board().reserves
        },
        svg=board_svg(match, at, say, flipped),
        told=say(move_sentence(match, at, names, mine)) if at else None,
        notices=[] if outcome else [say(notice) for notice in match.notices(at)],
        tallies=[
            [TallyView(what, n, say(words)) for what, n, words in game.tallies(position, seat)]
            for seat in range(game.seats)
        ],
        guidance=guidance(match, say, moves, paths) if moves else None,
    )


def guidance(
    match: Match[Any], say: Voice, moves: Mapping[str, Any], paths: Mapping[str, Any]
) -> Guidance:
    """What the rules tell the player to move; `paths` are the touches of the legal moves."""
    game, position = match.game, match.position
    by_reason: dict[Phrase, list[str]] = {}
    for place, reason in hindrances(game, position, moves, paths.values()).items():
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
