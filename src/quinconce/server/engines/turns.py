"""The turns of engines: an engine to move is asked, and submits its move as a person does."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from quinconce.core.errors import NoHostError
from quinconce.core.game import Game
from quinconce.core.match import MatchData
from quinconce.engine.levels import LEVEL_NUMBERS
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.jobs import EngineQuestion
from quinconce.server.engines.service import EngineService
from quinconce.server.matches import events
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import Glance
from quinconce.server.refusals import (
    BusyError,
    EngineFailedError,
    MatchNotFoundError,
    NotYourTurnError,
    RefusalError,
    StaleError,
    StorageError,
    TooLongError,
    TooManyHintsError,
    UnreachableError,
)

LOG: Final = logging.getLogger("quinconce.server")
RETRY_DELAY: Final = 5.0  # seconds before an engine that failed is asked again
MAX_TRIES: Final = 5
# The match has gone on without the engine: who did that wakes it again.
GONE_ON: Final = (MatchNotFoundError, StaleError, NotYourTurnError, TooLongError)


class EngineTurns:
    """Sees to it that an engine to move is asked."""

    def __init__(self, live_matches: LiveMatches, engines: EngineService) -> None:
        self.live_matches = live_matches
        self.engines = engines
        self.tasks: set[asyncio.Task[None]] = set()
        self.expected: set[Game[Any]] = set()  # that people have played against engines here

    def schedule(self, live: LiveMatch) -> None:
        """Ask the engine, if it is to answer or to move and was not asked since the last event."""
        state = live.state
        level, seat = state.engine_level_to_move, state.turn
        if live.engine_asked_seq == state.seq:
            return
        if state.rematch:
            live.engine_asked_seq = state.seq
            self._start_task(self._begin_rematch(state.rematch))
        elif answers := state.engines_to_answer:
            live.engine_asked_seq = state.seq
            self._start_task(
                self._answer_offer(live.id, state.seq, min(answers), MatchData.of(state.match))
            )
        elif level is not None and seat is not None:
            if len(state.match.moves) < self.live_matches.settings.limits.match_length:
                live.engine_asked_seq = state.seq
                question = turn_question(live.id, state, level)
                self._start_task(self._play_move(live.id, state.seq, seat, question))
        elif self._is_first_turn(state):
            self.expected.add(state.game)
            self.expect(state.game)

    def _is_first_turn(self, state: OnlineMatch) -> bool:
        """Whether somebody plays a game against an engine, which nobody has done here before."""
        with_engine = len(state.human_seats) < len(state.seats)
        return with_engine and state.turn is not None and state.game not in self.expected

    async def _begin_rematch(self, match: str) -> None:
        """Ask the engine that begins a rematch, of which nobody may have heard yet."""
        with suppress(RefusalError):
            async with self.live_matches.locked(match) as live:
                self.schedule(live)

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def expect(self, game: Game[Any]) -> None:
        """Let the engine get ready: somebody is about to play a game."""
        self._start_task(self._get_ready(game))

    async def _get_ready(self, game: Game[Any]) -> None:
        """What is proved has to be loaded: while a person thinks is a good time."""
        try:
            await self.engines.expect(game)
        except Exception:
            LOG.info("the engine could not be made ready", exc_info=True)

    async def _answer_offer(self, match: str, seq: int, seat: int, data: MatchData) -> None:
        """Agree to stop or not; an engine that fails refuses, so that nobody waits for ever."""
        async with self._claim(match, seq) as mine:
            if mine:
                await self._consider_offer(match, seq, seat, data)

    @asynccontextmanager
    async def _claim(self, match: str, seq: int) -> AsyncIterator[bool]:
        """Whether this server is to ask the engine, and no other meanwhile."""
        peers = self.live_matches.peers
        try:
            mine = await peers.claim(match, seq)
        except StorageError:
            mine = False
        try:
            yield mine
        finally:
            peers.release(match)
            if not mine and (live := self.live_matches.loaded.get(match)):
                live.engine_asked_seq = None  # another server asks; should it die, this one may

    async def _consider_offer(self, match: str, seq: int, seat: int, data: MatchData) -> None:
        act: events.Agree | events.Refuse = events.Refuse("stop")
        try:
            if await self.engines.accepts_stop(data, seat, key=match):
                act = events.Agree("stop")
        except Exception:
            LOG.warning("the engine of match %s could not consider an offer", match, exc_info=True)
        with suppress(RefusalError):  # the match has gone on without it
            await self.live_matches.submit(match, seat, act, seq)
            self.live_matches.announce(match)

    async def _play_move(self, match: str, seq: int, seat: int, question: EngineQuestion) -> None:
        async with self._claim(match, seq) as mine:
            if mine:
                await self._ask_until_played(match, seq, seat, question)

    async def _ask_until_played(
        self, match: str, seq: int, seat: int, question: EngineQuestion
    ) -> None:
        tries = MAX_TRIES
        while tries:
            try:
                move = await self.engines.choose_move(question, key=match)
                await self.live_matches.submit(match, seat, events.Move(move), seq)
            except GONE_ON:
                return
            except (BusyError, StorageError, UnreachableError):
                pass  # asked again for as long as it takes
            except (EngineFailedError, NoHostError) as error:
                tries -= 1
                LOG.warning("the engine of match %s: %s", match, error)
            except Exception:
                tries -= 1
                LOG.exception("the engine of match %s failed", match)
            else:
                self.live_matches.announce(match)
                return
            await asyncio.sleep(RETRY_DELAY)
        if live := self.live_matches.loaded.get(match):
            live.engine_asked_seq = None  # the next look at the match wakes it again

    async def hint(self, match: str, known: Glance, seats: frozenset[int]) -> str:
        """A good move for the seat to move, if hints are given and it is one of `seats`."""
        limit = self.live_matches.settings.limits.hints_per_match
        async with self.live_matches.current(match, known) as live:
            state = live.state
            if state.turn not in seats:
                raise NotYourTurnError
        subject = Subject(played=state, line=Line.of(state.match))
        await self.engines.fair_play.check(subject)  # before it is counted
        if not await self.live_matches.store.count_hint(match, limit):
            raise TooManyHintsError(limit)
        question = turn_question(match, state, LEVEL_NUMBERS[-1])
        return await self.engines.hint(question, subject, key=hint_key(match))

    async def close(self) -> None:
        """Stop all engines."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.to_thread(self.engines.source.close)


def hint_key(match: str) -> str:
    """Who waits for a hint in a match."""
    return f"{match} hint"


def turn_question(match: str, state: OnlineMatch, level: int) -> EngineQuestion:
    """The question to an engine; asked again after a restart, its chance is the same."""
    chance = hashlib.sha256(f"{match} {len(state.match.moves)}".encode()).digest()
    return EngineQuestion(MatchData.of(state.match), level, int.from_bytes(chance[:4], "big"))
