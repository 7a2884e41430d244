"""The store: everything that is kept, and nothing that is only remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec
from sqlalchemy import case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from quinconce.server.matches import events
from quinconce.server.matches.events import Event
from quinconce.server.matches.seats import MAKER, Key
from quinconce.server.matches.setup import Setup
from quinconce.server.storage.schema import EVENTS, KEYS, MATCHES, PULSE, TAGS

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class TakenError(Exception):
    """Another event has this number already."""


class Kept(NamedTuple):
    """A match as it is kept."""

    id: str
    setup: Setup
    tag: str | None
    made: float
    waits: str
    moves: int
    touched: float


class Summary(NamedTuple):
    """What is written beside the events of a match."""

    moves: int
    waits: str


class Founding(NamedTuple):
    """A match to be made, with its keys."""

    id: str
    setup: Setup
    keys: Sequence[Key]
    waits: str
    events: Sequence[Event] = ()


def unbroken(
    method: Callable[Concatenate[Store, Arguments], Awaitable[Result]],
) -> Callable[Concatenate[Store, Arguments], Awaitable[Result]]:
    """Let what was begun be finished, also if whoever asked for it has gone."""

    @wraps(method)
    async def whole(store: Store, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        task = asyncio.ensure_future(method(store, *args, **kwargs))
        store.begun.add(task)
        task.add_done_callback(store.begun.discard)
        return await asyncio.shield(task)

    return whole


class Store:
    """A database of matches."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.begun: set[asyncio.Future[Any]] = set()
        self._turn = asyncio.Lock()  # SQLite has one writer: waiting here is fairer than there

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is committed, and on the disk, when this is left."""
        async with self._turn, self.engine.begin() as connection:
            yield connection

    @unbroken
    async def rows(self, query: Any) -> Sequence[Any]:
        """What a query finds."""
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).all()

    # Matches and their events.

    @unbroken
    async def found(self, matches: Sequence[Founding], at: float) -> None:
        """Make matches, all or none."""
        async with self.writing() as connection:
            for n, match in enumerate(matches):
                await self._found(connection, match, at + n / 1e6)  # so that they keep their order

    async def _found(self, connection: AsyncConnection, match: Founding, at: float) -> None:
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
        await connection.execute(insert(MATCHES).values(row))
        if match.keys:
            rows = [key._asdict() | {"made": at} for key in match.keys]
            await connection.execute(insert(KEYS), rows)
        if match.events:
            await connection.execute(insert(EVENTS), rows_of(match.id, match.events))

    async def match(self, match: str) -> Kept | None:
        """A match, if there is one of this name."""
        rows = await self.matches(MATCHES.c.id == match)
        return rows[0] if rows else None

    async def matches(self, *where: Any) -> list[Kept]:
        """The matches of which something holds, the oldest first."""
        columns = MATCHES.c
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
            .order_by(columns.made, columns.id)
        )
        return [
            Kept(row[0], msgspec.json.decode(row[1], type=Setup), *row[2:])
            for row in await self.rows(query)
        ]

    async def events(self, match: str, after: int) -> list[Event]:
        """The events of a match after a number, in order."""
        query = (
            select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.seat, EVENTS.c.act)
            .where(EVENTS.c.match == match, EVENTS.c.seq > after)
            .order_by(EVENTS.c.seq)
        )
        return [
            Event(seq, at, seat, events.read(act)) for seq, at, seat, act in await self.rows(query)
        ]

    @unbroken
    async def append(
        self,
        match: str,
        new: Sequence[Event],
        summary: Summary,
        following: Founding | None = None,
    ) -> None:
        """Add events to a match, and perhaps the one that follows it; TakenError if too late."""
        try:
            async with self.writing() as connection:
                await connection.execute(insert(EVENTS), rows_of(match, new))
                await connection.execute(
                    update(MATCHES)
                    .where(MATCHES.c.id == match)
                    .values(moves=summary.moves, waits=summary.waits, touched=new[-1].at)
                )
                if following:
                    await self._found(connection, following, new[-1].at)
        except IntegrityError:
            raise TakenError from None

    @unbroken
    async def forget(self, *where: Any) -> int:
        """Delete matches with everything that belongs to them; how many."""
        these = select(MATCHES.c.id).where(*where)
        async with self.writing() as connection:
            for table in (EVENTS, KEYS):
                await connection.execute(delete(table).where(table.c.match.in_(these)))
            return (await connection.execute(delete(MATCHES).where(*where))).rowcount

    # Keys.

    async def keys(self, match: str) -> list[Key]:
        """All keys of a match."""
        query = select(KEYS.c.match, KEYS.c.seat, KEYS.c.hash, KEYS.c.use).where(
            KEYS.c.match == match
        )
        return [Key(*row) for row in await self.rows(query.order_by(KEYS.c.made))]

    @unbroken
    async def change_keys(self, add: Sequence[Key], at: float, remove: Sequence[Key] = ()) -> None:
        """Let keys open seats, or no longer."""
        async with self.writing() as connection:
            for key in (*remove, *add):  # a key may be there already, under another use
                await connection.execute(
                    delete(KEYS).where(
                        KEYS.c.match == key.match, KEYS.c.seat == key.seat, KEYS.c.hash == key.hash
                    )
                )
            for key in add:
                await connection.execute(insert(KEYS).values(key._asdict() | {"made": at}))

    async def held(self, hash_: str, most: int) -> list[tuple[Kept, list[int]]]:
        """The matches in which a secret opens a seat, the latest first."""
        seats: dict[str, list[int]] = {}
        query = select(KEYS.c.match, KEYS.c.seat).where(KEYS.c.hash == hash_, KEYS.c.seat != MAKER)
        for match, seat in await self.rows(query.order_by(KEYS.c.seat)):
            seats.setdefault(match, []).append(seat)
        mine = select(KEYS.c.match).where(KEYS.c.hash == hash_)
        matches = await self.matches(MATCHES.c.id.in_(mine))
        matches.sort(key=lambda kept: -kept.touched)
        return [(kept, seats.get(kept.id, [])) for kept in matches[:most]]

    # Tags and the pulse.

    async def tag_hash(self, tag: str) -> str | None:
        """The hash of the key of a tag."""
        rows = await self.rows(select(TAGS.c.hash).where(TAGS.c.tag == tag))
        return rows[0][0] if rows else None

    @unbroken
    async def keep_tag(self, tag: str, hash_: str) -> None:
        """A tag gets its key; TakenError if it has one."""
        try:
            async with self.writing() as connection:
                await connection.execute(insert(TAGS).values(tag=tag, hash=hash_))
        except IntegrityError:
            raise TakenError from None

    async def tags(self) -> list[tuple[str, int, int]]:
        """Every tag with its number of matches, and how many are over."""
        over = func.sum(case((MATCHES.c.waits == "nobody", 1), else_=0))
        query = select(MATCHES.c.tag, func.count(), over).where(MATCHES.c.tag.is_not(None))
        rows = await self.rows(query.group_by(MATCHES.c.tag).order_by(MATCHES.c.tag))
        return [(tag, count, done) for tag, count, done in rows]

    @unbroken
    async def pulse(self, at: float) -> None:
        """Leave a sign of life."""
        async with self.writing() as connection:
            changed = await connection.execute(update(PULSE).where(PULSE.c.id == 1).values(at=at))
            if not changed.rowcount:
                await connection.execute(insert(PULSE).values(id=1, at=at))

    async def last_pulse(self) -> float | None:
        """The last sign of life of any server on this database."""
        rows = await self.rows(select(PULSE.c.at).where(PULSE.c.id == 1))
        return rows[0][0] if rows else None

    async def close(self) -> None:
        """Let go of the database."""
        await asyncio.gather(*self.begun, return_exceptions=True)
        await self.engine.dispose()


def rows_of(match: str, new: Sequence[Event]) -> list[dict[str, object]]:
    """Events as the table holds them."""
    return [
        {
            "match": match,
            "seq": event.seq,
            "at": event.at,
            "seat": event.seat,
            "act": events.written(event.act),
        }
        for event in new
    ]
