"""Live matches: the one door by which people and engines enter events, and who looks on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NamedTuple

from msgspec.structs import replace

from quinconce.core.phrase import _
from quinconce.server.errors import RefusalError
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Event
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.seats import SeatSetup
from quinconce.server.matches.setup import Setup, seat_rotation
from quinconce.server.security.secrets import MAKER_SEAT, SeatKey, new_match_id
from quinconce.server.settings import Settings
from quinconce.server.storage.store import ConflictError, MatchRow, MatchSummary, NewMatch, Store

MAX_LOADED_MATCHES: Final = 1000  # matches in memory at once, those that are watched aside
EVENTS_PER_MOVE: Final = 4  # what is said beside the board counts too, but less


class LiveMatch:
    """A match in memory: a cache of what the store holds, and who is there."""

    def __init__(self, kept: MatchRow, now: float) -> None:
        self.id = kept.id
        self.row = kept
        self.state = OnlineMatch(kept.setup)
        self.lock = asyncio.Lock()
        self.stale = False  # whether what the store holds has to be read again
        self.watchers: Counter[int] = Counter()  # open streams by seat; -1 for those without
        self.last_seen: dict[int, float] = {}  # when the last stream of a seat was closed
        self.loaded_at = now
        self.engine_asked_seq: int | None = None  # the seq at which the engine was asked
        self.hints_given = 0  # given so far

    def absent_since(self, seat: int) -> float | None:
        """Since when nobody has been in a seat; None while somebody is."""
        return None if self.watchers[seat] else self.last_seen.get(seat, self.loaded_at)


class SubmitResult(NamedTuple):
    """An event that is safe in the store, and whether it is new there."""

    event: Event
    new: bool


class LiveMatches:
    """All matches that somebody plays or watches."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.now = settings.now
        self.loaded: dict[str, LiveMatch] = {}
        self.deadlines: dict[str, float] = {}  # when a running clock will have run out
        self.unannounced: dict[str, float] = {}  # matches with news, since when
        self.listeners: list[Callable[[LiveMatch], None]] = []

    # Rooms.

    async def get(self, match: str) -> LiveMatch:
        """The room of a match; RefusalError if there is none."""
        if room := self.loaded.get(match):
            self.loaded[match] = self.loaded.pop(match)  # the last used stands last
            return room
        kept = await self.store.match(match)
        if kept is None:
            raise RefusalError(404, "match", _("there is no such match; perhaps it has expired"))
        room = await asyncio.to_thread(LiveMatch, kept, self.now())
        room = self.loaded.setdefault(match, room)  # somebody else may have been faster
        self._evict_idle()
        return room

    def _evict_idle(self) -> None:
        idle = [room for room in self.loaded.values() if not (room.watchers or room.lock.locked())]
        for room in idle[: max(0, len(self.loaded) - MAX_LOADED_MATCHES)]:
            del self.loaded[room.id]

    @asynccontextmanager
    async def locked(self, match: str) -> AsyncIterator[LiveMatch]:
        """The room, for oneself alone, as the store knows the match now."""
        room = await self.get(match)
        async with room.lock:
            await self._load_new_events(room)
            if room.state.clock and room.state.clock.seat_out_of_time(self.now()) is not None:
                await self._commit(room, room.state.clock.running, events.Timeout())
                self.announce(room.id)
            yield room

    async def _load_new_events(self, room: LiveMatch) -> None:
        if room.stale:
            room.state = await asyncio.to_thread(OnlineMatch, room.row.setup)
        new = await self.store.events(room.id, room.state.seq)
        if new:
            await asyncio.to_thread(apply_events, room.state, new)
        room.stale = False
        self._update_deadline(room)

    async def resume(self, room: LiveMatch, seen: float | None, now: float) -> None:
        """Take up a match after the server was down, since it was last seen alive."""
        room.state = await asyncio.to_thread(OnlineMatch, room.row.setup)
        await asyncio.to_thread(apply_events, room.state, await self.store.events(room.id, 0))
        clock = room.state.clock
        if clock and clock.running is not None:
            lost = now - max(clock.since, seen or 0.0)
            if lost > 0:
                await self._commit(room, None, events.Downtime(lost))
        self._update_deadline(room)

    def _update_deadline(self, room: LiveMatch) -> None:
        deadline = room.state.clock.deadline() if room.state.clock else None
        if deadline is None:
            self.deadlines.pop(room.id, None)
        else:
            self.deadlines[room.id] = deadline

    async def events_since(self, match: str, after: int) -> Sequence[Event]:
        """The events after a number."""
        async with self.locked(match) as room:
            return room.state.events[max(0, after) :]

    # The door.

    async def submit(self, match: str, seat: int, act: AnyAct, seq: int | None) -> SubmitResult:
        """Let a seat do something, if `seq` is the number of the last event; else 409.

        The same again, because its answer was lost, is answered as the first time. Without a `seq`
        it may be done whatever happened last.
        """
        while True:
            async with self.locked(match) as room:
                course = room.state
                if seq is not None and seq != course.seq:
                    return SubmitResult(self._find_duplicate(course, seat, act, seq), new=False)
                self._check_limits(room, seat, act)
                wish = await asyncio.to_thread(course.validate_act, seat, act)
                try:
                    return SubmitResult(await self._commit(room, seat, wish), new=True)
                except ConflictError:  # by another process on the same store
                    if await self.store.match(match) is None:
                        self.loaded.pop(match, None)

    def _find_duplicate(self, course: OnlineMatch, seat: int, act: AnyAct, seq: int) -> Event:
        """The event that was entered when `seq` was the last."""
        if 0 <= seq < course.seq:
            event = course.events[seq]
            if event.seat == seat and events.is_retry(event.act, act):
                return event
        raise RefusalError(
            409, "stale", _("the match has gone on: look at it again"), seq=course.seq
        )

    def _check_limits(self, room: LiveMatch, seat: int, act: AnyAct) -> None:
        course, length = room.state, self.settings.limits.match_length
        long = len(course.match.moves) >= length or course.seq >= EVENTS_PER_MOVE * length
        if long and not isinstance(act, events.Resign):
            raise RefusalError(413, "length", _("this match is as long as the house allows"))
        if isinstance(act, events.Agree) and act.matter == "engine" and act.about is not None:
            since = self.lendable_from(room, act.about)
            if since is None or self.now() < since:
                why = _("that player is here, or was a moment ago: wait a little")
                raise RefusalError(409, "present", why)

    def lendable_from(self, room: LiveMatch, seat: int) -> float | None:
        """The moment from which a seat may be lent to the engine; None while somebody is there."""
        since = room.absent_since(seat)
        return None if since is None else since + self.settings.lend_after

    async def _commit(self, room: LiveMatch, seat: int | None, act: AnyAct) -> Event:
        """Let it happen, with all that follows from it, and have it in the store for good."""
        course = room.state
        keys: Sequence[SeatKey] = ()
        if isinstance(act, events.Agree) and act.matter == "rematch":
            keys = await self.store.keys(room.id)
        last = course.events[-1].at if course.events else room.row.made
        event = Event(course.seq + 1, max(self.now(), last), seat, act)
        room.stale = True  # until it is known to be in the store
        try:
            await asyncio.to_thread(course.apply, event)
        except ValueError:  # which has changed nothing
            room.stale = False
            raise
        await asyncio.to_thread(apply_consequences, course, event.at)
        following = None
        if course.rematch and isinstance(course.events[-1].act, events.Rematch):
            following = rematch_of(course, course.rematch, keys)
        new = course.events[event.seq - 1 :]
        await self.store.append(room.id, new, summarize(course), following)
        room.stale = False
        self.unannounced[room.id] = self.now()
        self._update_deadline(room)
        return event

    # News and presence.

    def announce(self, match: str) -> None:
        """Tell everybody that there is news; whoever did it has been answered before."""
        self.unannounced.pop(match, None)
        if room := self.loaded.get(match):
            for announcer in self.listeners:
                announcer(room)

    @contextmanager
    def track_presence(self, room: LiveMatch, seats: Iterable[int]) -> Iterator[None]:
        """Somebody watches, in these seats or in none."""
        places = tuple(seats) or (MAKER_SEAT,)
        room.watchers.update(places)
        try:
            yield
        finally:
            room.watchers.subtract(places)
            room.watchers += Counter()  # those that are 0 go
            for seat in places:
                room.last_seen[seat] = self.now()

    def evict(self, match: str) -> None:
        """A match is gone."""
        for memory in (self.loaded, self.deadlines, self.unannounced):
            memory.pop(match, None)


