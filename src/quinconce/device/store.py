"""What a device keeps: matches with their events, reviews, studies; in memory, and in its store.

The store may be a page's IndexedDB, and other tabs may write to it too. Events are only ever added:
if one with the same number is there already, nothing is written, and everything is read again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.phrase import _
from quinconce.server.matches.events import Event
from quinconce.server.matches.guarded_positions import GuardedPosition
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import (
    ConflictError,
    Glance,
    MatchRow,
    MatchSummary,
    NewMatch,
    Sighting,
)
from quinconce.server.matches.setup import Setup
from quinconce.server.refusals import StorageError
from quinconce.server.security.secrets import MAKER_SEAT, SeatKey

LOG: Final = logging.getLogger("quinconce.device")
NO_ROOM: Final = _(
    "this device cannot save that now: make room on it, or save your games to a file; the game is"
    " as it was before"
)
Entry = tuple[str, str, bytes | None]  # its kind, its key, its value; None deletes it
T = TypeVar("T")


class DeviceStore(Protocol):
    """Keeps entries by kind and key: in a page's IndexedDB, or in a dict."""

    async def load(self, kind: str) -> list[tuple[str, bytes]]:
        """All entries of a kind: their keys and values."""

    async def put(self, entries: list[Entry]) -> bool:
        """Write entries in their order, all or none; they are safe when it returns.

        False, and nothing written, if one of kind "event" is there already: these are never
        written over.
        """


