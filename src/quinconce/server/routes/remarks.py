"""The route of remarks: what one who plays alone against engines is told of their game."""

from __future__ import annotations

from litestar import get
from msgspec import Struct

from quinconce.server.language import negotiate_voice
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    error_responses,
    look_at,
)


class RemarkView(Struct, frozen=True):
    """What is threatened or was missed, or after the end the move that decided the game.

    `kind` is `missed win`, `exposed`, `threat`, `spared`, `missed capture` or `end`; there may be
    nothing to say.
    """

    seq: int  # the event after which it holds
    kind: str | None
    words: str | None


@get(
    "/api/matches/{match:str}/remark",
    responses=error_responses(401, 403, 503),
    tags=["match"],
    operation_id="readRemark",
)
async def read_remark(
    match: MatchId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> RemarkView:
    """At most one remark for your seat, each true by a short search; not between people."""
    known, asker = await look_at(services, request, match)
    seq, found = await services.remarks.remark(match, known, asker.require_seat(None))
    if found is None:
        return RemarkView(seq, None, None)
    return RemarkView(seq, found.kind, negotiate_voice(request)(found.words))
