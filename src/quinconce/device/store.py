"""What a device keeps: matches with their events, reviews, studies; in memory, and in its store.

The store may be a page's IndexedDB, and other tabs may write to it too. Whatever is written names
what has to be in the store before: if that is no longer there, nothing is written, and everything
is read again. What cannot be read is left as it is, and put aside before something takes its place.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quinconce.core.phrase import Phrase, _
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
from quinconce.server.refusals import MatchNotFoundError, StorageError
from quinconce.server.security.secrets import MAKER_SEAT, SeatKey

LOG: Final = logging.getLogger("quinconce.device")
NO_ROOM: Final = _(
    "this device cannot save that now: make room on it, or save your games to a file; the game is"
    " as it was before"
)
NOT_READ: Final = _(
    "what is kept on this device cannot be read just now; it stays as it is: try again in a moment"
)
NEWER_OPEN: Final = _(
    "a newer Quinconce is open in another window, so that this one saves nothing: load the page"
    " again"
)
LATER: Final = "VersionError"  # how IndexedDB calls a database of a later version
ASIDE: Final = "aside"  # the kind of what could not be read where something else was written
Entry = tuple[str, str, bytes | None]  # its kind, its key, its value; None deletes it
Place = tuple[str, str]  # the kind and the key of an entry
Kept = dict[str, dict[str, bytes]]  # the values of all entries by kind, then by key
T = TypeVar("T")


class DeviceStore(Protocol):
    """Keeps entries by kind and key: in a page's IndexedDB, or in a dict."""

    async def load(self) -> list[tuple[str, str, bytes]]:
        """All entries as they are at one moment: kind, key and value."""

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        """Write entries in their order, all or none; they are safe when it returns.

        False, and nothing written, unless the store has each of `known` as it is here: None stands
        for an entry that is not there.
        """


class MemoryStore:
    """A store in memory: for tests, and for windows in which nothing can be kept."""

    def __init__(self) -> None:
        self.entries: dict[Place, bytes] = {}

    async def load(self) -> list[tuple[str, str, bytes]]:
        """All entries."""
        return [(kind, key, value) for (kind, key), value in self.entries.items()]

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        """Write entries, all or none."""
        if any(self.entries.get((kind, key)) != value for kind, key, value in known):
            return False
        for kind, key, value in entries:
            if value is None:
                self.entries.pop((kind, key), None)
            else:
                self.entries[kind, key] = value
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
    """The door to the store, which says in one sentence what goes wrong.

    Reading everything and writing take turns, so that nothing that was just written is forgotten.
    """

    def __init__(self, store: DeviceStore) -> None:
        self.store = store
        self.readers: list[Callable[[Kept], None]] = []  # take up what the store holds, in order
        self.trouble: Phrase | None = None  # why nobody knows what the store holds now
        self.unreadable: set[Place] = set()  # what was passed over, and is left as it is
        self.known: dict[Place, bytes] = {}  # all entries, as they were read or written last
        self.turn = asyncio.Lock()

    # Reading.

    async def read(self) -> Kept:
        """All entries; StorageError if the store cannot be read."""
        try:
            rows = await self.store.load()
        except Exception as error:
            LOG.warning("the store of this device cannot be read: %s", error)
            self.trouble = refusal_words(error, NOT_READ)
            raise StorageError(self.trouble) from error
        found: Kept = {}
        for kind, key, value in rows:
            found.setdefault(kind, {})[key] = value
        return found

    async def refresh(self) -> None:
        """Take up what the store holds; StorageError, and all is as before, if it is not read."""
        async with self.turn:
            self._take_up(await self.read())

    def _take_up(self, found: Kept) -> None:
        self.trouble = None
        self.unreadable = set()
        self.known = {
            (kind, key): value for kind, values in found.items() for key, value in values.items()
        }
        for read in self.readers:
            read(found)

    def decode(self, found: Kept, kind: str, type_: type[T]) -> dict[str, T]:
        """The entries of a kind that can be read, by key."""
        decoded: dict[str, T] = {}
        for key, value in found.get(kind, {}).items():
            try:
                decoded[key] = msgspec.json.decode(value, type=type_)
            except (msgspec.MsgspecError, UnicodeDecodeError, TypeError, RecursionError):
                self.pass_over(kind, key)
        return decoded

    def pass_over(self, kind: str, *keys: str) -> None:
        """Note entries that cannot be read."""
        self.unreadable |= {(kind, key) for key in keys}
        LOG.warning("entries of kind %s are passed over: %.60s", kind, ", ".join(keys))

    def check_read(self) -> None:
        """StorageError while nobody knows what the store holds."""
        if self.trouble is not None:
            raise StorageError(self.trouble)

    # Writing.

    async def put(self, *entries: Entry) -> bool:
        """Write entries; what cannot be read in their places is put aside.

        If another tab has written one of them, False, and everything is read again. StorageError
        if there is no room, or no store.
        """
        places = [each[:2] for each in entries]
        lost = self.unreadable.intersection(places)
        aside = [put_aside(*place, self.known[place]) for place in lost]
        known = [(*place, self.known.get(place)) for place in places]
        async with self.turn:
            return await self._put([*aside, *entries], known)

    async def delete(self, is_meant: Callable[[str, str], bool]) -> None:
        """Delete entries by kind and key, those that cannot be read too."""
        while True:
            async with self.turn:
                gone: list[Entry] = [
                    (kind, key, value)
                    for kind, values in (await self.read()).items()
                    for key, value in values.items()
                    if is_meant(kind, key)
                ]
                if await self._put([(kind, key, None) for kind, key, _value in gone], gone):
                    return

    async def _put(self, entries: list[Entry], known: list[Entry]) -> bool:
        try:
            done = await self.store.put(entries, known)
        except Exception as error:
            LOG.warning("the store of this device cannot be written: %s", error)
            raise StorageError(refusal_words(error, NO_ROOM)) from error
        if not done:
            found = await self.read()
            self._take_up(found)
            if all(found.get(kind, {}).get(key) == value for kind, key, value in known):
                raise StorageError(NO_ROOM)  # the store refuses, and no other tab is the reason
            return False
        for kind, key, value in entries:
            self.unreadable.discard((kind, key))
            if value is None:
                self.known.pop((kind, key), None)
            else:
                self.known[kind, key] = value
        return True


