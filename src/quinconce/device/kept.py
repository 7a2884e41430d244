"""The reviews and studies of a device."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from quinconce.device.store import DeviceMatches, Entries, entry, part_key, split_key
from quinconce.server.matches.protocols import ReviewState
from quinconce.server.refusals import MatchNotFoundError, ReviewQueueError
from quinconce.server.reviews.reports import StoredReview, read_report
from quinconce.server.studies.studies import StudyRooms, StudyRow, stored_content


class KeptReview(Struct, frozen=True):
    """A review as it is kept beside its reports."""

    line: str
    engine: str
    positions: int
    state: ReviewState
    asked: float


class DeviceReviews:
    """The reviews of a device, with one entry for each position that was looked at."""

    def __init__(self, entries: Entries, matches: DeviceMatches) -> None:
        self.entries = entries
        self.matches = matches
        self.kept: dict[str, StoredReview] = {}
        self.asked: dict[str, float] = {}

    async def refresh(self) -> None:
        """Read everything again."""
        kept = await self.entries.load("review", KeptReview)
        reports: dict[str, dict[int, str]] = {}
        for key, report in (await self.entries.load("report", str)).items():
            match, ply = split_key(key)
            if is_report(report):
                reports.setdefault(match, {})[ply] = report
            else:
                self.entries.unreadable += 1
        self.asked = {match: each.asked for match, each in kept.items()}
        self.kept = {
            match: with_reports(match, each, reports.get(match, {})) for match, each in kept.items()
        }

    async def review(self, match: str) -> StoredReview | None:
        """The review of a match with all that has been found, if there is one."""
        return self.kept.get(match) if match in self.matches.kept else None

    async def begin(self, new: StoredReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version."""
        if new.match not in self.matches.kept:
            raise MatchNotFoundError
        found = self.kept.get(new.match)
        if found and (found.line, found.engine) == (new.line, new.engine):
            if found.state == "failed":
                found = await self._write(found._replace(state="open"))
            return found
        others = [each for match, each in self.kept.items() if match != new.match]
        if sum(each.state == "open" for each in others) >= most:
            raise ReviewQueueError
        await self.drop(new.match)
        self.asked[new.match] = at
        return await self._write(new)

    async def _write(self, review: StoredReview, ply: int | None = None) -> StoredReview:
        """Keep a review, and what was found at a position of it."""
        kept = KeptReview(
            review.line, review.engine, review.positions, review.state, self.asked[review.match]
        )
        written = [entry("review", review.match, kept)]
        if ply is not None:
            written.append(entry("report", part_key(review.match, ply), review.reports[ply]))
        await self.entries.write(*written)
        self.kept[review.match] = review
        return review

    async def add_report(
        self, review: StoredReview, ply: int, report: str, _at: float
    ) -> StoredReview | None:
        """Keep what was found at a position; None if the review is no longer wanted."""
        found = await self.review(review.match)
        if found is None or (found.line, found.engine) != (review.line, review.engine):
            return None
        return await self._write(review.with_report(ply, report), ply)

    async def fail(self, review: StoredReview, _at: float) -> StoredReview:
        """Give a review up, until somebody asks for it again."""
        return await self._write(review._replace(state="failed"))

    async def drop(self, match: str) -> None:
        """Delete a review: its match has gone on."""
        found = self.kept.pop(match, None)
        if found is None:
            return
        reports = (("report", part_key(match, ply), None) for ply in found.reports)
        await self.entries.write(("review", match, None), *reports)

    async def open_reviews(self, _now: float) -> list[str]:
        """The matches whose review is under way; the oldest first."""
        waiting = [m for m, each in self.kept.items() if each.state == "open"]
        return sorted(waiting, key=lambda match: (self.asked[match], match))


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
    state = "open" if kept.state == "done" and len(known) < kept.positions else kept.state
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

    async def refresh(self) -> None:
        """Read everything again."""
        self.rows = {}
        for id_, kept in (await self.entries.load("study", KeptStudy)).items():
            try:
                stored_content(kept.row(id_))
            except ValueError:
                self.entries.unreadable += 1
            else:
                self.rows[id_] = kept.row(id_)

    async def _write(self, row: StudyRow) -> None:
        await self.entries.write(entry("study", row.id, kept_study(row)))
        self.rows[row.id] = row

    async def insert(self, row: StudyRow, _rooms: StudyRooms) -> None:
        """Keep a new study."""
        await self._write(row)

    async def study(self, study: str) -> StudyRow | None:
        """A study, if there is one with this id."""
        return self.rows.get(study)

    async def change(self, row: StudyRow, content: str, at: float, _rooms: StudyRooms) -> bool:
        """Write what follows a version; False if that is no longer the last, or the study gone."""
        await self.refresh()  # another tab may have changed it
        known = self.rows.get(row.id)
        if known is None or known.version != row.version:
            return False
        size = len(content.encode())
        await self._write(
            known._replace(
                content=content, version=row.version + 1, changed=at, used=at, bytes=size
            )
        )
        return True

    async def replace_hash(self, study: str, old: str, new: str) -> bool:
        """Let another secret change a study; False if the old one no longer does."""
        known = self.rows.get(study)
        if known is None or known.hash != old:
            return False
        await self._write(known._replace(hash=new))
        return True

    async def note_use(self, study: str, at: float) -> None:
        """Note that somebody has opened a study."""
        if known := self.rows.get(study):
            await self._write(known._replace(used=at))

    async def delete(self, study: str) -> None:
        """Delete a study."""
        await self.entries.write(("study", study, None))
        self.rows.pop(study, None)

    async def delete_unused(self, _before: float) -> int:
        """Nothing expires on a device."""
        return 0
