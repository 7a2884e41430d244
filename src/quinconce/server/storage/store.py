"""The store: reads and writes matches, events, keys and tags, and tells other servers of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec
from sqlalchemy import (
    Connection,
    Select,
    Table,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from quinconce.core.errors import error_line
from quinconce.server.matches import events
from quinconce.server.matches.events import Event
from quinconce.server.matches.guarded_positions import GuardedPosition
from quinconce.server.matches.protocols import (
    ConflictError,
    Glance,
    MatchRow,
    MatchSummary,
    NewMatch,
    ReviewState,
)
from quinconce.server.matches.setup import Setup
from quinconce.server.refusals import (
    DatabaseBusyError,
    MatchNotFoundError,
    StorageError,
    UnreachableError,
)
from quinconce.server.security.secrets import MAKER_SEAT, SeatKey
from quinconce.server.storage.connection import LOST, Database
from quinconce.server.storage.schema import (
    EVENTS,
    EXPIRY,
    GUARDED_POSITIONS,
    HEARTBEAT,
    KEYS,
    LEASES,
    MATCHES,
    PRESENCE,
    STUDIES,
    TAGS,
)

LOG: Final = logging.getLogger("quinconce.server")
T = TypeVar("T")
CHANNEL: Final = "quinconce"
NOTIFY: Final = text("SELECT pg_notify(:channel, :payload)")
DELETED_AT_ONCE: Final = 500  # matches in one transaction: others do not wait for long

# What every move needs, put together once.
LAST_SEQ: Final = (
    select(func.max(EVENTS.c.seq)).where(EVENTS.c.match == MATCHES.c.id).scalar_subquery()
)
SELECT_GLANCE: Final = (
    select(LAST_SEQ, KEYS.c.match, KEYS.c.seat, KEYS.c.hash, KEYS.c.use)
    .select_from(MATCHES.outerjoin(KEYS, KEYS.c.match == MATCHES.c.id))
    .where(MATCHES.c.id == bindparam("match"))
    .order_by(KEYS.c.made)
)
SELECT_EVENTS: Final = (
    select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.seat, EVENTS.c.act)
    .where(EVENTS.c.match == bindparam("match"), EVENTS.c.seq > bindparam("after"))
    .order_by(EVENTS.c.seq)
)
INSERT_EVENTS: Final = insert(EVENTS)
SELECT_GUARDED: Final = select(GUARDED_POSITIONS.c.position).where(
    GUARDED_POSITIONS.c.form == bindparam("form")
)
DELETE_GUARDED: Final = delete(GUARDED_POSITIONS).where(
    GUARDED_POSITIONS.c.match == bindparam("match")
)
UPSERT_GUARDED: Final = text(
    'INSERT INTO guarded_positions ("match", form, position) VALUES (:match, :form, :position)'
    ' ON CONFLICT ("match") DO UPDATE SET form = excluded.form, position = excluded.position'
)
UPDATE_MATCH: Final = update(MATCHES).where(MATCHES.c.id == bindparam("match"))


class Bulletin(msgspec.Struct, frozen=True, array_like=True):
    """What a server tells: of a new event, a match that is gone or reviewed, who came or left."""

    process: str
    kind: Literal["event", "gone", "presence", "review"]
    match: str
    seq: int = 0
    at: float = 0.0
    of: int = 0  # positions of a review, of which `seq` are done
    state: ReviewState = "open"


def publish(connection: Connection, *bulletins: Bulletin) -> None:
    """Tell all servers when this transaction is committed; on SQLite there are no others."""
    if bulletins and connection.dialect.name == "postgresql":
        payloads = [msgspec.json.encode(bulletin).decode() for bulletin in bulletins]
        connection.execute(
            NOTIFY, [{"channel": CHANNEL, "payload": payload} for payload in payloads]
        )


def driver_error_line(error: BaseException) -> str:
    """What the driver of a database says, in one line."""
    return error_line(getattr(error, "orig", None) or error)


class Store:
    """A database of matches."""

    def __init__(self, database: Database, process: str = "") -> None:
        self.database = database
        self.process = process  # under which name news is told to other servers

    async def fetch_all(
        self, query: Select[Any], values: Mapping[str, object] | None = None
    ) -> Sequence[Any]:
        """The rows that a query finds; UnreachableError if the database is away."""
        return await self.read(lambda connection: connection.execute(query, values).all())

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What some work finds; UnreachableError if the database is away, or too many ask."""
        try:
            return await self.database.read(work)
        except PoolTimeoutError as error:
            raise DatabaseBusyError from error
        except LOST as error:
            LOG.error("the database cannot be read: %s", driver_error_line(error))
            raise UnreachableError from error

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do some work in one transaction, which is on the disk when this returns.

        StorageError, and nothing stored, if the database cannot be written, or too many write.
        """
        try:
            return await self.database.write(work)
        except PoolTimeoutError as error:
            raise DatabaseBusyError from error
        except LOST as error:
            LOG.error("the database cannot be written: %s", driver_error_line(error))
            raise StorageError from error

    # Matches and their events.

    async def insert_matches(
        self, matches: Sequence[NewMatch], at: float, new_tag: tuple[str, str] | None = None
    ) -> None:
        """Make matches, all or none, and with them their tag and the hash of its key, if it is new.

        ConflictError if the tag has a key already.
        """

        def work(connection: Connection) -> None:
            if new_tag is not None:
                insert_tag(connection, *new_tag)
            for n, match in enumerate(matches):
                insert_match(connection, match, at + n / 1e6)  # so that they keep their order

        await self.write(work)

    async def match(self, match: str) -> MatchRow | None:
        """A match, if there is one with this id."""
        rows = await self._matches(MATCHES.c.id == match)
        return rows[0] if rows else None

    async def tagged_matches(self, tag: str) -> list[MatchRow]:
        """The matches under a tag, the oldest first."""
        return await self._matches(MATCHES.c.tag == tag)

    async def skip_downtime(self, since: float | None, at: float) -> dict[str, float]:
        """Let no running clock count the time from one moment to another: all of them or none.

        Returns when each will have run out. That is in the row of a match, and its clock has run
        since its last event, so that no match need be replayed.
        """
        falls = MATCHES.c.falls_at.is_not(None)
        running = select(MATCHES.c.id, MATCHES.c.falls_at).where(falls).order_by(MATCHES.c.id)
        last = (
            select(EVENTS.c.match, func.max(EVENTS.c.seq), func.max(EVENTS.c.at))
            .where(EVENTS.c.match.in_(select(MATCHES.c.id).where(falls)))
            .group_by(EVENTS.c.match)
        )

        def work(connection: Connection) -> dict[str, float]:
            # Nobody adds an event to them until this is committed.
            rows = connection.execute(running.with_for_update()).all()
            deadlines = {match: float(falls_at) for match, falls_at in rows}
            lost = {
                match: (seq + 1, at - max(last_at, since or 0.0))
                for match, seq, last_at in connection.execute(last)
                if match in deadlines
            }
            late = {match: each for match, each in lost.items() if each[1] > 0}
            if late:
                deadlines |= {match: deadlines[match] + each[1] for match, each in late.items()}
                self._append_downtime(connection, late, deadlines, at)
            return deadlines

        return await self.write(work)

    def _append_downtime(
        self,
        connection: Connection,
        late: Mapping[str, tuple[int, float]],
        deadlines: Mapping[str, float],
        at: float,
    ) -> None:
        new = {
            match: Event(seq, at, None, events.Downtime(seconds))
            for match, (seq, seconds) in late.items()
        }
        rows = [row for match, event in new.items() for row in event_rows(match, [event])]
        connection.execute(INSERT_EVENTS, rows)
        changes = [{"match": match, "falls": deadlines[match], "at": at} for match in late]
        connection.execute(
            UPDATE_MATCH.values(falls_at=bindparam("falls"), touched=bindparam("at")), changes
        )
        publish(
            connection,
            *(Bulletin(self.process, "event", m, event.seq, at) for m, event in new.items()),
        )

    async def unsummed_clock_matches(self) -> Sequence[str]:
        """Matches whose clock may run though their row does not say so: of an older version."""
        people = MATCHES.c.waits == "people", MATCHES.c.clocked == 1, MATCHES.c.moves > 0
        return await self._ids(*people, MATCHES.c.falls_at.is_(None))

    async def overdue_matches(self, now: float) -> Sequence[str]:
        """The matches in which the running clock has run out."""
        return await self._ids(MATCHES.c.falls_at <= now)

    async def guarded_positions(self, form: str) -> list[str]:
        """Where the matches of a form of a game stand that people are at."""
        rows = await self.fetch_all(SELECT_GUARDED, {"form": form})
        return [row[0] for row in rows]

    async def matches_guarded_by_hash(self) -> list[str]:
        """The matches that people are at and whose position only an older server has noted."""
        return await self._ids(MATCHES.c.guarded_hash.is_not(None))

    async def note_guarded_position(self, match: str, guarded: GuardedPosition | None) -> None:
        """Note where a match stands, if people are at it."""

        def work(connection: Connection) -> None:
            connection.execute(UPDATE_MATCH, {"match": match, "guarded_hash": None})
            write_guarded(connection, match, guarded)

        try:
            await self.write(work)
        except IntegrityError:
            raise MatchNotFoundError from None

    async def engine_matches(self, now: float) -> Sequence[str]:
        """The matches in which an engine is to move or to answer, and no server asks one."""
        asked = select(LEASES.c.name).where(LEASES.c.until >= now)
        return await self._ids(MATCHES.c.waits == "engine", MATCHES.c.id.not_in(asked))

    async def _ids(self, *where: Any) -> list[str]:
        query = select(MATCHES.c.id).where(*where).order_by(MATCHES.c.made, MATCHES.c.id)
        return [row[0] for row in await self.fetch_all(query)]

    async def last_seqs(self, matches: Sequence[str]) -> dict[str, int]:
        """The numbers of the last events of those matches that are still there."""
        query = select(MATCHES.c.id, LAST_SEQ).where(MATCHES.c.id.in_(matches))
        return {match: seq or 0 for match, seq in await self.fetch_all(query)}

    async def count_hint(self, match: str, limit: int) -> bool:
        """Count a hint; False if there were as many as may be."""
        these = MATCHES.c.id == match, MATCHES.c.hints < limit
        more = update(MATCHES).where(*these).values(hints=MATCHES.c.hints + 1)
        return await self.write(lambda connection: bool(connection.execute(more).rowcount))

    async def _matches(self, *where: Any, latest: int | None = None) -> list[MatchRow]:
        """The matches of which something holds, the oldest first; or some that changed last."""
        columns = MATCHES.c
        order = () if latest is None else (columns.touched.desc(),)
        query = (
            select(
                columns.id,
                columns.setup,
                columns.tag,
                columns.made,
                columns.waits,
                columns.moves,
                columns.touched,
            )
            .where(*where)
            .order_by(*order, columns.made, columns.id)
            .limit(latest)
        )
        return [
            MatchRow(row[0], msgspec.json.decode(row[1], type=Setup), *row[2:])
            for row in await self.fetch_all(query)
        ]

    async def glance(self, match: str) -> Glance | None:
        """Where a match is, and who may play in it; None if there is no such match."""
        rows = await self.fetch_all(SELECT_GLANCE, {"match": match})
        if not rows:
            return None
        keys = [SeatKey(*row[1:]) for row in rows if row[1] is not None]
        return Glance(rows[0][0] or 0, keys)

    async def events(self, match: str, after: int) -> list[Event]:
        """The events of a match after a number, in order."""
        rows = await self.fetch_all(SELECT_EVENTS, {"match": match, "after": after})
        return [Event(seq, at, seat, events.decode(act)) for seq, at, seat, act in rows]

    async def append(
        self,
        match: str,
        new: Sequence[Event],
        summary: MatchSummary,
        following: NewMatch | None = None,
    ) -> None:
        """Add events, and perhaps the match that follows; ConflictError if a number is taken."""

        def work(connection: Connection) -> None:
            connection.execute(INSERT_EVENTS, event_rows(match, new))
            last = new[-1]
            changes = summary._asdict() | {"touched": last.at, "guarded_hash": None}
            guarded, was_guarded = changes.pop("guarded"), changes.pop("was_guarded")
            connection.execute(UPDATE_MATCH, {"match": match, **changes})
            if guarded or was_guarded:
                write_guarded(connection, match, guarded)
            if following:
                insert_match(connection, following, last.at)
            publish(connection, Bulletin(self.process, "event", match, last.seq, last.at))

        try:
            await self.write(work)
        except IntegrityError:
            raise ConflictError from None

    async def delete_match(self, match: str) -> None:
        """Delete a match with everything that belongs to it."""
        await self._delete_matches(MATCHES.c.id == match)

    async def delete_unstarted(self, before: float) -> list[str]:
        """Delete matches without a move that nobody has touched since; returns their ids."""
        unstarted = MATCHES.c.moves == 0, MATCHES.c.touched < before
        some = select(MATCHES.c.id).where(*unstarted).limit(DELETED_AT_ONCE)
        gone: list[str] = []
        while found := await self._delete_matches(MATCHES.c.id.in_(some), *unstarted):
            gone += found
        return gone

    async def _delete_matches(self, *where: Any) -> list[str]:
        """Delete matches; what refers to them goes with them.

        The match itself comes first: who plays a move meanwhile waits for it, or it waits for them
        and looks again whether it still is one of these.
        """

        def work(connection: Connection) -> list[str]:
            gone = connection.execute(delete(MATCHES).where(*where).returning(MATCHES.c.id))
            matches = list(gone.scalars())
            # Presence is written more often than it is worth a check, and refers to nothing.
            connection.execute(delete(PRESENCE).where(PRESENCE.c.match.in_(matches)))
            publish(connection, *(Bulletin(self.process, "gone", match) for match in matches))
            return matches

        return await self.write(work)

    # Keys.

    async def change_keys(
        self, add: Sequence[SeatKey], at: float, remove: Sequence[SeatKey] = ()
    ) -> None:
        """Let keys open seats, or no longer; MatchNotFoundError if their match is gone."""

        def work(connection: Connection) -> None:
            for key in (*remove, *add):  # a key may be there already, under another use
                same = KEYS.c.seat == key.seat, KEYS.c.hash == key.hash
                connection.execute(delete(KEYS).where(KEYS.c.match == key.match, *same))
            for key in add:
                connection.execute(insert(KEYS).values(key._asdict() | {"made": at}))

        try:
            await self.write(work)
        except IntegrityError:
            raise MatchNotFoundError from None

    async def matches_for_keys(
        self, hashes: Sequence[str], most: int
    ) -> list[tuple[MatchRow, list[int]]]:
        """The matches in which secrets with these hashes open seats, the latest first."""
        mine = select(KEYS.c.match).where(KEYS.c.hash.in_(hashes))
        matches = await self._matches(MATCHES.c.id.in_(mine), latest=most)
        query = (
            select(KEYS.c.match, KEYS.c.seat)
            .where(
                KEYS.c.hash.in_(hashes),
                KEYS.c.seat != MAKER_SEAT,
                KEYS.c.match.in_([kept.id for kept in matches]),
            )
            .distinct()
        )
        seats: dict[str, list[int]] = {}
        for match, seat in await self.fetch_all(query.order_by(KEYS.c.seat)):
            seats.setdefault(match, []).append(seat)
        return [(kept, seats.get(kept.id, [])) for kept in matches]

    # Tags and the heartbeat.

    async def tag_key_hash(self, tag: str) -> str | None:
        """The hash of the key of a tag."""
        rows = await self.fetch_all(select(TAGS.c.hash).where(TAGS.c.tag == tag))
        return rows[0][0] if rows else None

    async def tags(self) -> list[tuple[str, int, int]]:
        """Every tag with its number of matches, and how many are over."""
        over = func.sum(case((MATCHES.c.waits == "nobody", 1), else_=0))
        query = select(MATCHES.c.tag, func.count(), over).where(MATCHES.c.tag.is_not(None))
        rows = await self.fetch_all(query.group_by(MATCHES.c.tag).order_by(MATCHES.c.tag))
        return [(tag, count, done) for tag, count, done in rows]

    async def record_heartbeat(self, at: float) -> None:
        """Record that a server was alive at this moment."""
        await self.write(lambda connection: write_moment(connection, HEARTBEAT, at))

    async def last_heartbeat(self) -> float | None:
        """When a server on this database was last seen alive."""
        rows = await self.fetch_all(select(HEARTBEAT.c.at).where(HEARTBEAT.c.id == 1))
        return rows[0][0] if rows else None

    async def record_life(self, at: float) -> None:
        """Record the sign of life by which things expire."""
        await self.write(lambda connection: write_moment(connection, EXPIRY, at))

    async def last_life(self) -> float | None:
        """The sign of life by which things expire; an older database tells it by what is in it."""
        rows = await self.fetch_all(select(EXPIRY.c.at).where(EXPIRY.c.id == 1))
        if rows:
            return float(rows[0][0])
        latest = (HEARTBEAT.c.at, MATCHES.c.touched, STUDIES.c.used)
        query = select(*(select(func.max(column)).scalar_subquery() for column in latest))
        found = [at for at in (await self.fetch_all(query))[0] if at is not None]
        return max(found, default=None)

    async def close(self) -> None:
        """Let go of the database."""
        await self.database.close()


def write_moment(connection: Connection, table: Table, at: float) -> None:
    """Write a moment into a table of one row."""
    upsert = (
        f"INSERT INTO {table.name} (id, at) VALUES (1, :at)"  # noqa: S608 (a table of ours)
        " ON CONFLICT (id) DO UPDATE SET at = excluded.at"
    )
    connection.execute(text(upsert), {"at": at})


def write_guarded(connection: Connection, match: str, guarded: GuardedPosition | None) -> None:
    """Write where a match stands, or that people are no longer at it."""
    if guarded:
        connection.execute(UPSERT_GUARDED, {"match": match, **guarded._asdict()})
    else:
        connection.execute(DELETE_GUARDED, {"match": match})


def event_rows(match: str, new: Sequence[Event]) -> list[dict[str, object]]:
    """Events as the table holds them."""
    return [
        {
            "match": match,
            "seq": event.seq,
            "at": event.at,
            "seat": event.seat,
            "act": events.encode(event.act),
        }
        for event in new
    ]


def insert_tag(connection: Connection, tag: str, hash_: str) -> None:
    """A tag gets its key; ConflictError if it has one."""
    try:
        connection.execute(insert(TAGS).values(tag=tag, hash=hash_))
    except IntegrityError:
        raise ConflictError from None


def insert_match(connection: Connection, match: NewMatch, at: float) -> None:
    """Insert a match with its keys and events."""
    row = {
        "id": match.id,
        "tag": match.setup.tag,
        "made": at,
        "setup": msgspec.json.encode(match.setup).decode(),
        "moves": 0,
        "waits": match.waits,
        "clocked": int(match.setup.clock is not None),
        "touched": at,
    }
    connection.execute(insert(MATCHES).values(row))
    if match.keys:
        rows = [key._asdict() | {"made": at} for key in match.keys]
        connection.execute(insert(KEYS), rows)
    if match.events:
        connection.execute(insert(EVENTS), event_rows(match.id, match.events))
