"""Remarks for one who plays alone against engines: each is looked for once, and off the loop."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from quinconce.core.match import MatchData
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.jobs import FoundRemark, find_remark
from quinconce.server.engines.service import EngineService
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import Glance
from quinconce.server.off_loop import forget_error


class AskedRemark(NamedTuple):
    """The remark of a match that was asked for last, and its answer, which may be under way."""

    seq: int
    seat: int
    task: asyncio.Task[FoundRemark | None]


class SeatRemark(NamedTuple):
    """What a seat is told after the event `seq`, if anything."""

    seq: int
    found: FoundRemark | None


class Remarks:
    """Looks for remarks behind the turns of engines.

    Asked again about the same event, it gives the same answer: only a new event makes new work.
    """

    def __init__(self, live_matches: LiveMatches, engines: EngineService) -> None:
        self.live_matches = live_matches
        self.engines = engines
        self.asked: dict[str, AskedRemark] = {}  # by match; those in memory only

    async def remark(self, match: str, known: Glance, seat: int) -> SeatRemark:
        """What a seat is told now; HintsOffError where people play against each other."""
        async with self.live_matches.locked(match, known) as live:
            self.engines.fair_play.check_hints(live.state)
            asked = self._ask(live, seat)
        try:
            return SeatRemark(asked.seq, await asyncio.shield(asked.task))
        except Exception:
            if self.asked.get(match) is asked:
                del self.asked[match]  # the next one who asks may be luckier
            raise

    def _ask(self, live: LiveMatch, seat: int) -> AskedRemark:
        asked = self.asked.get(live.id)
        if asked is None or (asked.seq, asked.seat) != (live.state.seq, seat):
            loaded = self.live_matches.loaded
            self.asked = {id_: each for id_, each in self.asked.items() if id_ in loaded}
            task = asyncio.create_task(self._find(live.state, seat))
            task.add_done_callback(forget_error)
            asked = self.asked[live.id] = AskedRemark(live.state.seq, seat, task)
        return asked

    async def _find(self, state: OnlineMatch, seat: int) -> FoundRemark | None:
        match = state.match
        if state.over and state.game.outcome(match.position) is None:
            return None  # somebody resigned, or what looks back has ended it
        subject = Subject(played=state, line=Line.of(match))
        return await self.engines.run(find_remark, MatchData.of(match), seat, subject=subject)

    async def close(self) -> None:
        """Look for nothing any more."""
        tasks = [asked.task for asked in self.asked.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
