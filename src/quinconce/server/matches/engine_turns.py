"""The turns of engines: they are asked when it is theirs, and enter by the same door as people."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.matches import events
from quinconce.server.matches.engine_pool import Engines, Question
from quinconce.server.matches.live import Live, Room
from quinconce.server.matches.online_match import Course
from quinconce.server.matches.seats import LEVELS

LOG: Final = logging.getLogger("quinconce.server")
PAUSE: Final = 5.0  # seconds before an engine that failed is asked again
TRIES: Final = 5


class Turns:
    """Sees to it that an engine to move is asked."""

    def __init__(self, live: Live, engines: Engines) -> None:
        self.live = live
        self.engines = engines
        self.tasks: set[asyncio.Task[None]] = set()
        self.warm: set[tuple[object, ...]] = set()  # the forms of games whose engine was asked

    def wake(self, room: Room) -> None:
        """Ask the engine, if it is to answer or to move and was not asked since the last event."""
        course = room.course
        level, seat = course.engine_to_move, course.turn
        if not self.engines.available or room.asking == course.seq or room.stale:
            return
        if answers := course.answers_of_engines:
            room.asking = course.seq
            self._begin(
                self._answer(room.id, course.seq, min(answers), asked(room.id, course, LEVELS[-1]))
            )
        elif level is not None and seat is not None:
            if len(course.match.moves) < self.live.settings.limits.length:
                room.asking = course.seq
                question = asked(room.id, course, level)
                self._begin(self._play(room.id, course.seq, seat, question))
        elif len(course.people) < len(course.seats) and seat is not None:
            form = (course.game.name, *course.game.chosen.items())
            if form not in self.warm:
                self.warm.add(form)
                self._begin(self._warm(asked(room.id, course, LEVELS[0])))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _warm(self, question: Question) -> None:
        """The first time, an engine has to be compiled: while a person thinks is a good time."""
        try:
            await self.engines.choose(question, hint=True)
        except Exception:
            LOG.info("the engine could not be warmed up", exc_info=True)

    async def _answer(self, match: str, seq: int, seat: int, question: Question) -> None:
        """Agree to stop or not; nobody waits for ever, so that an engine that fails does not."""
        act: events.Agree | events.Refuse = events.Refuse("stop")
        try:
            if await self.engines.would_stop(question, seat):
                act = events.Agree("stop")
        except Exception:
            LOG.warning("the engine of match %s could not consider an offer", match, exc_info=True)
        with suppress(RefusalError):  # the match has gone on without it
            await self.live.enter(match, seat, act, seq)
            self.live.announce(match)

    async def _play(self, match: str, seq: int, seat: int, question: Question) -> None:
        tries = TRIES
        while tries:
            try:
                move = await self.engines.choose(question)
                await self.live.enter(match, seat, events.Move(move), seq)
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
            await asyncio.sleep(PAUSE)
        if room := self.live.rooms.get(match):
            room.asking = None  # whoever looks at the match next wakes it again

    async def hint(self, match: str, seats: frozenset[int]) -> str:
        """A good move for the seat to move, if hints are given and it is one's own."""
        limit = self.live.settings.limits.hints
        async with self.live.entered(match) as room:
            course = room.course
            if course.turn not in seats:
                raise RefusalError(409, "turn", _("it is not your turn"))
            if not course.hints:
                raise RefusalError(
                    403, "hints", _("hints are off between people, unless all agree")
                )
            if room.hints >= limit:
                raise RefusalError(429, "hints", _("this match has had {n} hints: enough", n=limit))
            room.hints += 1
            question = asked(match, course, LEVELS[-1])
        return await self.engines.choose(question, hint=True)

    async def close(self) -> None:
        """No engine plays any more."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.engines.close()


def asked(match: str, course: Course, level: int) -> Question:
    """The question to an engine; asked again after a restart, its chance is the same."""
    moves = tuple(course.match.moves)
    chance = hashlib.sha256(f"{match} {len(moves)}".encode()).digest()
    setup = course.setup
    return Question(
        setup.game,
        dict(setup.options),
        setup.position,
        moves,
        level,
        int.from_bytes(chance[:4], "big"),
    )
