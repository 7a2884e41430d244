"""What a review costs: how long one takes, and how much later engines answer meanwhile.

One engine process, as a small server has. A match of random moves is reviewed, position after
position, as the server does it; meanwhile an engine of the first level is asked for moves, every
now and then, and its answers are compared with those that it gives while nothing is reviewed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from typing import Any, Final

import click

import quinconce
from quinconce.core.match import Match, MatchData
from quinconce.core.worker_pools import process_pool
from quinconce.server.engines.dispatch import make_engines
from quinconce.server.engines.jobs import EngineQuestion, report_slice
from quinconce.server.engines.source import EngineSource
from quinconce.server.settings import Settings

FORMS: Final[dict[str, dict[str, str]]] = {
    "diadema": {},
    "diam": {},
    "diam edition=1997": {"edition": "1997"},
    "diam players=3": {"players": "3"},
    "diam edition=1997 players=4": {"edition": "1997", "players": "4"},
    "seega": {},
    "seega size=7": {"size": "7"},
    "buts": {},
}
TRIES: Final = 200  # of random matches, until one is long enough
PAUSE: Final = 0.25  # seconds between two questions for a move


def random_match(form: str, plies: int) -> Match[Any]:
    """A match of random moves of about this length, or the longest that was found."""
    rng, longest = random.Random(1), None
    for _try in range(TRIES):
        match = Match(quinconce.game(form.split()[0], **FORMS[form]))
        while len(match.moves) < plies and not match.outcome():
            match.play(rng.choice(sorted(match.legal())))
        if longest is None or len(match.moves) > len(longest.moves):
            longest = match
        if len(longest.moves) == plies:
            break
    assert longest
    return longest


async def review(engines: EngineSource, data: MatchData) -> float:
    """Look at every position of a match; the seconds that it took."""
    started = time.monotonic()
    for ply in range(len(data.moves) + 1):
        position = data._replace(moves=data.moves[:ply])
        await engines.think_whole(report_slice, position)
    return time.monotonic() - started


async def answer_times(engines: EngineSource, data: MatchData, questions: int) -> list[float]:
    """How long an engine takes to move, each time somewhere else in a match, in milliseconds."""
    times = []
    for n in range(questions):
        position = data._replace(moves=data.moves[: n % len(data.moves)])
        await asyncio.sleep(PAUSE * (0.5 + n % 7 / 7))
        asked = time.monotonic()
        await engines.choose_move(EngineQuestion(position, 1, n), key="player")
        times.append(1000 * (time.monotonic() - asked))
    return times


async def delayed_times(engines: EngineSource, data: MatchData, questions: int) -> list[float]:
    """The same while a review is under way all the time."""

    async def review_for_ever() -> None:
        while True:
            await review(engines, data)

    under_way = asyncio.create_task(review_for_ever())
    await asyncio.sleep(PAUSE)
    try:
        return await answer_times(engines, data, questions)
    finally:
        under_way.cancel()
        await asyncio.gather(under_way, return_exceptions=True)


def describe(times: list[float]) -> str:
    """Median and worst of some times."""
    return f"{statistics.median(times):4.0f} ms, at most {max(times):4.0f}"


async def measure(forms: list[str], plies: int, questions: int) -> None:
    """Measure some forms of games, one after the other."""
    engines = make_engines(Settings(workers=1), None, process_pool)
    await engines.start()
    try:
        for form in forms:
            data = MatchData.of(random_match(form, plies))
            await review(engines, data._replace(moves=data.moves[:1]))  # loads what it needs
            await answer_times(engines, data, 2)
            seconds = await review(engines, data)
            alone = await answer_times(engines, data, questions)
            meanwhile = await delayed_times(engines, data, questions)
            click.echo(
                f"{form}: {len(data.moves)} plies in {seconds:.1f} s;"
                f" a move alone {describe(alone)}, meanwhile {describe(meanwhile)}"
            )
    finally:
        await asyncio.sleep(PAUSE)  # the last slice ends
        engines.close()


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*", help=f"of {', '.join(FORMS)}; all by default")
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--questions", type=int, default=30)
    args = parser.parse_args()
    asyncio.run(measure(args.forms or list(FORMS), args.plies, args.questions))


if __name__ == "__main__":
    main()
