"""The routes of records: a match as text or JSON, to save."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from quinconce.core.phrase import _
from quinconce.core.record import Record
from quinconce.server.answers.reviews import annotate, attachment_header
from quinconce.server.language import negotiate_voice
from quinconce.server.refusals import ReviewMissingError
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    error_responses,
)
from quinconce.server.routes.table import run_charged
from quinconce.server.services import Services

ReviewQuery = Annotated[
    bool,
    QueryParameter(required=False, description="With what the review of the match says."),
]


@get(
    "/api/matches/{match:str}/record",
    media_type="text/plain",
    responses=error_responses(422),
    tags=["reading"],
    operation_id="readRecord",
)
async def record(
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
    review: ReviewQuery = False,
) -> Response[str]:
    """The record of a match, to save; with its review, marks, notes and better lines too."""
    sheet = await match_record(services, request, match, review)
    return Response(sheet.text(), headers=attachment_header(sheet, match, "quinconce"))


@get(
    "/api/matches/{match:str}/record.json",
    responses=error_responses(422),
    tags=["reading"],
    operation_id="readRecordAsJson",
)
async def record_json(
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
    review: ReviewQuery = False,
) -> Response[dict[str, Any]]:
    """The record of a match as its JSON twin."""
    sheet = await match_record(services, request, match, review)
    return Response(sheet.json(), headers=attachment_header(sheet, match, "json"))


async def match_record(services: Services, request: AnyRequest, match: str, review: bool) -> Record:
    """The record of a match as it is now, perhaps with what its review says."""
    async with services.live_matches.locked(match) as live:
        sheet = live.state.record(live.row.made)
        played = live.state.match
        if not review:
            return sheet
        stored = await services.reviews.find(live)
        if stored is None:
            raise ReviewMissingError(_("this game has not been reviewed yet"))
    moves = len(played.moves)
    return await run_charged(
        services, request, moves, annotate, sheet, played, stored, negotiate_voice(request)
    )
