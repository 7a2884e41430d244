"""The store of reviews: which matches are reviewed, and what was found at their positions."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from quinconce.server.refusals import MatchNotFoundError, ReviewQueueError
from quinconce.server.reviews.reports import LEASE_PREFIX, StoredReview
from quinconce.server.storage.schema import LEASES, REVIEW_POSITIONS, REVIEWS
from quinconce.server.storage.store import Bulletin, Store, publish

SELECT_REVIEW: Final = select(
    REVIEWS.c.match, REVIEWS.c.line, REVIEWS.c.engine, REVIEWS.c.positions, REVIEWS.c.state
)
SELECT_REPORTS: Final = select(REVIEW_POSITIONS.c.ply, REVIEW_POSITIONS.c.report)
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
        return await self.store.read(lambda connection: find_review(connection, match))

    async def begin(self, new: StoredReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version.

        One that has failed goes on. ReviewQueueError if as many as may be are under way.
        """

        def work(connection: Connection) -> StoredReview:
            found = find_review(connection, new.match)
            if found and (found.line, found.engine) == (new.line, new.engine):
                if found.state == "failed":
                    found = found._replace(state="open")
                    write_state(connection, found, at)
                return found
            waiting = select(func.count()).where(REVIEWS.c.state == "open")
            if connection.execute(waiting.where(REVIEWS.c.match != new.match)).scalar_one() >= most:
                raise ReviewQueueError
            drop_review(connection, new.match)
            values = new._asdict() | {"asked": at, "touched": at}
            del values["reports"]
            connection.execute(insert(REVIEWS).values(values))
            return new

        try:
            return await self.store.write(work)
        except IntegrityError:  # another server was faster, or the match is gone
            found = await self.review(new.match)
            if found is None:
                raise MatchNotFoundError from None
            return found

    async def add_report(
        self, review: StoredReview, ply: int, report: str, at: float
    ) -> StoredReview | None:
        """Store what was found at a position; the last one ends the review.

        None, and nothing stored, if the review is no longer wanted.
        """
        after = review.with_report(ply, report)

        def work(connection: Connection) -> StoredReview | None:
            if not write_state(connection, after, at):
                return None
            connection.execute(INSERT_REPORT, {"match": review.match, "ply": ply, "report": report})
            self._publish(connection, after)
            return after

        return await self.store.write(work)

    async def fail(self, review: StoredReview, at: float) -> StoredReview:
        """Give a review up, until somebody asks for it again."""
        after = review._replace(state="failed")

        def work(connection: Connection) -> None:
            write_state(connection, after, at)
            self._publish(connection, after)

        await self.store.write(work)
        return after

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

    def _publish(self, connection: Connection, review: StoredReview) -> None:
        done, of, state = review.progress
        news = Bulletin(self.store.process, "review", review.match, done, of=of, state=state)
        publish(connection, news)


def find_review(connection: Connection, match: str) -> StoredReview | None:
    """The review of a match."""
    found = connection.execute(SELECT_REVIEW.where(REVIEWS.c.match == match)).first()
    if found is None:
        return None
    query = SELECT_REPORTS.where(REVIEW_POSITIONS.c.match == match)
    reports: Any = connection.execute(query.order_by(REVIEW_POSITIONS.c.ply)).all()
    return StoredReview(*found, dict(reports))


def write_state(connection: Connection, review: StoredReview, at: float) -> bool:
    """Write the state of a review; False if there is another by now, or none."""
    same = update(REVIEWS).where(
        REVIEWS.c.match == review.match,
        REVIEWS.c.line == review.line,
        REVIEWS.c.engine == review.engine,
        REVIEWS.c.state != "done",
    )
    return bool(connection.execute(same.values(state=review.state, touched=at)).rowcount)


def drop_review(connection: Connection, match: str) -> None:
    """Delete the review of a match, with what was found."""
    connection.execute(delete(REVIEWS).where(REVIEWS.c.match == match))
