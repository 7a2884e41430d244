"""The route that tells what is proved of a match: of its positions, of the moves played in it."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.core.match_data import MatchData
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.engine_jobs import (
    PlainValue,
    ResultName,
    find_proven_values,
)
from quinconce.server.matches.off_loop import run_slow
from quinconce.server.routes.common import AnyRequest, LanguageQuery, ServicesDep, error_responses
from quinconce.server.routes.explore import ExploreRequest, match_from_request
from quinconce.words import Voice
from quinconce.words.sentences import value_phrase


class ProofRequest(ExploreRequest, frozen=True, forbid_unknown_fields=True):
    """A match, and from which of its positions on one wants to know."""

    since: Annotated[int, Meta(ge=0, le=100_000)] = 0


class ValueView(Struct, frozen=True):
    """A proved value for somebody: in how many plies, where that is known; and in words."""

    result: ResultName
    plies: int | None
    words: str


class MatchValues(Struct, frozen=True):
    """What is proved of each position from `since` on, of the move after it, of the legal moves.

    A position is seen by the player to move, a move by the one who plays it.
    """

    since: int
    positions: list[ValueView | None]
    played: list[ValueView | None]
    legal: dict[str, ValueView]


@post(
    "/api/truths",
    status_code=200,
    responses=error_responses(403, 413, 422, 429, 503),
    tags=["reading"],
    operation_id="askTruths",
)
async def proven_values(
    data: JSONBody[ProofRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> MatchValues:
    """What is proved of a match: by a solved game, a certificate or a table of endings."""
    match, _seats = await run_slow(match_from_request, data)
    since = min(data.since, len(match.moves))
    known = await services.engine_pool.run(
        find_proven_values, MatchData.of(match), since, hint=True
    )
    say = negotiate_voice(request)
    return MatchValues(
        since,
        [value_view(worth, say) for worth in known.positions],
        [value_view(worth, say) for worth in known.played],
        {text: value_view(worth, say) for text, worth in known.legal.items()},
    )


def value_view(worth: PlainValue | None, say: Voice) -> Any:
    """A value in words."""
    return None if worth is None else ValueView(*worth, say(value_phrase(*worth)))
