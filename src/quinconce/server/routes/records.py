"""The routes of records: a match as text or JSON, to save."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from quinconce.core.record import Record
from quinconce.server.routes.common import MatchId, ServicesDep, error_responses
from quinconce.server.services import Services


@get(
    "/api/matches/{match:str}/record",
    media_type="text/plain",
    responses=error_responses(),
    tags=["reading"],
    operation_id="readRecord",
)
async def record(match: MatchId, services: ServicesDep) -> Response[str]:
    """The record of a match, to save."""
    sheet = await match_record(services, match)
    return Response(sheet.text(), headers=attachment_header(sheet, match, "quinconce"))


@get(
    "/api/matches/{match:str}/record.json",
    responses=error_responses(),
    tags=["reading"],
    operation_id="readRecordAsJson",
)
async def record_json(match: MatchId, services: ServicesDep) -> Response[dict[str, Any]]:
    """The record of a match as its JSON twin."""
    sheet = await match_record(services, match)
    return Response(sheet.json(), headers=attachment_header(sheet, match, "json"))


async def match_record(services: Services, match: str) -> Record:
    """The record of a match as it is now."""
    async with services.live_matches.locked(match) as live:
        return live.state.record(live.row.made)


def attachment_header(sheet: Record, match: str, suffix: str) -> dict[str, str]:
    """The header by which a browser saves a record under a name."""
    name = f"{sheet.game.name}-{match}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}
