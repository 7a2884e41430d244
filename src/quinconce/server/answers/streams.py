"""The stream of a match: its events as they happen, for a page or for a program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Final

import msgspec

from quinconce.server.answers.common import AnswerServices, view_for
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.events import Event
from quinconce.server.matches.live import LiveMatch
from quinconce.server.matches.protocols import ReviewProgress
from quinconce.server.refusals import MatchNotFoundError, UnreachableError
from quinconce.server.request import IncomingRequest, wants_flipped
from quinconce.server.security.auth import Access
from quinconce.server.settings import Settings

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
SSE_RETRY: Final = b"retry: 1000\n\n"  # milliseconds after which a browser that lost us comes back
EVENTS_AT_ONCE: Final = 64  # of a stream in one piece: some ten thousand bytes
STREAM_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def first_seq(seen: str | None, after: int) -> int:
    """After which event a stream starts: the last that a browser has seen goes before `after`."""
    # At most nine digits: what else comes with this header was not sent by us.
    return int(seen) if seen and seen.isascii() and seen.isdigit() and len(seen) < 10 else after


def accepts_sse(request: IncomingRequest) -> bool:
    """Whether a client wants server-sent events, as a page does; a program has NDJSON."""
    return SSE in request.headers.get("accept", "")


class Teller:
    """How a stream tells a program what happens: one JSON object a line, and nothing drawn."""

    first: bytes = b""
    alive: bytes = b"\n"
    bye: bytes = b'{"kind":"bye"}\n'  # the server stops: who comes back finds another

    def keepalive(self, settings: Settings) -> float:
        """Seconds between signs of life on a quiet stream."""
        return settings.program_keepalive

    async def events(self, _live: LiveMatch, events: Sequence[Event], _last: bool) -> bytes:
        """What happened: the last events that there are, or some before them."""
        return b"".join(encode_event(event) + b"\n" for event in events)

    def presence(self, presence: Sequence[bool]) -> bytes:
        """Who is there: no event of the match, so it has no number."""
        return encode_presence(presence) + b"\n"

    def review(self, progress: ReviewProgress) -> bytes:
        """How far the review is: no event of the match either."""
        return encode_review(progress) + b"\n"


class BrowserTeller(Teller):
    """How a stream tells a page: server-sent events, the last with the view as it is then.

    Who did something has the view from the answer, and is only told.
    """

    first = SSE_RETRY
    alive = b": \n\n"
    bye = b'event: bye\ndata: {"kind":"bye"}\n\n'

    def __init__(self, services: AnswerServices, request: IncomingRequest, asker: Access) -> None:
        self.services = services
        self.request = request
        self.asker = asker

    def keepalive(self, settings: Settings) -> float:
        return settings.keepalive

    async def events(self, live: LiveMatch, events: Sequence[Event], last: bool) -> bytes:
        texts = [encode_event(event) for event in events]
        if last and events[-1].seat not in self.asker.seats:
            texts[-1] = await self._with_view(live, events[-1])
        return b"".join(
            b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.kind.encode(), text)
            for event, text in zip(events, texts, strict=True)
        )

    async def _with_view(self, live: LiveMatch, event: Event) -> bytes:
        """An event with the view; made once for all who see the same."""
        say, flipped = negotiate_voice(self.request), wants_flipped(self.request)
        asker = self.asker
        key = (live.id, event.seq, say.language, asker, flipped)
        async with live.lock:  # of all who wait here, the first makes it
            if (data := self.services.caches.events.get(key)) is None:
                view = await view_for(self.services, self.request, live, asker)
                data = msgspec.json.encode(event.as_dict() | {"view": view})
                self.services.caches.events[key] = data
        return data

    def presence(self, presence: Sequence[bool]) -> bytes:
        return b"event: presence\ndata: %s\n\n" % encode_presence(presence)

    def review(self, progress: ReviewProgress) -> bytes:
        return b"event: review\ndata: %s\n\n" % encode_review(progress)


async def stream_lines(
    services: AnswerServices,
    live: LiveMatch,
    after: int,
    asker: Access,
    teller: Teller,
    listener: str,
) -> AsyncIterator[bytes]:
    """What a stream says, for as long as somebody listens."""
    try:
        with (
            services.rate_limits.count_stream(listener),
            services.live_matches.track_presence(live, asker.seats),
        ):
            services.news.tell(live.id)
            if teller.first:
                yield teller.first
            presence: list[bool] = []
            review: ReviewProgress | None = None
            keepalive = teller.keepalive(services.settings)
            async for events in event_batches(services, live.id, after, keepalive):
                # One piece after the other: while its reader does not read, a stream stands still.
                for first in range(0, len(events), EVENTS_AT_ONCE):
                    end = first + EVENTS_AT_ONCE
                    yield await teller.events(live, events[first:end], end >= len(events))
                if live.review is not None and live.review != review:
                    review = live.review
                    yield teller.review(review)
                if seats_present(live) != presence:
                    presence = seats_present(live)
                    yield teller.presence(presence)
                elif not events:
                    yield teller.alive
            yield teller.bye
    except (MatchNotFoundError, UnreachableError):
        return  # it was deleted; or the database is away, and who listens may go elsewhere
    finally:
        services.news.tell(live.id)


async def event_batches(
    services: AnswerServices, match: str, after: int, keepalive: float
) -> AsyncGenerator[Sequence[Event], None]:
    """The events after a number; then what is new, whenever there is news, or nothing.

    News may be lost, so that the store is looked into without any from time to time.
    """
    clock = asyncio.get_running_loop().time
    with services.news.follow(match) as follower:
        look_again = 0.0
        woken = True
        while not services.shutting_down:
            events: Sequence[Event] = ()
            if woken or clock() >= look_again:
                in_time = clock() < look_again
                events = await services.live_matches.events_since(match, after, from_memory=in_time)
                if not in_time:
                    look_again = clock() + services.settings.recheck
            yield events
            after = events[-1].seq if events else after
            woken = await follower.wait(keepalive)


def seats_present(live: LiveMatch) -> list[bool]:
    """In which seats somebody is."""
    return [live.is_present(seat) for seat in range(live.state.game.seats)]


def encode_event(event: Event) -> bytes:
    """An event as JSON."""
    return msgspec.json.encode(event.as_dict())


def encode_presence(presence: Sequence[bool]) -> bytes:
    """Who is there, as JSON."""
    return msgspec.json.encode({"kind": "presence", "present": presence})


def encode_review(progress: ReviewProgress) -> bytes:
    """How far a review is, as JSON."""
    return msgspec.json.encode({"kind": "review", **progress._asdict()})
