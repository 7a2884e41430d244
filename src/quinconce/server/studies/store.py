"""Reads and writes studies."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from quinconce.server.storage.schema import STUDIES
from quinconce.server.storage.store import Store


class StudyRow(NamedTuple):
    """A study as it is stored."""

    id: str
    hash: str  # of its secret
    version: int
    content: str  # JSON
    made: float
    changed: float
    used: float


class StudyStore:
    """The studies of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def insert(self, row: StudyRow, most: int) -> bool:
        """Keep a new study; False, and nothing is kept, if there are as many as may be."""

        def work(connection: Connection) -> bool:
            count = connection.execute(select(func.count()).select_from(STUDIES)).scalar_one()
            if count >= most:
                return False
            connection.execute(insert(STUDIES).values(row._asdict()))
            return True

        return await self.store.write(work)

    async def study(self, study: str) -> StudyRow | None:
        """A study, if there is one with this id."""
        rows = await self.store.fetch_all(select(STUDIES).where(STUDIES.c.id == study))
        return StudyRow(*rows[0]) if rows else None

    async def change(self, study: str, version: int, content: str, at: float) -> bool:
        """Write what follows a version; False if that is no longer the last, or the study gone."""
        new = {"content": content, "version": version + 1, "changed": at, "used": at}
        change = update(STUDIES).where(STUDIES.c.id == study, STUDIES.c.version == version)
        return await self.store.write(
            lambda connection: bool(connection.execute(change.values(new)).rowcount)
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
