"""Long thoughts, as analyses and reviews ask for them: slices, one after the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import TypeVar

from quinconce.core.match import MatchData
from quinconce.core.worker_pools import POOL_ATTEMPTS
from quinconce.engine.slices import AnalysisReport, end_after
from quinconce.server.matches.engine_pool import EnginePool, ThoughtLostError
from quinconce.server.matches.errors import EngineFailedError
from quinconce.server.matches.thought_jobs import ThoughtQuestion

T = TypeVar("T")


async def long_thought(
    pool: EnginePool,
    match: MatchData,
    key: str,
    lines: int,
    nodes: int | None,
    seconds: float | None,
) -> AsyncGenerator[AnalysisReport, None]:
    """Deepening reports until a limit is reached, nothing can change, or the reader leaves.

    A thought that was lost with its process begins again, and tells nothing until it is as deep as
    before. EngineFailedError if that happens again and again.
    """
    thought = pool.begin_thought(key)
    question = ThoughtQuestion(thought.id, match, lines, nodes)
    last: AnalysisReport | None = None
    failures = 0
    try:
        while last is None or not last.done:
            try:
                found = end_after(await pool.run_slice(thought, pool.slicer, question), seconds)
            except ThoughtLostError:
                failures += 1
                if failures == POOL_ATTEMPTS:
                    raise EngineFailedError from None
                continue
            failures = 0
            if last is None or found.done or is_news(found, last):
                last = found
                yield found
    finally:
        pool.end_thought(thought)


def is_news(found: AnalysisReport, last: AnalysisReport) -> bool:
    """Whether a report says more than the last one; one that has begun again may say less."""
    return bool(found.lines) and (
        not last.lines
        or found.depth > last.depth
        or (found.depth == last.depth and found.lines != last.lines)
    )


async def whole_thought(
    pool: EnginePool, do: Callable[..., T | None], *about: object, key: str
) -> T:
    """What `do` answers at last, asked slice by slice with the name of the thought.

    It begins again if its process dies; EngineFailedError if that happens again and again.
    """
    thought = pool.begin_thought(key)
    failures = 0
    try:
        while failures < POOL_ATTEMPTS:
            try:
                found = await pool.run_slice(thought, do, thought.id, *about)
            except ThoughtLostError:
                failures += 1
            else:
                if found is not None:
                    return found
        raise EngineFailedError
    finally:
        pool.end_thought(thought)
