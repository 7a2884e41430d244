"""Fair play: while people play each other, nobody is told what an engine or a proof says of it.

Every question to an engine, a table or a proof says what it is about, and passes here. A match that
people are at is found by the hash of where it stands (`matches/position_hash.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from quinconce.server.matches.live import LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.position_hash import is_guarded
from quinconce.server.refusals import FairPlayError, HintsOffError


class Subject(NamedTuple):
    """What a question is about; without any of these, of nothing that people play."""

    played: OnlineMatch | None = None  # a match, asked about by one of its players
    reviewed: OnlineMatch | None = None  # a match that is over
    match: str | None = None  # the match that a line comes from
    hashes: Sequence[str] = ()  # of the last positions of a line


# The turn of an engine, which is told to nobody; a puzzle, which is everybody's.
NOBODYS_GAME: Final = Subject()


class FairPlay:
    """Refuses what would help somebody in a match that people are at."""

    def __init__(self, live_matches: LiveMatches) -> None:
        self.live_matches = live_matches

    async def check(self, subject: Subject) -> None:
        """HintsOffError or FairPlayError if nobody may be told of this now."""
        if subject.played and not subject.played.hints_allowed:
            raise HintsOffError
        if subject.reviewed and not subject.reviewed.over:
            raise FairPlayError
        if subject.match is not None:
            async with self.live_matches.locked(subject.match) as live:
                if is_guarded(live.state):
                    raise FairPlayError
        if subject.hashes:
            await self.check_line(subject.hashes)

    async def check_line(self, hashes: Sequence[str]) -> None:
        """FairPlayError if people are at a match that stands at one of some positions."""
        if await self.live_matches.store.has_guarded_position(hashes):
            raise FairPlayError
