"""The stream of a match: its events as they happen, for a browser or for a program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from quinconce.server.errors import RefusalError
from quinconce.server.matches.events import Event
from quinconce.server.matches.live import Room
from quinconce.server.routes.common import MatchId, TheHouse, faults
from quinconce.server.security.auth import asker_of
from quinconce.server.security.middleware import address
from quinconce.server.services import House

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY: Final = b"retry: 1000\n\n"  # milliseconds after which a browser that lost us comes back
PATHS: Final = "/events$"


@get(
    "/api/matches/{match:str}/events",
    responses=faults(401, 403, 429),
    tags=["match"],
    operation_id="followMatch",
    description=(
        "The events of a match, those after a number and then new ones as they happen, for as long"
        " as one listens: server-sent events for whoever accepts text/event-stream, else one JSON"
        " object a line."
    ),
)
async def follow(
    match: MatchId,
    request: Request[Any, Any, Any],
    house: TheHouse,
    after: Annotated[
        int, QueryParameter(ge=0, le=2**31, description="Start after this event.")
    ] = 0,
    seen: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", required=False, description="Goes before `after`."),
    ] = None,
) -> Stream:
    """Open a stream; a browser that lost it comes back with the last number it has seen."""
    asker = await asker_of(request, house.store, match)
    room = await house.live.room(match)
    # At most nine digits: what else comes with this header was not sent by us.
    start = int(seen) if seen and seen.isascii() and seen.isdigit() and len(seen) < 10 else after
    house.rations.may_stream(address(request))
    browser = SSE in request.headers.get("accept", "")
    lines = listening(house, room, start, asker.seats, browser, address(request))
    return Stream(
        lines,
        media_type=SSE if browser else NDJSON,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def listening(
    house: House, room: Room, after: int, seats: frozenset[int], browser: bool, listener: str
) -> AsyncIterator[bytes]:
    """What a stream says, for as long as somebody listens."""
    told = as_sse if browser else as_ndjson
    try:
        with house.rations.streaming(listener), house.live.attending(room, seats):
            house.nudge(room.id)
            if browser:
                yield RETRY
            presence: list[bool] = []
            async for events in news(house, room.id, after):
                for event in events:
                    yield told(event)
                if present(room) != presence:
                    presence = present(room)
                    yield aside(browser, presence)
                elif not events:
                    yield b": \n\n" if browser else b"\n"
    except RefusalError:
        return  # the match was deleted
    finally:
        house.nudge(room.id)


async def news(house: House, match: str, after: int) -> AsyncIterator[Sequence[Event]]:
    """The events after a number; then what is new, whenever there is a nudge, or nothing."""
    async with house.channels.start_subscription([match]) as subscriber:
        nudges = aiter(subscriber.iter_events())
        nudge: asyncio.Future[bytes] | None = None
        try:
            while not house.leaving:
                events = await house.live.since(match, after)
                yield events
                after = events[-1].seq if events else after
                nudge = nudge or asyncio.ensure_future(anext(nudges))
                await asyncio.wait({nudge}, timeout=house.settings.breath)
                if nudge.done():
                    nudge = None
        finally:
            if nudge:
                nudge.cancel()


def present(room: Room) -> list[bool]:
    """In which seats somebody is."""
    return [room.watchers[seat] > 0 for seat in range(room.course.game.seats)]


def as_sse(event: Event) -> bytes:
    """For a browser, which remembers the id."""
    data = msgspec.json.encode(event.public()).decode()
    return f"id: {event.seq}\nevent: {event.public()['kind']}\ndata: {data}\n\n".encode()


def as_ndjson(event: Event) -> bytes:
    """For a program."""
    return msgspec.json.encode(event.public()) + b"\n"


def aside(browser: bool, presence: list[bool]) -> bytes:
    """Who is there: no event of the match, so it has no number."""
    data = msgspec.json.encode({"kind": "presence", "present": presence}).decode()
    return (f"event: presence\ndata: {data}\n\n" if browser else f"{data}\n").encode()
