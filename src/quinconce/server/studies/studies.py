"""The studies of a server: made, read, changed by who has the secret, deleted when unused."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from quinconce.core.phrase import _
from quinconce.server.off_loop import run_slow
from quinconce.server.refusals import (
    StorageError,
    StudyChangedError,
    StudyNotFoundError,
    TokenError,
    TooManyKeptError,
)
from quinconce.server.security.secrets import hash_secret, is_secret, new_match_id, new_secret
from quinconce.server.settings import DAY, Settings
from quinconce.server.storage.schema import STUDIES
from quinconce.server.storage.store import Store
from quinconce.server.studies.study import StudyContent, check_content

LOG: Final = logging.getLogger("quinconce.server")


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


class NewStudy(NamedTuple):
    """A study that was made, and the secret that opens it, told only now."""

    id: str
    secret: str


class Studies:
    """All studies of a server."""

    def __init__(self, store: StudyStore, settings: Settings, now: Callable[[], float]) -> None:
        self.store = store
        self.settings = settings
        self.now = now

    async def create(self, content: StudyContent) -> NewStudy:
        """Keep a new study; TooManyKeptError if there are too many."""
        text = await run_slow(content.moves, self._checked_text, content)
        study, secret, now = new_match_id(), new_secret(), self.now()
        row = StudyRow(study, hash_secret(secret), 1, text, now, now, now)
        if not await self.store.insert(row, self.settings.limits.total_studies):
            raise TooManyKeptError
        return NewStudy(study, secret)

    async def read(self, study: str) -> StudyRow:
        """A study, which counts as used; StudyNotFoundError if there is none."""
        row = await self._row(study)
        now = self.now()
        if now - row.used > DAY:  # so that reading does not write each time
            with suppress(StorageError):  # to show it matters more
                await self.store.note_use(study, now)
        return row

    async def change(self, study: str, secret: str, version: int, content: StudyContent) -> int:
        """Write what follows a version, and return the new one.

        TokenError if the secret is wrong, StudyChangedError if somebody else was first.
        """
        row = await self._row(study)
        check_study_secret(row, secret)
        if row.version != version:
            raise StudyChangedError(row.version)
        text = await run_slow(content.moves, self._checked_text, content)
        if not await self.store.change(study, version, text, self.now()):
            raise StudyChangedError((await self._row(study)).version)
        return version + 1

    async def delete(self, study: str, secret: str) -> None:
        """Delete a study; TokenError if the secret is wrong."""
        check_study_secret(await self._row(study), secret)
        await self.store.delete(study)

    async def delete_unused(self) -> None:
        """Delete the studies that nobody has opened for long."""
        gone = await self.store.delete_unused(self.now() - self.settings.study_expire_after)
        if gone:
            LOG.info("%s studies that nobody has opened have expired", gone)

    async def _row(self, study: str) -> StudyRow:
        row = await self.store.study(study)
        if row is None:
            raise StudyNotFoundError
        return row

    def _checked_text(self, content: StudyContent) -> str:
        return msgspec.json.encode(check_content(content, self.settings.limits)).decode()


def check_study_secret(row: StudyRow, secret: str) -> None:
    """TokenError if this is not the secret of a study."""
    if not is_secret(secret, row.hash):
        raise TokenError(_("this link or token does not open this study"))


def stored_content(row: StudyRow) -> StudyContent:
    """What a stored study says."""
    return msgspec.json.decode(row.content, type=StudyContent)
