"""What is proved of a match: of its positions, of the moves played in it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.match import Match, MatchData
from quinconce.server.answers.common import AnswerServices, MatchName
from quinconce.server.answers.explore import ExploreRequest
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.jobs import PlainMove, PlainValue, ResultName, find_proven_values
from quinconce.server.matches.guarded_positions import Line
from quinconce.words import Voice
from quinconce.words.proven import endgame_phrase, move_phrase, value_phrase, winner_moves


class ProofRequest(ExploreRequest, frozen=True, forbid_unknown_fields=True):
    """A match, and from which of its positions on one wants to know."""

    since: Annotated[int, Meta(ge=0, le=100_000)] = 0
    match: MatchName | None = None  # the one that it comes from


class ValueView(Struct, frozen=True):
    """A proved value for somebody: how far the end is, where that is known; and in words."""

    result: ResultName
    plies: int | None
    moves: int | None  # of the winner
    words: str


class LegalMoveView(Struct, frozen=True):
    """A legal move with what is known of it; where that is nothing, its result is null."""

    move: str
    result: ResultName | None
    plies: int | None  # to the end
    moves: int | None  # of the winner, to the end
    capture_turns: int | None  # to the next capture, where only that is known of a win or a loss
    words: str


class MatchValues(Struct, frozen=True):
    """What is proved of each position from `since` on, of the move after it, of the legal moves.

    A position is seen by the player to move, a move by the one who plays it.
    """

    since: int
    positions: list[ValueView | None]
    played: list[ValueView | None]
    legal: dict[str, ValueView]
    moves: list[LegalMoveView]  # every legal one, the best first
    notes: list[str | None]  # of a position without a value: what is solved, and how to get more


def move_view(match: Match[Any], known: PlainMove, say: Voice) -> LegalMoveView:
    """A legal move, with words for what is known of it."""
    text, result, plies, capture_turns = known
    game, position = match.game, match.position
    words = say(move_phrase(game, position, result, plies, capture_turns))
    moves = winner_moves(game, position, result, plies) if result else None
    return LegalMoveView(text, result, plies, moves, capture_turns, words)


def value_view(game: Game[Any], position: Any, worth: PlainValue | None, say: Voice) -> Any:
    """The value of a position, or of a move in it, with its words."""
    if worth is None:
        return None
    words = say(value_phrase(game, position, *worth))
    return ValueView(*worth, winner_moves(game, position, *worth), words)


async def proven_values(
    services: AnswerServices, match: Match[Any], wish: ProofRequest, say: Voice
) -> MatchValues:
    """What is proved of a match: by a solved game, a certificate or a table of endings."""
    since = min(wish.since, len(match.moves))
    subject = Subject(match=wish.match, line=Line.of(match, since))
    known = await services.engines.run(
        find_proven_values, MatchData.of(match), since, subject=subject
    )
    positions = match.positions[since:]
    return MatchValues(
        since,
        [
            value_view(match.game, position, worth, say)
            for position, worth in zip(positions, known.positions, strict=True)
        ],
        [
            value_view(match.game, position, worth, say)
            for position, worth in zip(positions, known.played, strict=False)
        ],
        {
            text: value_view(match.game, match.position, worth, say)
            for text, worth in known.legal.items()
        },
        [move_view(match, move, say) for move in known.moves],
        [
            None if reach is None else say(endgame_phrase(match.game, *reach))
            for reach in known.reaches
        ],
    )
