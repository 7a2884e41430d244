"""Those who think, as they are asked: here, on a cluster, or in a page."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from quinconce.core.game import Game
from quinconce.core.match import MatchData
from quinconce.engine.levels import Level
from quinconce.engine.slices import AnalysisReport
from quinconce.server.engines.jobs import EngineQuestion

T = TypeVar("T")

# While the cluster is away: everybody waits for it, or processes of this machine help out.
Outage = Literal["waiting", "helped"]


class EngineActivity(NamedTuple):
    """What the engine that somebody waits for is doing."""

    level: Level | None  # at which it thinks of a move; None if that is not what it does
    number: int | None  # of the level
    ahead: int  # how many questions come before


class PoolLoad(NamedTuple):
    """How much a pool has to do."""

    waiting: int  # questions that wait for their turn
    thinking: int  # questions that are thought about
    sessions: int = 0  # searches that go on slice by slice


class EngineSource(Protocol):
    """Answers what is asked of engines, tables and proofs."""

    @property
    def pools(self) -> Sequence[Any]:
        """All that think; each has its `load`."""

    async def choose_move(
        self, question: EngineQuestion, *, hint: bool = False, key: str | None = None
    ) -> str:
        """A move."""

    async def accepts_stop(self, match: MatchData, seat: int, *, key: str | None = None) -> bool:
        """Whether the engine in a seat agrees to stop."""

    async def run(self, do: Callable[..., T], *about: object) -> T:
        """What `do` answers; it goes after the turns of engines."""

    def think(
        self, match: MatchData, *, lines: int = 3, seconds: float | None = None
    ) -> AsyncGenerator[AnalysisReport, None]:
        """Deepening reports of a search session, until a limit or until nothing can change."""

    async def think_whole(self, do: Callable[..., T | None], *about: object) -> T:
        """What `do` answers at last, asked slice by slice with the name of its session."""

    async def expect(self, game: Game[Any]) -> None:
        """Get ready for a game that somebody is about to play."""

    def activity(self, key: str) -> EngineActivity | None:
        """What the engine does that somebody waits for; None if they have asked for nothing."""

    @property
    def outage(self) -> Outage | None:
        """What there is to do until those who think are there again; None if they are there."""

    async def start(self) -> None:
        """Look for those who think."""

    def close(self) -> None:
        """Let all of them go."""