class MemoryStore:
    """A store in memory: for tests, and for windows in which nothing can be kept."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], bytes] = {}

    async def load(self, kind: str) -> list[tuple[str, bytes]]:
        """All entries of a kind."""
        return [(key, value) for (each, key), value in self.entries.items() if each == kind]

    async def put(self, entries: list[Entry]) -> bool:
        """Write entries, all or none."""
        after = dict(self.entries)
        for kind, key, value in entries:
            if value is None:
                after.pop((kind, key), None)
            elif kind == "event" and (kind, key) in after:
                return False
            else:
                after[kind, key] = value
        self.entries = after
        return True


class KeptMatch(Struct, frozen=True):
    """A match as it is kept beside its events."""

    setup: Setup
    made: float
    touched: float
    moves: int = 0
    waits: str = "people"
    keys: list[tuple[int, str, str]] = []  # seat, hash and use
    hints: int = 0  # that were given


class Entries:
    """The door to the store: what it says in one sentence when something goes wrong."""

    def __init__(self, store: DeviceStore) -> None:
        self.store = store
        self.unreadable = 0  # entries that were passed over, and are left as they are
        self.broken: dict[str, list[str]] = {}  # their keys, by kind

    async def load(self, kind: str, type_: type[T]) -> dict[str, T]:
        """The entries of a kind that can be read, by key."""
        found: dict[str, T] = {}
        broken = self.broken[kind] = []
        for key, value in await self.load_raw(kind):
            try:
                found[key] = msgspec.json.decode(bytes(value), type=type_)
            except (msgspec.MsgspecError, UnicodeDecodeError, TypeError, RecursionError):
                self.unreadable += 1
                broken.append(key)
                LOG.warning("an entry of kind %s cannot be read: %.60s", kind, key)
        return found

    async def load_raw(self, kind: str) -> list[tuple[str, bytes]]:
        """All entries of a kind; none where the store cannot be read."""
        try:
            return list(await self.store.load(kind))
        except Exception:
            LOG.exception("the store of this device cannot be read")
            return []

    async def put(self, entries: Sequence[Entry]) -> bool:
        """Write entries; StorageError if there is no room, or no store."""
        try:
            return bool(await self.store.put(list(entries)))
        except Exception as error:
            LOG.warning("the store of this device cannot be written: %s", error)
            raise StorageError(NO_ROOM) from error

    async def write(self, *entries: Entry) -> None:
        """Write entries that need not be new."""
        await self.put(entries)


def entry(kind: str, key: str, value: object) -> Entry:
    """An entry with a value as JSON."""
    return kind, key, msgspec.json.encode(value)


def part_key(match: str, number: int) -> str:
    """The key of an event or a report of a match."""
    return f"{match}/{number}"


def split_key(key: str) -> tuple[str, int]:
    """The match and the number of a key; number 0 if it is none of ours."""
    match, _slash, number = key.rpartition("/")
    return match, int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0


class DeviceMatches:
    """The matches of a device, as `LiveMatches` needs them."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.kept: dict[str, KeptMatch] = {}
        self.told: dict[str, list[Event]] = {}  # the events of each match, from the first on
        self.surplus: dict[str, list[str]] = {}  # keys of events that cannot follow those
        self.checked: set[str] = set()  # matches whose events were replayed

    async def refresh(self) -> None:
        """Read everything again: another tab may have written."""
        kept = await self.entries.load("match", KeptMatch)
        events = await self.entries.load("event", Event)
        self.kept = {id_: each for id_, each in kept.items() if self._is_playable(each)}
        by_match: dict[str, dict[int, Event]] = {id_: {} for id_ in self.kept}
        for key, event in events.items():
            match, seq = split_key(key)
            if match in by_match and event.seq == seq:
                by_match[match][seq] = event
        keys: dict[str, list[str]] = {id_: [] for id_ in self.kept}
        for key in (*events, *self.entries.broken["event"]):
            keys.setdefault(split_key(key)[0], []).append(key)
        before, self.told = self.told, {}
        for match, found in by_match.items():
            line = [found[seq] for seq in range(1, len(found) + 1) if seq in found]
            whole = next((n for n, each in enumerate(line) if each.seq != n + 1), len(line))
            self.told[match] = line[:whole]
            self.surplus[match] = [key for key in keys[match] if split_key(key)[1] > whole]
            if self.told[match] != before.get(match):
                self.checked.discard(match)

    def _is_playable(self, match: KeptMatch) -> bool:
        try:
            OnlineMatch(match.setup)
        except (ValueError, TypeError):
            self.entries.unreadable += 1
            return False
        return True

    def _check_line(self, match: str) -> None:
        """Keep the events up to the first that the rules refuse: what follows cannot be played."""
        if match in self.checked:
            return
        self.checked.add(match)
        state, events = OnlineMatch(self.kept[match].setup), self.told[match]
        for n, event in enumerate(events):
            try:
                state.apply(event)
            except (ValueError, IndexError, TypeError, AssertionError):
                self.entries.unreadable += len(events) - n
                self.surplus[match] += [part_key(match, each.seq) for each in events[n:]]
                self.told[match] = events[:n]
                return

    # What is read.

    async def match(self, match: str) -> MatchRow | None:
        """A match, if there is one with this id."""
        if match not in self.kept:
            return None
        self._check_line(match)
        return self._row(match)

    def _row(self, match: str) -> MatchRow:
        kept = self.kept[match]
        return MatchRow(match, kept.setup, None, kept.made, kept.waits, kept.moves, kept.touched)

    async def glance(self, match: str) -> Glance | None:
        """Where a match is, and who may play in it; None if there is no such match."""
        kept = self.kept.get(match)
        if kept is None:
            return None
        self._check_line(match)
        return Glance(len(self.told[match]), [SeatKey(match, *key) for key in kept.keys])

    async def events(self, match: str, after: int) -> Sequence[Event]:
        """The events of a match after a number, in order."""
        return self.told.get(match, [])[max(0, after) :]

    async def last_seqs(self, matches: Sequence[str]) -> Mapping[str, int]:
        """The numbers of the last events of those matches that are still there."""
        return {match: len(self.told[match]) for match in matches if match in self.kept}

    async def matches_for_keys(
        self, hashes: Sequence[str], most: int
    ) -> list[tuple[MatchRow, list[int]]]:
        """The matches in which secrets with these hashes open seats, the latest first."""
        found = [
            (self._row(match), sorted({seat for seat, hash_, _use in kept.keys if hash_ in hashes}))
            for match, kept in self.kept.items()
        ]
        mine = [(row, [s for s in seats if s != MAKER_SEAT]) for row, seats in found if seats]
        return sorted(mine, key=lambda each: -each[0].touched)[:most]

    # What is written.

    async def insert(self, new: NewMatch, at: float) -> None:
        """Keep a new match."""
        await self.entries.write(*self._new_entries(new, at))
        self._note_new(new, at)

    def _new_entries(self, new: NewMatch, at: float) -> list[Entry]:
        told = [entry("event", part_key(new.id, event.seq), event) for event in new.events]
        return [entry("match", new.id, kept_match(new, at)), *told]

    def _note_new(self, new: NewMatch, at: float) -> None:
        self.kept[new.id], self.told[new.id] = kept_match(new, at), list(new.events)

    async def append(
        self,
        match: str,
        new: Sequence[Event],
        summary: MatchSummary,
        following: NewMatch | None = None,
    ) -> None:
        """Add events, and perhaps the match that follows; ConflictError if a tab was faster."""
        if match not in self.kept:
            raise ConflictError
        at = new[-1].at
        after = replace(self.kept[match], moves=summary.moves, waits=summary.waits, touched=at)
        entries = [entry("event", part_key(match, event.seq), event) for event in new]
        entries.append(entry("match", match, after))
        if following:
            entries += self._new_entries(following, at)
        if surplus := self.surplus.get(match):
            await self.entries.write(*(("event", key, None) for key in surplus))
            self.surplus[match] = []
        if not await self.entries.put(entries):
            await self._read_others(match)
            raise ConflictError
        self.kept[match] = after
        self.told[match] = [*self.told[match], *new]
        if following:
            self._note_new(following, at)

    async def _read_others(self, match: str) -> None:
        """Read what another tab has written; StorageError if it has not: something is wrong."""
        before = self.told.get(match)
        await self.refresh()
        if match in self.kept and self.told[match] == before:
            raise StorageError(NO_ROOM)

    async def delete_match(self, match: str) -> None:
        """Delete a match with everything about it."""
        plies = range(len(self.told.get(match, [])) + 2)
        await self.entries.write(
            ("match", match, None),
            ("review", match, None),
            *(("event", key, None) for key in self.surplus.get(match, [])),
            *(("event", part_key(match, event.seq), None) for event in self.told.get(match, [])),
            *(("report", part_key(match, ply), None) for ply in plies),
        )
        for memory in (self.kept, self.told, self.surplus):
            memory.pop(match, None)

    async def count_hint(self, match: str, limit: int) -> bool:
        """Count a hint; False if there were as many as may be."""
        kept = self.kept[match]
        if kept.hints >= limit:
            return False
        self.kept[match] = replace(kept, hints=kept.hints + 1)
        await self.entries.write(entry("match", match, self.kept[match]))
        return True

    # What only servers do, or servers that are several.

    async def engine_matches(self, _now: float) -> Sequence[str]:
        """The matches in which an engine is to move or to answer."""
        return [match for match, kept in self.kept.items() if kept.waits == "engine"]

    async def guarded_positions(self, _form: str) -> Sequence[str]:
        """None: on one device, nobody plays somebody elsewhere."""
        return ()

    async def matches_guarded_by_hash(self) -> Sequence[str]:
        """None."""
        return ()

    async def note_guarded_position(self, match: str, guarded: GuardedPosition | None) -> None:
        """Nothing is noted."""

    async def skip_downtime(self, since: float | None, at: float) -> Mapping[str, float]:
        """Clocks go on while a page is closed."""
        return {}

    async def unsummed_clock_matches(self) -> Sequence[str]:
        """None: no older version wrote here."""
        return ()

    async def overdue_matches(self, _now: float) -> Sequence[str]:
        """None: all running clocks are in memory."""
        return ()

    async def delete_unstarted(self, _before: float) -> Sequence[str]:
        """Nothing expires on a device."""
        return ()

    async def record_heartbeat(self, at: float) -> None:
        """Nothing is recorded."""

    async def last_heartbeat(self) -> float | None:
        """None."""
        return None

    async def record_life(self, at: float) -> None:
        """Nothing is recorded."""

    async def last_life(self) -> float | None:
        """None."""
        return None


def kept_match(new: NewMatch, at: float) -> KeptMatch:
    """A new match as it is kept."""
    keys = [(key.seat, key.hash, key.use) for key in new.keys]
    return KeptMatch(new.setup, at, at, 0, new.waits, keys)


class AloneOnDevice:
    """The other servers of a device: there are none."""

    is_shared = False
    leads = True
    clocks_count = True

    def __init__(self, clock: Any) -> None:
        self.clock = clock

    def note_arrival(self, match: str, seats: Sequence[int]) -> None:
        """Nobody else has to know."""

    def note_departure(self, match: str, seats: Sequence[int]) -> None:
        """Nobody else has to know."""

    async def sightings(self, _matches: object) -> Mapping[str, Sequence[Sighting]]:
        """None."""
        return {}

    async def claim(self, _name: str, _seq: int) -> bool:
        """Everything is done here; of two tabs, the store takes the first."""
        return True

    def release(self, name: str) -> None:
        """It is done."""
