"""The route that tells what is proved of a match: of its positions, of the moves played in it."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

from quinconce.server.answers.explore import count_moves, match_from_request
from quinconce.server.answers.proven import MatchValues, ProofRequest
from quinconce.server.answers.proven import proven_values as proven_values_of
from quinconce.server.engines.fair_play import Subject
from quinconce.server.language import negotiate_voice
from quinconce.server.routes.common import AnyRequest, LanguageQuery, ServicesDep, error_responses
from quinconce.server.routes.table import run_charged


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
    await services.engines.fair_play.check(Subject(match=data.match))
    match, _record = await run_charged(
        services, request, count_moves(data), match_from_request, data
    )
    return await proven_values_of(services, match, data, negotiate_voice(request))