def refusal_words(error: Exception, usual: Phrase) -> Phrase:
    """What is said of an error of the store."""
    return NEWER_OPEN if LATER in str(error) else usual


def put_aside(kind: str, key: str, value: bytes) -> Entry:
    """The entry that keeps another one under another kind: the same again for the same value."""
    return ASIDE, f"{kind}/{key}/{hashlib.sha256(value).hexdigest()[:16]}", value


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


def subject(kind: str, key: str) -> Place:
    """The match, the study or whatever else an entry is about."""
    if kind == ASIDE:
        kind, _slash, key = key.rpartition("/")[0].partition("/")
    match kind:
        case "event" | "report":
            return "match", key.rpartition("/")[0]
        case "review":
            return "match", key
    return kind, key


class DeviceMatches:
    """The matches of a device, as `LiveMatches` needs them."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.kept: dict[str, KeptMatch] = {}
        self.told: dict[str, list[Event]] = {}  # the events of each match, from the first on
        self.surplus: dict[str, list[str]] = {}  # keys of events that cannot follow those
        self.checked: set[str] = set()  # matches whose events were replayed
        entries.readers.append(self._read)

    def _read(self, found: Kept) -> None:
        """Take up what the store holds: another tab may have written."""
        kept = self.entries.decode(found, "match", KeptMatch)
        events = self.entries.decode(found, "event", Event)
        self.kept = {id_: each for id_, each in kept.items() if self._is_playable(id_, each)}
        keys: dict[str, list[str]] = {}
        for key in found.get("event", {}):
            keys.setdefault(split_key(key)[0], []).append(key)
        before, self.told, self.surplus = self.told, {}, {}
        for match in self.kept:
            line = self.told[match] = []
            while (event := events.get(part_key(match, len(line) + 1))) and (
                event.seq == len(line) + 1
            ):
                line.append(event)
            if line != before.get(match):
                self.checked.discard(match)
            self._note_surplus(match, keys.get(match, ()))

    def _note_surplus(self, match: str, keys: Iterable[str]) -> None:
        """Note the events that cannot follow the last one that can be read."""
        last = len(self.told[match])
        if surplus := [key for key in keys if split_key(key)[1] > last]:
            self.surplus[match] = surplus
            self.entries.pass_over("event", *surplus)

    def _is_playable(self, id_: str, match: KeptMatch) -> bool:
        try:
            OnlineMatch(match.setup)
        except (ValueError, TypeError):
            self.entries.pass_over("match", id_)
            return False
        return True

    def is_whole(self, match: str) -> bool:
        """Whether all events of a match can be read, and the rules allow them.

        Nothing moves by itself in one that is not: what could not follow would be put aside.
        """
        if match in self.kept and match not in self.checked:
            self._check_line(match)
        return match not in self.surplus

    def _check_line(self, match: str) -> None:
        """Keep the events up to the first that the rules refuse: what follows cannot be played."""
        self.checked.add(match)
        state, events = OnlineMatch(self.kept[match].setup), self.told[match]
        for n, event in enumerate(events):
            try:
                state.apply(event)
            except (ValueError, IndexError, TypeError, AssertionError):
                self.told[match] = events[:n]
                cut = [part_key(match, each.seq) for each in events[n:]]
                self._note_surplus(match, [*cut, *self.surplus.get(match, ())])
                return

    # What is read.

    async def match(self, match: str) -> MatchRow | None:
        """A match, if there is one with this id."""
        return self._row(match) if await self.glance(match) else None

    def _row(self, match: str) -> MatchRow:
        kept = self.kept[match]
        return MatchRow(match, kept.setup, None, kept.made, kept.waits, kept.moves, kept.touched)

    async def glance(self, match: str) -> Glance | None:
        """Where a match is, and who may play in it; None if there is no such match."""
        kept = self.kept.get(match)
        if kept is None:
            self.entries.check_read()
            return None
        self.is_whole(match)
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
        self.entries.check_read()
        found = [
            (self._row(match), sorted({seat for seat, hash_, _use in kept.keys if hash_ in hashes}))
            for match, kept in self.kept.items()
        ]
        mine = [(row, [s for s in seats if s != MAKER_SEAT]) for row, seats in found if seats]
        return sorted(mine, key=lambda each: -each[0].touched)[:most]

    # What is written.

    async def insert(self, new: NewMatch, at: float) -> None:
        """Keep a new match."""
        if not await self.entries.put(*self._new_entries(new, at)):
            raise StorageError(NO_ROOM)  # there is one of this name: it cannot be
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
        """Add events, and perhaps the match that follows; ConflictError if a tab was faster.

        What could not follow the events that can be read is put aside.
        """
        if match not in self.kept or len(self.told[match]) >= new[0].seq:
            raise ConflictError
        if len(self.told[match]) + 1 < new[0].seq:
            raise StorageError(NOT_READ)  # events that were there cannot be read any more
        at = new[-1].at
        after = replace(self.kept[match], moves=summary.moves, waits=summary.waits, touched=at)
        entries: list[Entry] = [("event", key, None) for key in self.surplus.get(match, ())]
        entries += [entry("event", part_key(match, event.seq), event) for event in new]
        entries.append(entry("match", match, after))
        if following:
            entries += self._new_entries(following, at)
        if not await self.entries.put(*entries):
            raise ConflictError
        self.kept[match] = after
        self.told[match] = [*self.told[match], *new]
        self.surplus.pop(match, None)
        if following:
            self._note_new(following, at)

    async def delete_match(self, match: str) -> None:
        """Delete a match with everything about it, what cannot be read too."""
        await self.entries.delete(lambda *place: subject(*place) == ("match", match))
        for memory in (self.kept, self.told, self.surplus):
            memory.pop(match, None)

    async def count_hint(self, match: str, limit: int) -> bool:
        """Count a hint; False if there were as many as may be."""
        while (kept := self.kept.get(match)) and kept.hints < limit:
            after = replace(kept, hints=kept.hints + 1)
            if await self.entries.put(entry("match", match, after)):
                self.kept[match] = after
                return True
        if kept is None:
            raise MatchNotFoundError
        return False

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

    def __init__(self, clock: Any, is_whole: Callable[[str], bool]) -> None:
        self.clock = clock
        self.is_whole = is_whole

    def note_arrival(self, match: str, seats: Sequence[int]) -> None:
        """Nobody else has to know."""

    def note_departure(self, match: str, seats: Sequence[int]) -> None:
        """Nobody else has to know."""

    async def sightings(self, _matches: object) -> Mapping[str, Sequence[Sighting]]:
        """None."""
        return {}

    async def claim(self, name: str, _seq: int) -> bool:
        """Everything is done here, but no engine moves in a match that is not whole.

        Of two tabs, the store takes the first.
        """
        return self.is_whole(name)

    def release(self, name: str) -> None:
        """It is done."""
