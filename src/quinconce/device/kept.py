"""The reviews and studies of a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from quinconce.device.store import (
    NO_ROOM,
    DeviceMatches,
    Entries,
    Entry,
    Kept,
    entry,
    part_key,
    split_key,
    subject,
)
from quinconce.server.matches.protocols import ReviewState
from quinconce.server.refusals import MatchNotFoundError, ReviewQueueError, StorageError
from quinconce.server.reviews.reports import StoredReview, read_report
from quinconce.server.studies.studies import StudyRooms, StudyRow, stored_content


class KeptReview(Struct, frozen=True):
    """A review as it is kept beside its reports."""

    line: str
    engine: str
    positions: int
    state: ReviewState
    asked: float
    done: int = 0  # positions that were looked at: each report makes it another entry


class DeviceReviews:
    """The reviews of a device, with one entry for each position that was looked at."""

    def __init__(self, entries: Entries, matches: DeviceMatches) -> None:
        self.entries = entries
        self.matches = matches
        self.kept: dict[str, StoredReview] = {}
        self.asked: dict[str, float] = {}
        entries.readers.append(self._read)

    def _read(self, found: Kept) -> None:
        """Take up what the store holds."""
        kept = self.entries.decode(found, "review", KeptReview)
        reports: dict[str, dict[int, str]] = {}
        for key, report in self.entries.decode(found, "report", str).items():
            match, ply = split_key(key)
            if is_report(report):
                reports.setdefault(match, {})[ply] = report
            else:
                self.entries.pass_over("report", key)
        self.asked = {match: each.asked for match, each in kept.items()}
        self.kept = {
            match: with_reports(match, each, reports.get(match, {})) for match, each in kept.items()
        }

    async def review(self, match: str) -> StoredReview | None:
        """The review of a match with all that has been found, if there is one."""
        return self.kept.get(match) if match in self.matches.kept else None

    async def begin(self, new: StoredReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version."""
        while True:
            found = self.kept.get(new.match)
            gone: list[Entry] = []
            if found and is_same(found, new):
                if found.state != "failed":
                    return found
                new = found._replace(state="open")
            else:
                others = [each for match, each in self.kept.items() if match != new.match]
                if sum(each.state == "open" for each in others) >= most:
                    raise ReviewQueueError
                self.asked[new.match] = at
                gone = [
                    (kind, key, None)
                    for kind, key in self.entries.known
                    if kind == "report" and split_key(key)[0] == new.match
                ]
            if await self._write(new, *gone):
                return new

    async def _write(self, review: StoredReview, *reports: Entry) -> bool:
        """Write a review and reports of it; False if another tab has written one of them.

        MatchNotFoundError if the match is gone.
        """
        kept = KeptReview(
            review.line,
            review.engine,
            review.positions,
            review.state,
            self.asked[review.match],
            len(review.reports),
        )
        match = self.entries.known.get(("match", review.match))
        if match is None:
            raise MatchNotFoundError
        # The match is written as it is: if another tab has deleted it, nothing is.
        done = await self.entries.put(
            ("match", review.match, match), entry("review", review.match, kept), *reports
        )
        if done:
            self.kept[review.match] = review
        return done

    async def _change(
        self,
        review: StoredReview,
        change: Callable[[StoredReview], StoredReview],
        *reports: Entry,
    ) -> StoredReview | None:
        """Change a review from what it is by now; None if it is no longer wanted."""
        while (found := await self.review(review.match)) and is_same(found, review):
            after = change(found)
            if after == found or await self._write(after, *reports):
                return after
        return None

    async def add_report(
        self, review: StoredReview, ply: int, report: str, _at: float
    ) -> StoredReview | None:
        """Keep what was found at a position; None if the review is no longer wanted."""
        return await self._change(
            review,
            lambda found: found if ply in found.reports else found.with_report(ply, report),
            entry("report", part_key(review.match, ply), report),
        )

    async def fail(self, review: StoredReview, _at: float) -> StoredReview:
        """Give a review up, until somebody asks for it again; what another tab has ended stays."""
        failed = await self._change(
            review, lambda found: found if found.state == "done" else found._replace(state="failed")
        )
        return failed or review._replace(state="failed")

    async def drop(self, match: str) -> None:
        """Delete a review: its match has gone on."""
        await self.entries.delete(
            lambda kind, key: kind in ("review", "report") and subject(kind, key)[1] == match
        )
        self.kept.pop(match, None)

    async def open_reviews(self, _now: float) -> list[str]:
        """The matches whose review is under way, if they are whole; the oldest first."""
        waiting = [
            match
            for match, each in self.kept.items()
            if each.state == "open" and self.matches.is_whole(match)
        ]
        return sorted(waiting, key=lambda match: (self.asked[match], match))


