"""The store of studies: rows of the database, and how much room they may take."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from quinconce.server.refusals import StudyShareError, TooManyKeptError
from quinconce.server.storage.schema import STUDIES
from quinconce.server.storage.store import Store
from quinconce.server.studies.studies import Room, StudyRooms, StudyRow


class StudyStore:
    """The studies of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def insert(self, row: StudyRow, rooms: StudyRooms) -> None:
        """Keep a new study, or raise what `make_rooms` does."""

        def work(connection: Connection) -> None:
            make_rooms(connection, row, Room(1, row.bytes), rooms)
            connection.execute(insert(STUDIES).values(row._asdict()))

        await self.store.write(work)

    async def study(self, study: str) -> StudyRow | None:
        """A study, if there is one with this id."""
        rows = await self.store.fetch_all(select(STUDIES).where(STUDIES.c.id == study))
        return StudyRow(*rows[0]) if rows else None

    async def change(self, row: StudyRow, content: str, at: float, rooms: StudyRooms) -> bool:
        """Write what follows a version; False if that is no longer the last, or the study gone.

        If it grows, there has to be room for it: what `make_rooms` raises.
        """
        size = len(content.encode())
        new = {"content": content, "version": row.version + 1, "changed": at, "used": at}
        change = update(STUDIES).where(STUDIES.c.id == row.id, STUDIES.c.version == row.version)

        def work(connection: Connection) -> bool:
            if size > row.bytes:
                make_rooms(connection, row, Room(0, size - row.bytes), rooms)
            return bool(connection.execute(change.values(new | {"bytes": size})).rowcount)

        return await self.store.write(work)

    async def replace_hash(self, study: str, old: str, new: str) -> bool:
        """Let another secret change a study; False if the old one no longer does."""
        change = update(STUDIES).where(STUDIES.c.id == study, STUDIES.c.hash == old)
        return await self.store.write(
            lambda connection: bool(connection.execute(change.values(hash=new)).rowcount)
        )

    async def note_use(self, study: str, at: float) -> None:
        """Note that somebody has opened a study."""
        change = update(STUDIES).where(STUDIES.c.id == study).values(used=at)
        await self.store.write(lambda connection: connection.execute(change))

    async def delete(self, study: str) -> None:
        """Delete a study."""
        gone = delete(STUDIES).where(STUDIES.c.id == study)
        await self.store.write(lambda connection: connection.execute(gone))

    async def delete_unused(self, before: float) -> int:
        """Delete the studies that nobody has used since; returns how many they were."""
        gone = delete(STUDIES).where(STUDIES.c.used < before)
        return await self.store.write(lambda connection: connection.execute(gone).rowcount)


def make_rooms(connection: Connection, row: StudyRow, more: Room, rooms: StudyRooms) -> None:
    """Make room for a study, or for what is added to one, among those of its address and of all.

    StudyShareError, or TooManyKeptError, if too few studies give way.
    """
    old = (
        STUDIES.c.id != row.id,
        STUDIES.c.used <= STUDIES.c.made,
        STUDIES.c.made < rooms.give_way_before,
    )
    mine = STUDIES.c.origin == row.origin
    while row.origin and not rooms.own.holds(kept_room(connection, mine), more):
        if not delete_first(connection, mine, *old):
            raise StudyShareError
    while not rooms.total.holds(kept_room(connection), more):
        # The address that has most of them: old studies, whose address is not known, come last.
        most = select(STUDIES.c.origin).where(*old).group_by(STUDIES.c.origin)
        most = most.order_by(STUDIES.c.origin.is_(None), func.count().desc()).limit(1)
        origin = connection.execute(most).scalar()
        if not delete_first(connection, STUDIES.c.origin.is_not_distinct_from(origin), *old):
            raise TooManyKeptError


def kept_room(connection: Connection, *where: ColumnElement[bool]) -> Room:
    """How many studies of a kind are kept, and how large they are."""
    size = func.coalesce(func.sum(STUDIES.c.bytes), 0)
    return Room(*connection.execute(select(func.count(STUDIES.c.made), size).where(*where)).one())


def delete_first(connection: Connection, *where: ColumnElement[bool]) -> bool:
    """Delete the oldest study of a kind; False if there is none."""
    oldest = select(STUDIES.c.id).where(*where).order_by(STUDIES.c.made).limit(1)
    gone = delete(STUDIES).where(STUDIES.c.id == oldest.scalar_subquery())
    return bool(connection.execute(gone).rowcount)
