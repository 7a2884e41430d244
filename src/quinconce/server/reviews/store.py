"""The store of reviews: which matches are reviewed, and what was found at their positions."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from quinconce.core.match_data import MatchData
from quinconce.server.matches.errors import MatchNotFoundError
from quinconce.server.matches.protocols import ReviewState
from quinconce.server.reviews.errors import ReviewQueueError
from quinconce.server.storage.bulletin import Bulletin, publish
from quinconce.server.storage.schema import LEASES, REVIEW_POSITIONS, REVIEWS
from quinconce.server.storage.store import Store

SELECT_REVIEW: Final = select(
    REVIEWS.c.match, REVIEWS.c.line, REVIEWS.c.engine, REVIEWS.c.positions, REVIEWS.c.state
)
INSERT_REPORT: Final = text(
    'INSERT INTO review_positions ("match", ply, report) VALUES (:match, :ply, :report)'
    ' ON CONFLICT ("match", ply) DO NOTHING'
)


class ReviewStore:
    """Reads and writes reviews; they are deleted with their matches."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def review(self, match: str) -> StoredReview | None:
        """The review of a match with all that has been found, if there is one."""

        def work(connection: Connection) -> StoredReview | None:
            row = find_review(connection, match)
            return row and StoredReview(row, find_reports(connection, match))

        return await self.store.read(work)

    async def begin(self, new: NewReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version.

        One that has failed goes on. ReviewQueueError if as many as may be are under way.
        """

        def work(connection: Connection) -> StoredReview:
            row = find_review(connection, new.match)
            if row and (row.line, row.engine) == (new.line, new.engine):
                if row.state == "failed":
                    set_state(connection, row, "open", at)
                    row = row._replace(state="open")
                return StoredReview(row, find_reports(connection, new.match))
            waiting = select(func.count()).where(REVIEWS.c.state == "open")
            if connection.execute(waiting.where(REVIEWS.c.match != new.match)).scalar_one() >= most:
                raise ReviewQueueError
            drop_review(connection, new.match)
            values = new._asdict() | {"state": "open", "asked": at, "touched": at}
            connection.execute(insert(REVIEWS).values(values))
            return StoredReview(ReviewRow(*new, "open"), {})

        try:
            return await self.store.write(work)
        except IntegrityError:  # another server was faster, or the match is gone
            found = await self.review(new.match)
            if found is None:
                raise MatchNotFoundError from None
            return found

    async def add_report(self, row: ReviewRow, ply: int, report: str, at: float) -> int | None:
        """Store what was found at a position; how many are stored then, all of them end the review.

        None, and nothing stored, if the review is no longer wanted.
        """

        def work(connection: Connection) -> int | None:
            if not set_state(connection, row, "open", at):
                return None
            connection.execute(INSERT_REPORT, {"match": row.match, "ply": ply, "report": report})
            stored = select(func.count()).where(REVIEW_POSITIONS.c.match == row.match)
            done: int = connection.execute(stored).scalar_one()
            state: ReviewState = "done" if done >= row.positions else "open"
            if state == "done":
                set_state(connection, row, state, at)
            self._publish(connection, row, done, state)
            return done

        return await self.store.write(work)

    async def fail(self, row: ReviewRow, done: int, at: float) -> None:
        """Give a review up, until somebody asks for it again."""

        def work(connection: Connection) -> None:
            set_state(connection, row, "failed", at)
            self._publish(connection, row, done, "failed")

        await self.store.write(work)

    async def drop(self, match: str) -> None:
        """Delete a review: its match has gone on."""
        await self.store.write(lambda connection: drop_review(connection, match))

    async def open_reviews(self, now: float) -> list[str]:
        """The matches whose review is under way, and that no server makes; the oldest first."""
        made = select(LEASES.c.name).where(LEASES.c.until >= now)
        query = select(REVIEWS.c.match).where(
            REVIEWS.c.state == "open", (LEASE_PREFIX + REVIEWS.c.match).not_in(made)
        )
        rows = await self.store.fetch_all(query.order_by(REVIEWS.c.asked, REVIEWS.c.match))
        return [row[0] for row in rows]

    def _publish(
        self, connection: Connection, row: ReviewRow, done: int, state: ReviewState
    ) -> None:
        news = Bulletin(
            self.store.process, "review", row.match, done, of=row.positions, state=state
        )
        publish(connection, news)


def find_review(connection: Connection, match: str) -> ReviewRow | None:
    """The review of a match."""
    found = connection.execute(SELECT_REVIEW.where(REVIEWS.c.match == match)).first()
    return found and ReviewRow(*found)


def find_reports(connection: Connection, match: str) -> dict[int, str]:
    """What was found at the positions of a match."""
    columns = REVIEW_POSITIONS.c
    query = select(columns.ply, columns.report).where(columns.match == match)
    rows: Any = connection.execute(query.order_by(columns.ply)).all()
    return dict(rows)


def set_state(connection: Connection, row: ReviewRow, state: ReviewState, at: float) -> bool:
    """Let a review be in a state; False if there is another by now, or none."""
    same = update(REVIEWS).where(
        REVIEWS.c.match == row.match,
        REVIEWS.c.line == row.line,
        REVIEWS.c.engine == row.engine,
        REVIEWS.c.state != "done",
    )
    return bool(connection.execute(same.values(state=state, touched=at)).rowcount)


def drop_review(connection: Connection, match: str) -> None:
    """Delete the review of a match."""
    connection.execute(delete(REVIEW_POSITIONS).where(REVIEW_POSITIONS.c.match == match))
    connection.execute(delete(REVIEWS).where(REVIEWS.c.match == match))


LEASE_PREFIX: Final = "review "  # of the name of the lease of the server that makes a review


class NewReview(NamedTuple):
    """A review to be made: of one line of moves, by one version of the engine."""

    match: str
    line: str  # a digest of the game and its moves
    engine: str
    positions: int  # that are to be looked at


class ReviewRow(NamedTuple):
    """A review as it is stored."""

    match: str
    line: str
    engine: str
    positions: int
    state: ReviewState


class StoredReview(NamedTuple):
    """A review, and what has been found at its positions so far, by ply and as JSON."""

    row: ReviewRow
    reports: Mapping[int, str]


class ReviewStorage(Protocol):
    """Where reviews are kept."""

    async def review(self, match: str) -> StoredReview | None:
        """The review of a match with all that has been found, if there is one."""

    async def begin(self, new: NewReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version."""

    async def add_report(self, row: ReviewRow, ply: int, report: str, at: float) -> int | None:
        """Store what was found at a position; how many are stored then, or None if unwanted."""

    async def fail(self, row: ReviewRow, done: int, at: float) -> None:
        """Give a review up, until somebody asks for it again."""

    async def drop(self, match: str) -> None:
        """Delete a review: its match has gone on."""

    async def open_reviews(self, now: float) -> Sequence[str]:
        """The matches whose review is under way, and that no server makes."""


def lease_name(match: str) -> str:
    """The name of the lease of the server that makes the review of a match."""
    return LEASE_PREFIX + match


def line_digest(data: MatchData) -> str:
    """Tells two lines of moves apart: a match may be taken back after its end, and go on."""
    return hashlib.sha256(repr(data).encode()).hexdigest()