def apply_events(course: OnlineMatch, new: Iterable[Event]) -> None:
    """Let stored events happen, which for a long match takes its time."""
    for event in new:
        course.apply(event)


def apply_consequences(course: OnlineMatch, at: float) -> None:
    """Let everything happen that has to follow from the last event."""
    while act := course.consequence(new_match_id):
        course.apply(Event(course.seq + 1, at, None, act))


def summarize(course: OnlineMatch) -> MatchSummary:
    """What is written beside the events."""
    return MatchSummary(len(course.match.moves), waiting_for(course))


def waiting_for(course: OnlineMatch) -> str:
    """Whom a match waits for."""
    if course.over:
        return "nobody"
    engine = course.engine_level_to_move is not None or course.engines_to_answer
    return "engine" if engine else "people"


def new_match(match: str, setup: Setup, keys: Sequence[SeatKey]) -> NewMatch:
    """A match that is about to be made."""
    return NewMatch(match, setup, keys, waiting_for(OnlineMatch(setup)))


def rematch_of(course: OnlineMatch, match: str, keys: Sequence[SeatKey]) -> NewMatch:
    """The rematch: everybody moves on by one turn, and the old keys open the new seats."""
    came_from = seat_rotation(course.game, 1)
    chairs = [
        SeatSetup(chair.kind, sitter.name, chair.level)
        for chair, sitter in zip(course.setup.seats, course.seats, strict=True)
    ]
    setup = replace(course.setup, seats=[chairs[seat] for seat in came_from])
    goes_to = {old: new for new, old in enumerate(came_from)} | {MAKER_SEAT: MAKER_SEAT}
    moved = [key._replace(match=match, seat=goes_to[key.seat]) for key in keys]
    at = course.events[-1].at
    claims = [
        Event(n, at, goes_to[seat], events.ClaimSeat())
        for n, seat in enumerate(
            [
                seat
                for seat, chair in enumerate(chairs)
                if chair.kind == "friend" and course.seats[seat].claimed
            ],
            start=1,
        )
    ]
    return new_match(match, setup, moved)._replace(events=claims)
