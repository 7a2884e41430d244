"""The stream of a match: its events as they happen, for a browser or for a program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Annotated, Final

import msgspec
from litestar import get
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from quinconce.server.matches.errors import MatchNotFoundError
from quinconce.server.matches.events import Event
from quinconce.server.matches.live import LiveMatch
from quinconce.server.routes.common import AnyRequest, MatchId, ServicesDep, error_responses
from quinconce.server.security.auth import authenticate
from quinconce.server.security.middleware import STREAM_SUFFIX, client_address
from quinconce.server.services import Services

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
SSE_RETRY: Final = b"retry: 1000\n\n"  # milliseconds after which a browser that lost us comes back
STREAM_PATHS: Final = f"{STREAM_SUFFIX}$"


@get(
    "/api/matches/{match:str}/events",
    responses=error_responses(401, 403, 429),
    tags=["match"],
    operation_id="followMatch",
    description=(
        "The events of a match, those after a number and then new ones as they happen, for as long"
        " as one listens: server-sent events for a client that accepts text/event-stream, else one"
        " JSON object a line."
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
    asker = await authenticate(request, services.store, match)
    live = await services.live_matches.get(match)
    # At most nine digits: what else comes with this header was not sent by us.
    start = int(seen) if seen and seen.isascii() and seen.isdigit() and len(seen) < 10 else after
    services.rate_limits.check_stream(client_address(request))
    browser = SSE in request.headers.get("accept", "")
    lines = stream_lines(services, live, start, asker.seats, browser, client_address(request))
    return Stream(
        lines,
        media_type=SSE if browser else NDJSON,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def stream_lines(
    services: Services,
    live: LiveMatch,
    after: int,
    seats: frozenset[int],
    browser: bool,
    listener: str,
) -> AsyncIterator[bytes]:
    """What a stream says, for as long as somebody listens."""
    told = as_sse if browser else as_ndjson
    try:
        with (
            services.rate_limits.count_stream(listener),
            services.live_matches.track_presence(live, seats),
        ):
            services.nudge(live.id)
            if browser:
                yield SSE_RETRY
            presence: list[bool] = []
            async for events in event_batches(services, live.id, after):
                for event in events:
                    yield told(event)
                if seats_present(live) != presence:
                    presence = seats_present(live)
                    yield presence_message(browser, presence)
                elif not events:
                    yield b": \n\n" if browser else b"\n"
    except MatchNotFoundError:
        return  # it was deleted
    finally:
        services.nudge(live.id)


async def event_batches(
    services: Services, match: str, after: int
) -> AsyncGenerator[Sequence[Event], None]:
    """The events after a number; then what is new, whenever there is a nudge, or nothing.

    A nudge may be lost, so that the store is looked into without one from time to time.
    """
    settings, clock = services.settings, asyncio.get_running_loop().time
    async with services.channels.start_subscription([match]) as subscriber:
        nudges = aiter(subscriber.iter_events())
        nudge: asyncio.Future[bytes] | None = None
        announced: int | None = None
        look_again = clock()
        try:
            while not services.shutting_down:
                events: Sequence[Event] = ()
                if nudge is None or clock() >= look_again:
                    events = await services.live_matches.events_since(match, after, announced)
                    look_again = clock() + settings.recheck
                yield events
                after = events[-1].seq if events else after
                nudge = nudge or asyncio.ensure_future(anext(nudges))
                await asyncio.wait({nudge}, timeout=settings.keepalive)
                announced = None
                if nudge.done():
                    if nudge.exception() is None:  # else the channels are being closed
                        announced = msgspec.json.decode(nudge.result()).get("seq")
                    nudge = None
        finally:
            if nudge:
                nudge.cancel()


def seats_present(live: LiveMatch) -> list[bool]:
    """In which seats somebody is."""
    return [live.watchers[seat] > 0 for seat in range(live.state.game.seats)]


def as_sse(event: Event) -> bytes:
    """For a browser, which remembers the id."""
    data = msgspec.json.encode(event.as_dict()).decode()
    return f"id: {event.seq}\nevent: {event.as_dict()['kind']}\ndata: {data}\n\n".encode()


def as_ndjson(event: Event) -> bytes:
    """For a program."""
    return msgspec.json.encode(event.as_dict()) + b"\n"


def presence_message(browser: bool, presence: list[bool]) -> bytes:
    """Who is there: no event of the match, so it has no number."""
    data = msgspec.json.encode({"kind": "presence", "present": presence}).decode()
    return (f"event: presence\ndata: {data}\n\n" if browser else f"{data}\n").encode()
