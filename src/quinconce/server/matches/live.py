"""Live matches: the one door by which people and engines enter events, and who looks on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NamedTuple

from msgspec.structs import replace

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Event
from quinconce.server.matches.online_match import Course
from quinconce.server.matches.seats import MAKER, Chair, Key, new_id
from quinconce.server.matches.setup import Setup, turned
from quinconce.server.settings import Settings
from quinconce.server.storage.store import Founding, Kept, Store, Summary, TakenError

MOST_ROOMS: Final = 1000  # matches in memory at once, those that are watched aside
EVENTS_A_MOVE: Final = 4  # what is said beside the board counts too, but less


class Room:
    """A match in memory: a cache of what the store holds, and who is there."""

    def __init__(self, kept: Kept, now: float) -> None:
        self.id = kept.id
        self.kept = kept
        self.course = Course(kept.setup)
        self.lock = asyncio.Lock()
        self.stale = False  # whether what the store holds has to be read again
        self.watchers: Counter[int] = Counter()  # open streams by seat; -1 for those without
        self.left: dict[int, float] = {}  # when the last stream of a seat was closed
        self.opened = now
        self.asking: int | None = None  # the seq at which the engine was asked
        self.hints = 0  # given so far

    def absent_since(self, seat: int) -> float | None:
        """Since when nobody has been in a seat; None while somebody is."""
        return None if self.watchers[seat] else self.left.get(seat, self.opened)


class Entered(NamedTuple):
    """An event that is safe in the store, and whether it is new there."""

    event: Event
    new: bool


class Live:
    """All matches that somebody plays or watches."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.now = settings.now
        self.rooms: dict[str, Room] = {}
        self.deadlines: dict[str, float] = {}  # when a running clock will have run out
        self.unannounced: dict[str, float] = {}  # matches with news, since when
        self.announcers: list[Callable[[Room], None]] = []

    # Rooms.

    async def room(self, match: str) -> Room:
        """The room of a match; RefusalError if there is none."""
        if room := self.rooms.get(match):
            self.rooms[match] = self.rooms.pop(match)  # the last used stands last
            return room
        kept = await self.store.match(match)
        if kept is None:
            raise RefusalError(404, "match", _("there is no such match; perhaps it has expired"))
        room = await asyncio.to_thread(Room, kept, self.now())
        room = self.rooms.setdefault(match, room)  # somebody else may have been faster
        self._make_space()
        return room

    def _make_space(self) -> None:
        idle = [room for room in self.rooms.values() if not (room.watchers or room.lock.locked())]
        for room in idle[: max(0, len(self.rooms) - MOST_ROOMS)]:
            del self.rooms[room.id]

    @asynccontextmanager
    async def entered(self, match: str) -> AsyncIterator[Room]:
        """The room, for oneself alone, as the store knows the match now."""
        room = await self.room(match)
        async with room.lock:
            await self._catch_up(room)
            if room.course.clock and room.course.clock.fallen(self.now()) is not None:
                await self._append(room, room.course.clock.running, events.Timeout())
                self.announce(room.id)
            yield room

    async def _catch_up(self, room: Room) -> None:
        if room.stale:
            room.course = await asyncio.to_thread(Course, room.kept.setup)
        new = await self.store.events(room.id, room.course.seq)
        if new:
            await asyncio.to_thread(replayed, room.course, new)
        room.stale = False
        self._watch_clock(room)

    async def resume(self, room: Room, seen: float | None, now: float) -> None:
        """Take up a match after the server was down, since it was last seen alive."""
        room.course = await asyncio.to_thread(Course, room.kept.setup)
        await asyncio.to_thread(replayed, room.course, await self.store.events(room.id, 0))
        clock = room.course.clock
        if clock and clock.running is not None:
            lost = now - max(clock.since, seen or 0.0)
            if lost > 0:
                await self._append(room, None, events.Clock(lost))
        self._watch_clock(room)

    def _watch_clock(self, room: Room) -> None:
        deadline = room.course.clock.deadline() if room.course.clock else None
        if deadline is None:
            self.deadlines.pop(room.id, None)
        else:
            self.deadlines[room.id] = deadline

    async def since(self, match: str, after: int) -> Sequence[Event]:
        """The events after a number."""
        async with self.entered(match) as room:
            return room.course.events[max(0, after) :]

    # The door.

    async def enter(self, match: str, seat: int, act: AnyAct, seq: int | None) -> Entered:
        """Let a seat do something, if `seq` is the number of the last event; else 409.

        The same again, because its answer was lost, is answered as the first time. Without a `seq`
        it may be done whatever happened last.
        """
        while True:
            async with self.entered(match) as room:
                course = room.course
                if seq is not None and seq != course.seq:
                    return Entered(self._granted(course, seat, act, seq), new=False)
                self._within_limits(room, seat, act)
                wish = await asyncio.to_thread(course.understood, seat, act)
                try:
                    return Entered(await self._append(room, seat, wish), new=True)
                except TakenError:  # by another process on the same store
                    if await self.store.match(match) is None:
                        self.rooms.pop(match, None)

    def _granted(self, course: Course, seat: int, act: AnyAct, seq: int) -> Event:
        """The event that was entered when `seq` was the last."""
        if 0 <= seq < course.seq:
            event = course.events[seq]
            if event.seat == seat and events.same(event.act, act):
                return event
        raise RefusalError(
            409, "stale", _("the match has gone on: look at it again"), seq=course.seq
        )

    def _within_limits(self, room: Room, seat: int, act: AnyAct) -> None:
        course, length = room.course, self.settings.limits.length
        long = len(course.match.moves) >= length or course.seq >= EVENTS_A_MOVE * length
        if long and not isinstance(act, events.Resign):
            raise RefusalError(413, "length", _("this match is as long as the house allows"))
        if isinstance(act, events.Agree) and act.matter == "engine" and act.about is not None:
            since = self.lent_from(room, act.about)
            if since is None or self.now() < since:
                why = _("that player is here, or was a moment ago: wait a little")
                raise RefusalError(409, "present", why)

    def lent_from(self, room: Room, seat: int) -> float | None:
        """The moment from which a seat may be lent to the engine; None while somebody is there."""
        since = room.absent_since(seat)
        return None if since is None else since + self.settings.away

    async def _append(self, room: Room, seat: int | None, act: AnyAct) -> Event:
        """Let it happen, with all that follows from it, and have it in the store for good."""
        course = room.course
        keys: Sequence[Key] = ()
        if isinstance(act, events.Agree) and act.matter == "rematch":
            keys = await self.store.keys(room.id)
        last = course.events[-1].at if course.events else room.kept.made
        event = Event(course.seq + 1, max(self.now(), last), seat, act)
        room.stale = True  # until it is known to be in the store
        try:
            await asyncio.to_thread(course.apply, event)
        except ValueError:  # which has changed nothing
            room.stale = False
            raise
        await asyncio.to_thread(follow_up, course, event.at)
        following = None
        if course.rematch and isinstance(course.events[-1].act, events.Rematch):
            following = founded_after(course, course.rematch, keys)
        new = course.events[event.seq - 1 :]
        await self.store.append(room.id, new, summed_up(course), following)
        room.stale = False
        self.unannounced[room.id] = self.now()
        self._watch_clock(room)
        return event

    # News and presence.

    def announce(self, match: str) -> None:
        """Tell everybody that there is news; whoever did it has been answered before."""
        self.unannounced.pop(match, None)
        if room := self.rooms.get(match):
            for announcer in self.announcers:
                announcer(room)

    @contextmanager
    def attending(self, room: Room, seats: Iterable[int]) -> Iterator[None]:
        """Somebody watches, in these seats or in none."""
        places = tuple(seats) or (MAKER,)
        room.watchers.update(places)
        try:
            yield
        finally:
            room.watchers.subtract(places)
            room.watchers += Counter()  # those that are 0 go
            for seat in places:
                room.left[seat] = self.now()

    def forget(self, match: str) -> None:
        """A match is gone."""
        for memory in (self.rooms, self.deadlines, self.unannounced):
            memory.pop(match, None)


