"""Reviews of matches that are over: made once, position by position, and kept in the store."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final

from quinconce.core.match import MatchData
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.jobs import report_findings, report_slice
from quinconce.server.engines.service import EngineService
from quinconce.server.engines.shares import MAX_FULL_ADDRESSES, FairSlots
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.off_loop import ASKER, NOBODY, Asker, asked_by, run_brief
from quinconce.server.refusals import (
    AddressReviewsError,
    BusyError,
    EngineFailedError,
    EnginesAwayError,
    FairPlayError,
    MatchNotFoundError,
    NothingToReviewError,
    NotOverError,
    ReviewTooLongError,
    StorageError,
    UnreachableError,
)
from quinconce.server.reviews.reports import (
    OtherMove,
    ReviewStorage,
    StoredReview,
    judge_known,
    judge_other_move,
    lease_name,
    line_digest,
)
from quinconce.study.review import METHOD, PlyReview

LOG: Final = logging.getLogger("quinconce.server")
# What a review is made by: a new way to judge makes those of before old, as a new engine does.
ENGINE_VERSION: Final = f"{version('quinconce')}+review{METHOD}"
AT_ONCE: Final = 2  # reviews that a server makes; the others wait until one of them is done
RETRY_DELAY: Final = 2.0  # seconds before a position is looked at again
MAX_TRIES: Final = 3

# A slice of the search for the report of a position, by the name of its session; then the report.
ReportSlicer = Callable[[str, MatchData], str | None]


class Reviews:
    """Makes reviews behind everything that players wait for.

    One that a server has begun is gone on with by the next, or by another on the same database:
    which server makes it is a claim, as with the turns of engines.
    """

    def __init__(
        self,
        live_matches: LiveMatches,
        store: ReviewStorage,
        engines: EngineService,
        tell: Callable[[str], None],
        slicer: ReportSlicer = report_slice,
    ) -> None:
        self.live_matches = live_matches
        self.store = store
        self.engines = engines
        self.tell = tell
        self.slicer = slicer
        self.engine = ENGINE_VERSION
        self.slots = FairSlots(AT_ONCE)
        self.tasks: dict[str, asyncio.Task[None]] = {}  # by match
        self.askers: dict[str, Asker] = {}  # who has asked for a review that is to be made
        self.attempts: Counter[str] = Counter()  # moves that are being judged, by address

    # What is asked for.

    async def check(self, state: OnlineMatch) -> None:
        """FairPlayError if a match that is over went through one that people are at."""
        if state.over:
            subject = Subject(reviewed=state, line=Line.of(state.match, 0))
            await self.engines.fair_play.check(subject)

    async def find(self, live: LiveMatch) -> StoredReview | None:
        """The review of a locked match, as far as it is; NotOverError before the end."""
        new = self._review_of(live)
        found = await self.store.review(live.id)
        return found if found and found.line == new.line else None

    async def begin(self, live: LiveMatch, *, again: bool = False) -> StoredReview:
        """Let a locked match be reviewed, unless it has been; `again` by another version."""
        limits, new = self.live_matches.settings.limits, self._review_of(live)
        found = await self.find(live)
        if found and found.state != "failed" and not (again and self._is_outdated(found)):
            return found
        length = len(live.state.match.moves)
        if not length:
            raise NothingToReviewError
        if length > limits.review_length:
            raise ReviewTooLongError(limits.review_length)
        with self._ask(live.id, ASKER.get()._replace(receive=None)):
            found = await self.store.begin(new, self.live_matches.now(), limits.reviews_waiting)
            self._note(found)
            self.schedule(live.id)
        return found

    @contextmanager
    def _ask(self, match: str, asker: Asker) -> Iterator[None]:
        """Count a review with those of its asker, until it is made or cannot be begun.

        AddressReviewsError if their address has had its part.
        """
        limits = self.live_matches.settings.limits
        part = min(limits.reviews_per_address * asker.people, max(1, limits.reviews_waiting // 2))
        own = [m for m, other in self.askers.items() if other.address == asker.address]
        if match not in own and len(own) >= part:
            raise AddressReviewsError
        self.askers[match] = asker
        try:
            yield
        finally:
            if match not in self.tasks:
                self.askers.pop(match, None)

    def _review_of(self, live: LiveMatch) -> StoredReview:
        """The review that a match should have; all its positions count, the last included."""
        if not live.state.over:
            raise NotOverError
        data = MatchData.of(live.state.match)
        return StoredReview(live.id, line_digest(data), self.engine, len(data.moves) + 1)

    def _is_outdated(self, review: StoredReview) -> bool:
        return review.engine != self.engine

    async def judge(self, state: OnlineMatch, attempt: OtherMove) -> PlyReview:
        """What a move is worth that somebody would rather have played in a match.

        BusyError if too many wait for that already; FairPlayError if people are at it.
        """
        subject = Subject(reviewed=state, line=Line.of(attempt.match))
        await self.engines.fair_play.check(subject)
        if judged := await run_brief(judge_known, attempt):
            return judged
        address, limit = ASKER.get().address, self.live_matches.settings.limits.engine_queue
        if self.attempts[address] >= limit or self.attempts.total() >= MAX_FULL_ADDRESSES * limit:
            raise BusyError
        self.attempts[address] += 1
        try:
            after = await self._report_findings(attempt, subject)
            after = after or await self._look_at(attempt.data, subject)
        finally:
            self.attempts -= Counter((address,))
        return await run_brief(judge_other_move, attempt, after)

    async def _report_findings(self, attempt: OtherMove, subject: Subject) -> str | None:
        """The report of a page's own search; None without one, or if proofs know more."""
        if attempt.searched is None:
            return None
        run = self.engines.run
        return await run(report_findings, attempt.data, attempt.searched, subject=subject)

    # How they are made.

    def schedule(self, match: str) -> None:
        """Make a review, unless this server does so already."""
        if match not in self.tasks:
            with asked_by(self.askers.get(match, NOBODY)):
                task = self.tasks[match] = asyncio.create_task(self._make(match))
            task.add_done_callback(lambda _task: self._end(match))

    def _end(self, match: str) -> None:
        self.tasks.pop(match, None)
        self.askers.pop(match, None)

    async def resume(self) -> None:
        """Go on with reviews that no server makes: the one that did has ended."""
        if self.live_matches.peers.leads:
            for match in await self.store.open_reviews(self.live_matches.now()):
                self.schedule(match)

    async def _make(self, match: str) -> None:
        peers, name = self.live_matches.peers, lease_name(match)
        try:
            async with self.slots.hold(ASKER.get()):
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
        found = await self.store.review(match)
        if found is None or found.state != "open":
            return None
        data = MatchData.of(state.match)
        if not state.over or found.line != line_digest(data):
            return await self.store.drop(match)
        if self._is_outdated(found):  # by half: what two versions say does not fit together
            new = found._replace(engine=self.engine, reports={})
            limits = self.live_matches.settings.limits
            found = await self.store.begin(new, self.live_matches.now(), limits.reviews_waiting + 1)
        for ply in range(found.positions):
            if ply not in found.reports:
                report = await self._report(state, data._replace(moves=data.moves[:ply]))
                now = self.live_matches.now()
                if report is None:
                    return self._note(await self.store.fail(found, now))
                stored = await self.store.add_report(found, ply, report, now)
                if stored is None:
                    return None  # the match has been deleted, or has gone on
                found = stored
                self._note(found)

    async def _report(self, state: OnlineMatch, position: MatchData) -> str | None:
        """What an engine finds at a position; None if it fails again and again."""
        tries, ply = MAX_TRIES, len(position.moves)
        subject = Subject(reviewed=state, line=Line.between(state.match, ply, ply))
        while tries:
            try:
                return await self._look_at(position, subject)
            except FairPlayError:
                return None  # whoever asks again when those people have gone on gets it
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

    async def _look_at(self, position: MatchData, subject: Subject) -> str:
        """The report of a position as JSON, behind every move that a player waits for."""
        return await self.engines.run_sliced(self.slicer, position, subject=subject)

    def _note(self, review: StoredReview) -> None:
        """Tell those who follow the match here how far its review is."""
        if live := self.live_matches.loaded.get(review.match):
            live.review = review.progress
        self.tell(review.match)

    async def close(self) -> None:
        """Make no more; what has been found is stored."""
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
