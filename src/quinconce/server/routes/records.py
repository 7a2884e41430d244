"""The routes of records: a match as text or JSON, to save."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Record
from quinconce.server.language import negotiate_voice
from quinconce.server.refusals import ReviewMissingError
from quinconce.server.reviews.reviews import partial_review
from quinconce.server.reviews.store import StoredReview
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    error_responses,
)
from quinconce.server.routes.table import run_charged
from quinconce.server.services import Services
from quinconce.study.review_record import reviewed_tree
from quinconce.words import Voice
from quinconce.words.review import accuracy_sentence
from quinconce.words.sentences import player_name

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


def annotate(sheet: Record, match: Match[Any], stored: StoredReview, say: Voice) -> Record:
    """A record with what has been found in a review so far."""
    found = partial_review(match, stored.reports)
    if found is None:
        return sheet
    tree = reviewed_tree(match, found, say)
    tree.root.note = " ".join(
        say(accuracy_sentence(player_name(match, seat, sheet.seats), share))
        for seat, share in enumerate(found.accuracy)
        if share is not None
    )
    return dataclasses.replace(sheet, variations=tree)


def attachment_header(sheet: Record, match: str, suffix: str) -> dict[str, str]:
    """The header by which a browser saves a record under a name."""
    name = f"{sheet.game.name}-{match}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}
