"""The stream of a match: its events as they happen, for a browser or for a program."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from quinconce.server.answers.streams import (
    NDJSON,
    SSE,
    STREAM_HEADERS,
    BrowserTeller,
    Teller,
    accepts_sse,
    first_seq,
    stream_lines,
)
from quinconce.server.routes.common import (
    AnyRequest,
    MatchId,
    ServicesDep,
    error_responses,
    look_at,
)
from quinconce.server.security.middleware import STREAM_ENDS, client_address

STREAM_PATHS: Final = [f"{end}$" for end in STREAM_ENDS]


@get(
    "/api/matches/{match:str}/events",
    responses=error_responses(401, 403, 429),
    tags=["match"],
    operation_id="followMatch",
    description=(
        "The events of a match, those after a number and then new ones as they happen, for as long"
        " as one listens: server-sent events for a client that accepts text/event-stream, else one"
        " JSON object a line. Server-sent events of others carry the view as it is then."
    ),
)
async def follow_match(
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    after: Annotated[
        int, QueryParameter(ge=0, le=2**31, description="Start after this event.")
    ] = 0,
    seen: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", required=False, description="Goes before `after`."),
    ] = None,
) -> Stream:
    """Open a stream; a browser that lost it comes back with the last number it has seen."""
    _known, asker = await look_at(services, request, match)
    live = await services.live_matches.get(match)
    services.rate_limits.check_stream(client_address(request))
    browser = accepts_sse(request)
    teller = BrowserTeller(services, request, asker) if browser else Teller()
    return Stream(
        stream_lines(
            services, live, first_seq(seen, after), asker, teller, client_address(request)
        ),
        media_type=SSE if browser else NDJSON,
        headers=STREAM_HEADERS,
    )
