"""The studies of a server: made, read, changed by who has the secret, deleted when unused."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import msgspec

from quinconce.core.phrase import _
from quinconce.server.off_loop import run_slow
from quinconce.server.refusals import (
    StorageError,
    StudyChangedError,
    StudyNotFoundError,
    TokenError,
)
from quinconce.server.security.rate_limits import address_hash, people_at
from quinconce.server.security.secrets import hash_secret, is_secret, new_match_id, new_secret
from quinconce.server.settings import DAY, Settings
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
    origin: str | None = None  # the hash of the address it came from; None if it is an old one
    bytes: int = 0  # of its content


class Room(NamedTuple):
    """How many studies are kept, or may be, and how many bytes they have together."""

    studies: int
    bytes: int

    def holds(self, kept: Room, more: Room) -> bool:
        """Whether there is room for more beside what is kept."""
        return kept.studies + more.studies <= self.studies and kept.bytes + more.bytes <= self.bytes


class StudyRooms(NamedTuple):
    """The room of one address and of all together, and which studies make room for others.

    Those that were made before a moment give way if nobody has opened or changed them since.
    """

    own: Room
    total: Room
    give_way_before: float


class StudyStorage(Protocol):
    """Reads and writes studies."""

    async def insert(self, row: StudyRow, rooms: StudyRooms) -> None:
        """Keep a new study; StudyShareError or TooManyKeptError if there is no room for it."""

    async def study(self, study: str) -> StudyRow | None:
        """A study, if there is one with this id."""

    async def change(self, row: StudyRow, content: str, at: float, rooms: StudyRooms) -> bool:
        """Write what follows a version; False if that is no longer the last, or the study gone."""

    async def replace_hash(self, study: str, old: str, new: str) -> bool:
        """Let another secret change a study; False if the old one no longer does."""

    async def note_use(self, study: str, at: float) -> None:
        """Note that somebody has opened a study."""

    async def delete(self, study: str) -> None:
        """Delete a study."""

    async def delete_unused(self, before: float) -> int:
        """Delete the studies that nobody has used since; returns how many they were."""


class NewStudy(NamedTuple):
    """A study that was made, and the secret that opens it, told only now."""

    id: str
    secret: str


class Studies:
    """All studies of a server."""

    def __init__(self, store: StudyStorage, settings: Settings, now: Callable[[], float]) -> None:
        self.store = store
        self.settings = settings
        self.now = now

    async def create(self, content: StudyContent, address: str) -> NewStudy:
        """Keep a new study; StudyShareError or TooManyKeptError if there are too many."""
        text = await run_slow(content.moves, self._checked_text, content)
        study, secret, now = new_match_id(), new_secret(), self.now()
        origin, size = address_hash("studies", address), len(text.encode())
        row = StudyRow(study, hash_secret(secret), 1, text, now, now, now, origin, size)
        await self.store.insert(row, self._rooms(address))
        return NewStudy(study, secret)

    async def read(self, study: str) -> StudyRow:
        """A study, which counts as used; StudyNotFoundError if there is none."""
        row = await self._row(study)
        now = self.now()
        if now - row.used > DAY:  # so that reading does not write each time
            with suppress(StorageError):  # to show it matters more
                await self.store.note_use(study, now)
        return row

    async def change(
        self, study: str, secret: str, version: int, content: StudyContent, address: str
    ) -> int:
        """Write what follows a version, and return the new one: the same if it is sent again.

        TokenError if the secret is wrong, StudyChangedError if somebody else was first;
        StudyShareError or TooManyKeptError if it grows and there is no room.
        """
        row = await self._row(study)
        check_study_secret(row, secret)
        if version not in (row.version, row.version - 1):
            raise StudyChangedError(row.version)
        text = await run_slow(content.moves, self._checked_text, content)
        if row.version == version:
            if await self.store.change(row, text, self.now(), self._rooms(address)):
                return version + 1
            row = await self._row(study)
        if (row.version, row.content) != (version + 1, text):
            raise StudyChangedError(row.version)
        return row.version  # it is stored, and only the answer was lost

    async def replace_secret(self, study: str, secret: str, new: str) -> None:
        """Let a new secret change a study, and the one before no longer; TokenError if it is wrong.

        Sent again because its answer was lost, it says that it is done.
        """
        row = await self._row(study)
        if is_secret(new, row.hash):
            return
        check_study_secret(row, secret)
        if not await self.store.replace_hash(study, row.hash, hash_secret(new)):
            check_study_secret(await self._row(study), new)

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

    def _rooms(self, address: str) -> StudyRooms:
        limits, people = self.settings.limits, people_at(address)
        return StudyRooms(
            Room(limits.studies_per_address * people, limits.study_bytes_per_address * people),
            Room(limits.total_studies, limits.total_study_bytes),
            self.now() - DAY,  # to a day, a study says when it was opened
        )

    def _checked_text(self, content: StudyContent) -> str:
        return msgspec.json.encode(check_content(content, self.settings.limits)).decode()


def check_study_secret(row: StudyRow, secret: str) -> None:
    """TokenError if this is not the secret of a study."""
    if not is_secret(secret, row.hash):
        raise TokenError(_("this link or token does not open this study"))


def stored_content(row: StudyRow) -> StudyContent:
    """What a stored study says."""
    return msgspec.json.decode(row.content, type=StudyContent)
