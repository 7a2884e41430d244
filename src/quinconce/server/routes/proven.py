"""The route that tells what is proved of a match: of its positions, of the moves played in it."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Annotated, Any, Literal, NamedTuple

from litestar import Request, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.core.match import Match
from quinconce.server.language import voice_of
from quinconce.server.matches.engine_pool import ENGINE, Question, match_of
from quinconce.server.matches.seats import LEVELS
from quinconce.server.routes.common import Language, TheHouse, faults
from quinconce.server.routes.games import Exploring, replayed
from quinconce.words import Voice
from quinconce.words.sentences import proved

Result = Literal["win", "draw", "loss"]
Worth = tuple[Result, int | None]


class Proving(Exploring, frozen=True, forbid_unknown_fields=True):
    """A match, and from which of its positions on one wants to know."""

    since: Annotated[int, Meta(ge=0, le=100_000)] = 0


class Proved(Struct, frozen=True):
    """A proved value for somebody: in how many plies, where that is known; and in words."""

    result: Result
    plies: int | None
    words: str


class Truths(Struct, frozen=True):
    """What is proved of each position from `since` on, of the move after it, of the legal moves.

    A position is seen by the player to move, a move by the one who plays it.
    """

    since: int
    positions: list[Proved | None]
    played: list[Proved | None]
    legal: dict[str, Proved]


class Known(NamedTuple):
    """The same as plain data, as it comes from where engines think."""

    positions: list[Worth | None]
    played: list[Worth | None]
    legal: dict[str, Worth]


@post(
    "/api/truths",
    status_code=200,
    responses=faults(403, 413, 422, 429, 503),
    tags=["reading"],
    operation_id="askTruths",
)
async def truths(
    data: JSONBody[Proving], request: Request[Any, Any, Any], house: TheHouse, language: Language
) -> Truths:
    """What is proved of a match: by a solved game, a certificate or a table of endings."""
    match, _seats = await asyncio.to_thread(replayed, data)
    since = min(data.since, len(match.moves))
    known = await house.engines.ask(certain, asked(match), since, hint=True)
    say = voice_of(request)
    return Truths(
        since,
        [told(worth, say) for worth in known.positions],
        [told(worth, say) for worth in known.played],
        {text: told(worth, say) for text, worth in known.legal.items()},
    )


def asked(match: Match[Any]) -> Question:
    """The match as a question to engines."""
    game = match.game
    options: dict[str, str | int] = {**game.chosen}
    return Question(game.name, options, game.write(match.start), tuple(match.moves), LEVELS[-1], 0)


def certain(question: Question, since: int) -> Known:
    """What engines know without a search; Numba is slow to load, so this is done where they are."""
    engine = import_module(ENGINE)
    whole = match_of(question)
    match = Match(whole.game, whole.start)
    found = Known([], [], {})
    for ply, text in enumerate((*question.moves, None)):
        if ply >= since:
            moves = engine.proved_moves(match)
            found.positions.append(plain(engine.proved_value(match, moves)))
            if text is None:
                found.legal.update({move: tuple(value) for move, value in moves.items()})
            else:
                found.played.append(plain(moves.get(text)))
        if text is not None:
            match.play(text)
    return found


def plain(value: Any) -> Worth | None:
    """A value as plain data."""
    return None if value is None else tuple(value)


def told(worth: Worth | None, say: Voice) -> Any:
    """A value in words."""
    return None if worth is None else Proved(*worth, say(proved(*worth)))
