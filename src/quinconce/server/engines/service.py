"""The one door by which anything is asked of an engine, a table or a proof."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, TypeVar

from quinconce.core.game import Game
from quinconce.core.match import MatchData
from quinconce.engine.slices import AnalysisReport
from quinconce.server.engines.fair_play import FairPlay, Subject
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.engines.source import EngineActivity, EngineSource, Outage, PoolLoad

T = TypeVar("T")


class EngineService:
    """What a server may ask; whatever is told to people passes the check of fair play first."""

    def __init__(self, source: EngineSource, fair_play: FairPlay) -> None:
        self.source = source
        self.fair_play = fair_play

    # What goes to the board.

    async def choose_move(self, question: EngineQuestion, *, key: str) -> str:
        """The move of an engine whose turn it is."""
        return await self.source.choose_move(question, key=key)

    async def accepts_stop(self, match: MatchData, seat: int, *, key: str) -> bool:
        """Whether the engine in a seat agrees to stop."""
        return await self.source.accepts_stop(match, seat, key=key)

    # What is told to people.

    async def hint(self, question: EngineQuestion, subject: Subject, *, key: str) -> str:
        """A good move, after the turns of engines."""
        await self.fair_play.check(subject)
        return await self.source.choose_move(question, hint=True, key=key)

    async def run(self, do: Callable[..., T], *about: object, subject: Subject) -> T:
        """What `do` answers; it goes after the turns of engines."""
        await self.fair_play.check(subject)
        return await self.source.run(do, *about)

    async def think(
        self, match: MatchData, subject: Subject, *, lines: int, seconds: float
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports, in slices behind all that players wait for."""
        await self.fair_play.check(subject)
        found = self.source.think(match, lines=lines, seconds=seconds)
        async with aclosing(found):
            async for report in found:
                yield report

    async def run_sliced(
        self, do: Callable[..., T | None], match: MatchData, *, subject: Subject
    ) -> T:
        """What `do` answers at last of a match, asked slice by slice."""
        await self.fair_play.check(subject)
        return await self.source.think_whole(do, match)

    # What happens there.

    async def expect(self, game: Game[Any]) -> None:
        """Get ready for a game that somebody is about to play."""
        await self.source.expect(game)

    def activity(self, key: str) -> EngineActivity | None:
        """What the engine does that somebody waits for; None if they have asked for nothing."""
        return self.source.activity(key)

    @property
    def outage(self) -> Outage | None:
        """What there is to do until those who think are there again; None if they are there."""
        return self.source.outage

    @property
    def loads(self) -> list[PoolLoad]:
        """How much all who think have to do."""
        return [pool.load for pool in self.source.pools]