def is_same(one: StoredReview, other: StoredReview) -> bool:
    """Whether two reviews of a match are of the same line by the same version."""
    return (one.line, one.engine) == (other.line, other.engine)


def is_report(text: str) -> bool:
    """Whether this is the report of a position."""
    try:
        read_report(text)
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return True


def with_reports(match: str, kept: KeptReview, reports: dict[int, str]) -> StoredReview:
    """A review with what was found; what is missing is looked for again."""
    known = {ply: report for ply, report in reports.items() if 0 <= ply < kept.positions}
    state: ReviewState = "done" if len(known) >= kept.positions else "open"
    if kept.state == "failed":
        state = kept.state
    return StoredReview(match, kept.line, kept.engine, kept.positions, state, known)


class KeptStudy(Struct, frozen=True):
    """A study as it is kept."""

    hash: str
    version: int
    content: str
    made: float
    changed: float
    used: float

    def row(self, id_: str) -> StudyRow:
        """The study as answers know it."""
        return StudyRow(id_, **asdict(self), bytes=len(self.content.encode()))


def kept_study(row: StudyRow) -> KeptStudy:
    """A study as it is kept."""
    return KeptStudy(row.hash, row.version, row.content, row.made, row.changed, row.used)


class DeviceStudies:
    """The studies of a device."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.rows: dict[str, StudyRow] = {}
        entries.readers.append(self._read)

    def _read(self, found: Kept) -> None:
        """Take up what the store holds."""
        self.rows = {}
        for id_, kept in self.entries.decode(found, "study", KeptStudy).items():
            try:
                stored_content(kept.row(id_))
            except ValueError:
                self.entries.pass_over("study", id_)
            else:
                self.rows[id_] = kept.row(id_)

    async def _write(self, row: StudyRow) -> bool:
        """Keep a study; False if another tab has written it."""
        done = await self.entries.put(entry("study", row.id, kept_study(row)))
        if done:
            self.rows[row.id] = row
        return done

    async def _change(
        self, study: str, is_meant: Callable[[StudyRow], bool], **changes: Any
    ) -> bool:
        """Change a study from what it is by now; False if that is not what is meant."""
        while (row := self.rows.get(study)) and is_meant(row):
            if await self._write(row._replace(**changes)):
                return True
        return False

    async def insert(self, row: StudyRow, _rooms: StudyRooms) -> None:
        """Keep a new study."""
        if not await self._write(row):
            raise StorageError(NO_ROOM)  # there is one of this name: it cannot be

    async def study(self, study: str) -> StudyRow | None:
        """A study, if there is one with this id."""
        if study not in self.rows:
            self.entries.check_read()
        return self.rows.get(study)

    async def change(self, row: StudyRow, content: str, at: float, _rooms: StudyRooms) -> bool:
        """Write what follows a version; False if that is no longer the last, or the study gone."""
        return await self._change(
            row.id,
            lambda found: (found.version, found.hash) == (row.version, row.hash),
            content=content,
            version=row.version + 1,
            changed=at,
            used=at,
            bytes=len(content.encode()),
        )

    async def replace_hash(self, study: str, old: str, new: str) -> bool:
        """Let another secret change a study; False if the old one no longer does."""
        return await self._change(study, lambda found: found.hash == old, hash=new)

    async def note_use(self, study: str, at: float) -> None:
        """Note that somebody has opened a study."""
        await self._change(study, lambda found: found.used < at, used=at)

    async def delete(self, study: str) -> None:
        """Delete a study, what cannot be read of it too."""
        await self.entries.delete(lambda *place: subject(*place) == ("study", study))
        self.rows.pop(study, None)

    async def delete_unused(self, _before: float) -> int:
        """Nothing expires on a device."""
        return 0
