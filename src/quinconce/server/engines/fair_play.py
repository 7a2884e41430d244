"""Fair play: while people play each other, nobody is told what an engine or a proof says of it.

Every question to an engine, a table or a proof says what it is about, and passes here. A match that
people are at is found by where it stands (`matches/guarded_positions.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from quinconce.server.matches.guarded_positions import Line, guarded_form, is_guarded, is_near
from quinconce.server.matches.live import LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.off_loop import ASKER, asked_by, run_slow
from quinconce.server.refusals import FairPlayError, HintsOffError


class Subject(NamedTuple):
    """What a question is about; without any of these, of nothing that people play."""

    played: OnlineMatch | None = None  # a match, asked about by one of its players
    reviewed: OnlineMatch | None = None  # a match that is over
    match: str | None = None  # the match that a line comes from
    line: Line | None = None  # the positions of which something is told


class FairPlay:
    """Refuses what would help somebody in a match that people are at."""

    def __init__(self, live_matches: LiveMatches) -> None:
        self.live_matches = live_matches

    async def check(self, subject: Subject) -> None:
        """HintsOffError or FairPlayError if nobody may be told of this now.

        No lock of a match may be held: it may take a while.
        """
        if subject.played:
            self.check_hints(subject.played)
        if subject.reviewed and not subject.reviewed.over:
            raise FairPlayError
        if subject.match is not None:
            async with self.live_matches.locked(subject.match) as live:
                if is_guarded(live.state):
                    raise FairPlayError
        if subject.line:
            await self.check_line(subject.line)

    def check_hints(self, state: OnlineMatch) -> None:
        """HintsOffError if the players of a match are given no hints."""
        if not state.hints_allowed:
            raise HintsOffError

    async def check_line(self, line: Line) -> None:
        """FairPlayError if people are at a match that stands where a line tells of."""
        guarded = await self.live_matches.store.guarded_positions(guarded_form(line.game))
        if guarded:
            # Whoever has asked first may be gone, and others wait for the same answer.
            with asked_by(ASKER.get()._replace(receive=None)):
                if await run_slow(len(line.positions), is_near, line, guarded):
                    raise FairPlayError
