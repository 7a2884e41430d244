"""Live matches: matches in memory, how events get into one, and who is woken by them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

from quinconce.server.matches import events
from quinconce.server.matches.create import rematch_of
from quinconce.server.matches.events import AnyAct, Event
from quinconce.server.matches.guarded_positions import guarded_position, is_looked_for
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import (
    ConflictError,
    Glance,
    MatchPeers,
    MatchRow,
    MatchStore,
    MatchSummary,
    NewMatch,
    ReviewProgress,
    Sighting,
)
from quinconce.server.matches.validation import check_absence, check_length, lent_seat, validate_act
from quinconce.server.off_loop import ASKER, asked_by, run_quick
from quinconce.server.refusals import MatchNotFoundError, StaleError
from quinconce.server.security.secrets import MAKER_SEAT, new_match_id
from quinconce.server.settings import Settings

# Events that are replayed at once. More are replayed as many at a time, so that the moves of others
# come in between, and before the match is locked.
QUICK_EVENTS: Final = 20


class LiveMatch:
    """A match in memory: a cache of what the store holds, and who is there."""

    def __init__(self, row: MatchRow, loaded_at: float) -> None:
        self.id = row.id
        self.row = row
        self.state = OnlineMatch(row.setup)  # never changed: the next one takes its place
        self.lock = asyncio.Lock()
        self.watchers: Counter[int] = Counter()  # open streams by seat; -1 for those without
        self.elsewhere: dict[int, float | None] = {}  # who is at another server, or was until when
        # When the last stream of a seat was closed, by the clock that counts intervals.
        self.last_seen: dict[int, float] = {}
        self.loaded_at = loaded_at
        self.engine_asked_seq: int | None = None  # the seq at which the engine was asked
        self.review: ReviewProgress | None = None  # of which there was news
        self.visits = 0  # how many hold the lock or are about to
        self.replay: asyncio.Task[None] | None = None  # of many events, which all wait for

    def is_present(self, seat: int) -> bool:
        """Whether somebody is there in a seat, here or at another server."""
        return self.watchers[seat] > 0 or self.elsewhere.get(seat, 0.0) is None

    def absent_since(self, seat: int) -> float | None:
        """Since when, by the clock that counts intervals, a seat is empty; None if it is not."""
        if self.is_present(seat):
            return None
        seen = [at for known in (self.last_seen, self.elsewhere) if (at := known.get(seat))]
        return max(seen, default=self.loaded_at)

    def note_sightings(self, sightings: Iterable[Sighting], now: float, monotonic: float) -> None:
        """Note who is at other servers."""
        self.elsewhere = {}
        for _match, seat, present, seen in sightings:
            if self.elsewhere.get(seat, 0.0) is not None:
                at = monotonic - max(0.0, now - seen)
                self.elsewhere[seat] = None if present else max(at, self.elsewhere.get(seat) or at)


class LiveMatches:
    """All matches that somebody plays or watches."""

    def __init__(self, store: MatchStore, settings: Settings, peers: MatchPeers) -> None:
        self.store = store
        self.settings = settings
        self.peers = peers
        self.now = peers.clock
        self.monotonic = settings.monotonic
        self.loaded: dict[str, LiveMatch] = {}
        self.deadlines: dict[str, float] = {}  # when a running clock will have run out
        self.clock_runs = asyncio.Event()  # set while there is a deadline
        self.unannounced: dict[str, float] = {}  # matches with news, since when
        self.has_unannounced = asyncio.Event()
        self.listeners: list[Callable[[LiveMatch], None]] = []
        self.count_move: Callable[[], None] = lambda: None  # told of every move that is stored

    # Loading.

    async def get(self, match: str) -> LiveMatch:
        """A match, as it was when it was last locked; MatchNotFoundError if there is none."""
        if live := self.loaded.get(match):
            self.loaded[match] = self.loaded.pop(match)  # the last used stands last
            return live
        row = await self.store.match(match)
        if row is None:
            raise MatchNotFoundError
        live = await run_quick(LiveMatch, row, self.monotonic())
        await self.refresh_presence([live])
        live = self.loaded.setdefault(match, live)  # somebody else may have been faster
        self._evict_idle()
        return live

    def _evict_idle(self) -> None:
        idle = [live for live in self.loaded.values() if not (live.watchers or live.visits)]
        for live in idle[: max(0, len(self.loaded) - self.settings.limits.loaded_matches)]:
            del self.loaded[live.id]

    async def refresh_presence(self, matches: Collection[LiveMatch]) -> None:
        """Learn who is at other servers."""
        if self.peers.is_shared:
            found = await self.peers.sightings([live.id for live in matches])
            for live in matches:
                live.note_sightings(found[live.id], self.now(), self.monotonic())

    async def catch_up(self, match: str, seq: int) -> None:
        """Load what another server has stored, if somebody follows the match here."""
        live = self.loaded.get(match)
        if live and live.watchers:
            async with self.locked(match, Glance(seq, ())):
                pass

    def evict(self, match: str) -> None:
        """Forget a match that is gone from the store."""
        for memory in (self.loaded, self.deadlines, self.unannounced):
            memory.pop(match, None)

    async def glance(self, match: str) -> Glance:
        """Where a match is in the store, and who may play; MatchNotFoundError if it is gone.

        Other processes may write to the store, so that every request looks into it once.
        """
        found = await self.store.glance(match)
        if found is None:
            self.evict(match)
            raise MatchNotFoundError
        return found

    @asynccontextmanager
    async def locked(self, match: str, known: Glance | None = None) -> AsyncIterator[LiveMatch]:
        """Lock the match, with all events up to the one that was last at a glance."""
        known = known or await self.glance(match)
        live = await self.get(match)
        live.visits += 1
        try:
            if known.seq - live.state.seq > QUICK_EVENTS:
                await self._replay_ahead(live)
            async with live.lock:
                if live.state.seq < known.seq:
                    await self._load_new_events(live)
                yield live
        finally:
            live.visits -= 1

    @asynccontextmanager
    async def current(self, match: str, known: Glance | None = None) -> AsyncIterator[LiveMatch]:
        """Lock the match as it is at this moment: a clock that has run out is flagged."""
        async with self.locked(match, known) as live:
            await self.flag_expired_clock(live)
            yield live

    async def _load_new_events(self, live: LiveMatch) -> None:
        live.state = await self._replayed(live)
        self._update_deadline(live)

    async def _replayed(self, live: LiveMatch) -> OnlineMatch:
        """The match after the events that the store has beside those in memory."""
        state = live.state
        new = await self.store.events(live.id, state.seq)
        for first in range(0, len(new), QUICK_EVENTS):
            state = await run_quick(state.after, new[first : first + QUICK_EVENTS])
        return state

    async def _replay_ahead(self, live: LiveMatch) -> None:
        """Load many events, once for all who wait, and lock the match when they are replayed."""
        if live.replay is None:
            with asked_by(ASKER.get()._replace(receive=None)):
                live.replay = asyncio.create_task(self._replay_and_lock(live))
        await asyncio.shield(live.replay)

    async def _replay_and_lock(self, live: LiveMatch) -> None:
        try:
            state = await self._replayed(live)
            async with live.lock:
                if live.state.seq < state.seq:
                    live.state = state
                    self._update_deadline(live)
        finally:
            live.replay = None

    async def _reload_after_conflict(self, live: LiveMatch) -> None:
        """Load what another process on the same store has done."""
        await self.glance(live.id)
        await self._load_new_events(live)

    def _update_deadline(self, live: LiveMatch) -> None:
        deadline = live.state.clock.deadline() if live.state.clock else None
        if deadline is None:
            self.deadlines.pop(live.id, None)
        else:
            self.deadlines[live.id] = deadline
            self.clock_runs.set()

    async def events_since(
        self, match: str, after: int, *, from_memory: bool = False
    ) -> Sequence[Event]:
        """The events after a number; from memory, or as the store has them."""
        live = self.loaded.get(match)
        if from_memory and live:
            return live.state.events[max(0, after) :]
        async with self.locked(match) as live:
            return live.state.events[max(0, after) :]

    # Submitting: the caller of the methods that take a LiveMatch holds its lock.

    async def submit(
        self, match: str, seat: int, act: AnyAct, seq: int | None
    ) -> tuple[Event, bool]:
        """Lock a match and submit an act; the event, and whether it is new."""
        async with self.current(match) as live:
            return await self.submit_locked(live, seat, act, seq)

    async def submit_locked(
        self, live: LiveMatch, seat: int, act: AnyAct, seq: int | None
    ) -> tuple[Event, bool]:
        """Let a seat do something, if `seq` is the number of the last event; else StaleError.

        The event, safe in the store, and whether it is new there: the same again, because its
        answer was lost, is answered as the first time. Without a `seq` it may be done whatever
        happened last.
        """
        while True:
            if seq is not None and seq != live.state.seq:
                return find_duplicate(live.state, seat, act, seq), False
            check_length(live.state, act, self.settings.limits.match_length)
            seat_to_lend = lent_seat(act)
            if seat_to_lend is not None and seat_to_lend != seat:
                await self.refresh_presence([live])
                check_absence(self.seconds_until_lendable(live, seat_to_lend))
            try:
                return await self._commit(live, seat, act), True
            except ConflictError:
                await self._reload_after_conflict(live)

    async def flag_expired_clock(self, live: LiveMatch) -> None:
        """Record a timeout and announce it, if the running clock has run out."""
        if not self.peers.clocks_count:
            return None
        while (clock := live.state.clock) and clock.seat_out_of_time(self.now()) is not None:
            try:
                await self._commit(live, clock.running, events.Timeout())
            except ConflictError:
                await self._reload_after_conflict(live)
            else:
                return self.announce(live.id)

    async def resume_clocks(self, last_heartbeat: float | None) -> None:
        """Let no clock count the time since a server was last alive: one write for all of them."""
        deadlines = await self.store.skip_downtime(last_heartbeat, self.now())
        self.deadlines |= deadlines
        if self.deadlines:
            self.clock_runs.set()
        for match in deadlines.keys() & self.loaded.keys():
            self.unannounced[match] = self.monotonic()
            self.has_unannounced.set()

    async def skip_downtime(self, live: LiveMatch, last_heartbeat: float | None) -> None:
        """Record the time since a server was last alive, which no clock counts."""
        while (clock := live.state.clock) and clock.running is not None:
            lost = self.now() - max(clock.since, last_heartbeat or 0.0)
            if lost <= 0:
                return
            try:
                await self._commit(live, None, events.Downtime(lost))
            except ConflictError:
                await self._reload_after_conflict(live)
            else:
                return

    def seconds_until_lendable(self, live: LiveMatch, seat: int) -> float | None:
        """How long until a seat may be lent to the engine; None while somebody is there."""
        since = live.absent_since(seat)
        return None if since is None else since + self.settings.lend_after - self.monotonic()

    def lendable_from(self, live: LiveMatch, seat: int) -> float | None:
        """The time of day from which a seat may be lent; None while somebody is there."""
        wait = self.seconds_until_lendable(live, seat)
        return None if wait is None else self.now() + wait

    async def _commit(self, live: LiveMatch, seat: int | None, act: AnyAct) -> Event:
        """Apply an act with all that follows to a copy, store it, and let the copy take its place.

        ConflictError, and nothing stored, if another process was faster.
        """
        past = live.state.events
        at = max(self.now(), past[-1].at if past else live.row.made)
        state, summary = await run_quick(perform_act, live.state, seat, act, at)
        new = state.events[len(past) :]
        following = await self._rematch(live.id, state, new[-1])
        # Should this request be cancelled, the commit goes on: then the background announces it.
        self.unannounced[live.id] = self.monotonic()
        self.has_unannounced.set()
        await self.store.append(live.id, new, summary, following)
        if isinstance(act, events.Move):
            self.count_move()
        live.state = state
        self._update_deadline(live)
        return new[0]

    async def _rematch(self, match: str, state: OnlineMatch, last: Event) -> NewMatch | None:
        """The match that is to follow this one, if its last event says so."""
        if not isinstance(last.act, events.Rematch):
            return None
        return rematch_of(state, last.act.match, (await self.glance(match)).keys)

    async def guard_older_matches(self) -> None:
        """Note where matches stand that a server guarded which knew positions by their hashes."""
        for match in await self.store.matches_guarded_by_hash():
            with suppress(MatchNotFoundError):
                async with self.locked(match) as live:
                    guarded = await run_quick(guarded_position, live.state)
                    await self.store.note_guarded_position(match, guarded)

    # News and presence.

    def announce(self, match: str) -> None:
        """Tell all listeners that a match has news; its sender has been answered before."""
        self.unannounced.pop(match, None)
        if live := self.loaded.get(match):
            for listener in self.listeners:
                listener(live)

    async def announce_all(self, matches: Iterable[str]) -> None:
        """Load new matches and announce them, so that engines that begin are asked."""
        for match in matches:
            await self.get(match)
            self.announce(match)

    @contextmanager
    def track_presence(self, live: LiveMatch, seats: Iterable[int]) -> Iterator[None]:
        """Somebody watches, in these seats or in none."""
        places = tuple(seats) or (MAKER_SEAT,)
        live.watchers.update(places)
        self.peers.note_arrival(live.id, places)
        try:
            yield
        finally:
            self.peers.note_departure(live.id, places)
            live.watchers.subtract(places)
            live.watchers += Counter()  # those that are 0 go
            for seat in places:
                live.last_seen[seat] = self.monotonic()


def perform_act(
    state: OnlineMatch, seat: int | None, act: AnyAct, at: float
) -> tuple[OnlineMatch, MatchSummary]:
    """Validate an act; the match after it and all that follows from it, and what it sums up to."""
    after = state.after([Event(state.seq + 1, at, seat, validate_act(state, seat, act))])
    while following := after.consequence(new_match_id):
        after.apply(Event(after.seq + 1, at, None, following))
    return after, summary_of(after, is_looked_for(state))


def summary_of(state: OnlineMatch, was_guarded: bool) -> MatchSummary:
    """What is written beside the events of a match."""
    falls_at = state.clock.deadline() if state.clock else None
    moves, guarded = len(state.match.moves), guarded_position(state)
    return MatchSummary(moves, state.waiting_for, falls_at, guarded, was_guarded)


def find_duplicate(state: OnlineMatch, seat: int, act: AnyAct, seq: int) -> Event:
    """The same act of the same seat, submitted when `seq` was the last event; else StaleError."""
    if 0 <= seq < state.seq:
        event = state.events[seq]
        if event.seat == seat and events.is_retry(event.act, act):
            return event
    raise StaleError(state.seq)


class Follower:
    """Somebody who follows a match, and sleeps until there is news."""

    def __init__(self) -> None:
        self._woken = False
        self._sleep: asyncio.Future[None] | None = None

    def wake(self) -> None:
        """There is news."""
        self._woken = True
        self._end_sleep()

    def _end_sleep(self) -> None:
        if self._sleep and not self._sleep.done():
            self._sleep.set_result(None)

    async def wait(self, patience: float) -> bool:
        """Sleep until there is news, or for some seconds; whether there is any."""
        if not self._woken:
            loop = asyncio.get_running_loop()
            self._sleep = loop.create_future()
            alarm = loop.call_later(patience, self._end_sleep)
            try:
                await self._sleep
            finally:
                alarm.cancel()
                self._sleep = None
        woken, self._woken = self._woken, False
        return woken


class News:
    """Who follows which match."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Follower]] = {}

    @contextmanager
    def follow(self, match: str) -> Iterator[Follower]:
        """Somebody follows a match for a while."""
        follower = Follower()
        followers = self._followers.setdefault(match, set())
        followers.add(follower)
        try:
            yield follower
        finally:
            followers.discard(follower)
            if not followers and self._followers.get(match) is followers:
                del self._followers[match]

    def tell(self, match: str) -> None:
        """Wake all who follow a match: something has happened, or somebody has come or gone."""
        for follower in self._followers.get(match, ()):
            follower.wake()

    def tell_all(self) -> None:
        """Wake everybody."""
        for match in self._followers:
            self.tell(match)
