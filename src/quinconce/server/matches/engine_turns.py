"""The turns of engines: they are asked when it is theirs, and enter by the same door as people."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from quinconce.core.phrase import _
from quinconce.server.errors import RefusalError
from quinconce.server.matches import events
from quinconce.server.matches.engine_jobs import EngineQuestion
from quinconce.server.matches.engine_pool import EnginePool
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.seats import ENGINE_LEVELS

LOG: Final = logging.getLogger("quinconce.server")
RETRY_DELAY: Final = 5.0  # seconds before an engine that failed is asked again
MAX_TRIES: Final = 5


class EngineTurns:
    """Sees to it that an engine to move is asked."""

    def __init__(self, live: LiveMatches, engines: EnginePool) -> None:
        self.live = live
        self.engines = engines
        self.tasks: set[asyncio.Task[None]] = set()
        self.warmed_up: set[tuple[object, ...]] = set()  # the forms of games whose engine was asked

    def schedule(self, room: LiveMatch) -> None:
        """Ask the engine, if it is to answer or to move and was not asked since the last event."""
        course = room.state
        level, seat = course.engine_level_to_move, course.turn
        if not self.engines.available or room.engine_asked_seq == course.seq or room.stale:
            return
        if answers := course.engines_to_answer:
            room.engine_asked_seq = course.seq
            self._start_task(
                self._answer_offer(
                    room.id,
                    course.seq,
                    min(answers),
                    turn_question(room.id, course, ENGINE_LEVELS[-1]),
                )
            )
        elif level is not None and seat is not None:
            if len(course.match.moves) < self.live.settings.limits.match_length:
                room.engine_asked_seq = course.seq
                question = turn_question(room.id, course, level)
                self._start_task(self._play_move(room.id, course.seq, seat, question))
        elif len(course.human_seats) < len(course.seats) and seat is not None:
            form = (course.game.name, *course.game.chosen.items())
            if form not in self.warmed_up:
                self.warmed_up.add(form)
                self._start_task(self._warm_up(turn_question(room.id, course, ENGINE_LEVELS[0])))

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _warm_up(self, question: EngineQuestion) -> None:
        """The first time, an engine has to be compiled: while a person thinks is a good time."""
        try:
            await self.engines.choose_move(question, hint=True)
        except Exception:
            LOG.info("the engine could not be warmed up", exc_info=True)

    async def _answer_offer(
        self, match: str, seq: int, seat: int, question: EngineQuestion
    ) -> None:
        """Agree to stop or not; nobody waits for ever, so that an engine that fails does not."""
        act: events.Agree | events.Refuse = events.Refuse("stop")
        try:
            if await self.engines.accepts_stop(question, seat):
                act = events.Agree("stop")
        except Exception:
            LOG.warning("the engine of match %s could not consider an offer", match, exc_info=True)
        with suppress(RefusalError):  # the match has gone on without it
            await self.live.submit(match, seat, act, seq)
            self.live.announce(match)

    async def _play_move(self, match: str, seq: int, seat: int, question: EngineQuestion) -> None:
        tries = MAX_TRIES
        while tries:
            try:
                move = await self.engines.choose_move(question)
                await self.live.submit(match, seat, events.Move(move), seq)
            except RefusalError as refusal:
                if refusal.status in (404, 409, 413):
                    return  # the match has gone on without it: whoever did that wakes the engine
                if refusal.status != 429:
                    tries -= 1
                    LOG.warning("the engine of match %s: %s", match, refusal)
            except Exception:
                tries -= 1
                LOG.exception("the engine of match %s failed", match)
            else:
                self.live.announce(match)
                return
            await asyncio.sleep(RETRY_DELAY)
        if room := self.live.loaded.get(match):
            room.engine_asked_seq = None  # whoever looks at the match next wakes it again

    async def hint(self, match: str, seats: frozenset[int]) -> str:
        """A good move for the seat to move, if hints are given and it is one's own."""
        limit = self.live.settings.limits.hints_per_match
        async with self.live.locked(match) as room:
            course = room.state
            if course.turn not in seats:
                raise RefusalError(409, "turn", _("it is not your turn"))
            if not course.hints_allowed:
                raise RefusalError(
                    403, "hints", _("hints are off between people, unless all agree")
                )
            if room.hints_given >= limit:
                raise RefusalError(429, "hints", _("this match has had {n} hints: enough", n=limit))
            room.hints_given += 1
            question = turn_question(match, course, ENGINE_LEVELS[-1])
        return await self.engines.choose_move(question, hint=True)

    async def close(self) -> None:
        """No engine plays any more."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.engines.close()


def turn_question(match: str, course: OnlineMatch, level: int) -> EngineQuestion:
    """The question to an engine; asked again after a restart, its chance is the same."""
    moves = tuple(course.match.moves)
    chance = hashlib.sha256(f"{match} {len(moves)}".encode()).digest()
    setup = course.setup
    return EngineQuestion(
        setup.game,
        dict(setup.options),
        setup.position,
        moves,
        level,
        int.from_bytes(chance[:4], "big"),
    )