def replayed(course: Course, new: Iterable[Event]) -> None:
    """Let stored events happen, which for a long match takes its time."""
    for event in new:
        course.apply(event)


def follow_up(course: Course, at: float) -> None:
    """Let everything happen that has to follow from the last event."""
    while act := course.consequence(new_id):
        course.apply(Event(course.seq + 1, at, None, act))


def summed_up(course: Course) -> Summary:
    """What is written beside the events."""
    return Summary(len(course.match.moves), waiting_for(course))


def waiting_for(course: Course) -> str:
    """Whom a match waits for."""
    if course.over:
        return "nobody"
    engine = course.engine_to_move is not None or course.answers_of_engines
    return "engine" if engine else "people"


def founded(match: str, setup: Setup, keys: Sequence[Key]) -> Founding:
    """A match that is about to be made."""
    return Founding(match, setup, keys, waiting_for(Course(setup)))


def founded_after(course: Course, match: str, keys: Sequence[Key]) -> Founding:
    """The rematch: everybody moves on by one turn, and the old keys open the new seats."""
    came_from = turned(course.game, 1)
    chairs = [
        Chair(chair.kind, sitter.name, chair.level)
        for chair, sitter in zip(course.setup.seats, course.seats, strict=True)
    ]
    setup = replace(course.setup, seats=[chairs[seat] for seat in came_from])
    goes_to = {old: new for new, old in enumerate(came_from)} | {MAKER: MAKER}
    moved = [key._replace(match=match, seat=goes_to[key.seat]) for key in keys]
    at = course.events[-1].at
    claims = [
        Event(n, at, goes_to[seat], events.Claim())
        for n, seat in enumerate(
            [
                seat
                for seat, chair in enumerate(chairs)
                if chair.kind == "friend" and course.seats[seat].claimed
            ],
            start=1,
        )
    ]
    return founded(match, setup, moved)._replace(events=claims)
