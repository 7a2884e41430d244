"""Reviews of matches that are over: made once, position by position, and kept in the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import version
from typing import Final

from quinconce.core.match import MatchData
from quinconce.engine.warmup import Step
from quinconce.server.matches.engine_dispatch import Engines, form_of_match
from quinconce.server.matches.errors import (
    BusyError,
    EngineFailedError,
    EnginesAwayError,
    MatchNotFoundError,
    NothingToReviewError,
    NotOverError,
    ReviewTooLongError,
    StorageError,
    UnreachableError,
)
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.off_loop import run_slow
from quinconce.server.matches.review_progress import (
    NewReview,
    ReviewProgress,
    ReviewRow,
    ReviewStorage,
    StoredReview,
    lease_name,
    line_digest,
)
from quinconce.server.matches.review_reports import OtherMove, judge_known, judge_other_move
from quinconce.server.matches.thought_jobs import report_slice
from quinconce.study.review import PlyReview

LOG: Final = logging.getLogger("quinconce.server")
ENGINE_VERSION: Final = version("quinconce")
AT_ONCE: Final = 2  # reviews that a server makes; the others wait until one of them is done
RETRY_DELAY: Final = 2.0  # seconds before a position is looked at again
MAX_TRIES: Final = 3
ATTEMPT_KEY: Final = "attempt"  # those who try another move take turns with the reviews

# What engines know of the position of a match after a number of moves, as JSON; and who asks.
PositionReviewer = Callable[[MatchData, int, str], Awaitable[str]]


class Reviews:
    """Makes reviews behind everything that players wait for.

    One that a server has begun is gone on with by the next, or by another on the same database:
    which server makes it is a claim, as with the turns of engines.
    """

    def __init__(
        self,
        live_matches: LiveMatches,
        store: ReviewStorage,
        reviewer: PositionReviewer,
        tell: Callable[[str], None],
    ) -> None:
        self.live_matches = live_matches
        self.store = store
        self.reviewer = reviewer
        self.tell = tell
        self.engine = ENGINE_VERSION
        self.slots = asyncio.Semaphore(AT_ONCE)
        self.tasks: dict[str, asyncio.Task[None]] = {}  # by match
        self.attempts = 0  # moves that are being judged

    # What is asked for.

    async def find(self, live: LiveMatch) -> StoredReview | None:
        """The review of a locked match, as far as it is; NotOverError before the end."""
        new = self._review_of(live)
        found = await self.store.review(live.id)
        return found if found and found.row.line == new.line else None

    async def begin(self, live: LiveMatch, *, again: bool = False) -> StoredReview:
        """Let a locked match be reviewed, unless it has been; `again` by another version."""
        limits, new = self.live_matches.settings.limits, self._review_of(live)
        found = await self.find(live)
        if found and found.row.state != "failed" and not (again and self._is_outdated(found.row)):
            return found
        length = len(live.state.match.moves)
        if not length:
            raise NothingToReviewError
        if length > limits.review_length:
            raise ReviewTooLongError(limits.review_length)
        now = self.live_matches.now()
        found = await self.store.begin(new, now, limits.reviews_waiting)
        self._note(found.row, len(found.reports))
        self.schedule(live.id)
        return found

    def _review_of(self, live: LiveMatch) -> NewReview:
        if not live.state.over:
            raise NotOverError
        data = MatchData.of(live.state.match)
        return NewReview(live.id, line_digest(data), self.engine, position_count(live))

    def _is_outdated(self, row: ReviewRow) -> bool:
        return row.engine != self.engine

    async def judge(self, attempt: OtherMove) -> PlyReview:
        """What a move is worth that somebody would rather have played.

        BusyError if too many wait for that already.
        """
        if judged := await run_slow(judge_known, attempt):
            return judged
        if self.attempts >= self.live_matches.settings.limits.engine_queue:
            raise BusyError
        self.attempts += 1
        try:
            after = await self.reviewer(attempt.data, len(attempt.match.moves), ATTEMPT_KEY)
        finally:
            self.attempts -= 1
        return await run_slow(judge_other_move, attempt, after)

    # How they are made.

    def schedule(self, match: str) -> None:
        """Make a review, unless this server does so already."""
        if match not in self.tasks:
            task = self.tasks[match] = asyncio.create_task(self._make(match))
            task.add_done_callback(lambda _task: self.tasks.pop(match, None))

    async def resume(self) -> None:
        """Go on with reviews that no server makes: the one that did has ended."""
        if self.live_matches.peers.leads:
            for match in await self.store.open_reviews(self.live_matches.now()):
                self.schedule(match)

    async def _make(self, match: str) -> None:
        peers, name = self.live_matches.peers, lease_name(match)
        try:
            async with self.slots:
                if await peers.claim(name, 0):
                    try:
                        await self._look_at_positions(match)
                    finally:
                        peers.release(name)
        except (MatchNotFoundError, StorageError, UnreachableError):
            pass  # it is gone, or it is taken up again when the database is back
        except Exception:
            LOG.exception("the review of match %s failed", match)

    async def _look_at_positions(self, match: str) -> None:
        async with self.live_matches.locked(match) as live:
            state = live.state
            data, over, positions = MatchData.of(state.match), state.over, position_count(live)
        found = await self.store.review(match)
        if found is None or found.row.state != "open":
            return None
        if not over or found.row.line != line_digest(data):
            return await self.store.drop(match)
        if self._is_outdated(found.row):  # by half: what two versions say does not fit together
            new = NewReview(match, found.row.line, self.engine, positions)
            limits = self.live_matches.settings.limits
            found = await self.store.begin(new, self.live_matches.now(), limits.reviews_waiting + 1)
        row, done = found.row, len(found.reports)
        for ply in range(row.positions):
            if ply not in found.reports:
                report = await self._report(data, ply, lease_name(match))
                if report is None:
                    await self.store.fail(row, done, self.live_matches.now())
                    return self._note(row._replace(state="failed"), done)
                stored = await self.store.add_report(row, ply, report, self.live_matches.now())
                if stored is None:
                    return None  # the match has been deleted, or has gone on
                done = stored
                self._note(row._replace(state="done" if done >= row.positions else "open"), done)

    async def _report(self, data: MatchData, ply: int, key: str) -> str | None:
        """What the reviewer says of a position; None if it fails again and again."""
        tries = MAX_TRIES
        while tries:
            try:
                return await self.reviewer(data, ply, key)
            except (BusyError, EnginesAwayError):
                pass  # asked again for as long as it takes
            except EngineFailedError as error:
                tries -= 1
                LOG.warning("a review at ply %s: %s", ply, error)
            except Exception:
                tries -= 1
                LOG.exception("a review at ply %s failed", ply)
            await asyncio.sleep(RETRY_DELAY)
        return None

    def _note(self, row: ReviewRow, done: int) -> None:
        """Tell those who follow the match here how far its review is."""
        if live := self.live_matches.loaded.get(row.match):
            live.review = ReviewProgress(done, row.positions, row.state)
        self.tell(row.match)

    async def close(self) -> None:
        """Make no more; what has been found is stored."""
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def engine_reviewer(
    engines: Engines, report: Callable[[MatchData], str] | None = None
) -> PositionReviewer:
    """A reviewer that asks engines, behind every move that a player waits for."""
    make_slice = partial(whole_report, report) if report else report_slice

    async def review(data: MatchData, ply: int, key: str) -> str:
        position = data._replace(moves=data.moves[:ply])
        step = Step(form_of_match(data), "proofs")
        return await engines.think_whole(make_slice, position, key=key, step=step)

    return review


def whole_report(report: Callable[[MatchData], str], _thought: str, match: MatchData) -> str:
    """The report of a stand-in, which needs one slice."""
    return report(match)


def position_count(live: LiveMatch) -> int:
    """How many positions a review looks at: all, the last included."""
    return len(live.state.match.moves) + 1
