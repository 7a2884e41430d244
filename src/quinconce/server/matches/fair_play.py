"""Fair play: while people play each other, nobody is told what an engine or a proof says of it."""

from __future__ import annotations

from quinconce.server.matches.errors import FairPlayError
from quinconce.server.matches.live import LiveMatches
from quinconce.server.matches.online_match import OnlineMatch


def is_guarded(state: OnlineMatch) -> bool:
    """Whether people are at a match who have not all agreed to hints."""
    return not (state.over or state.hints_allowed)


async def check_fair_play(live_matches: LiveMatches, match: str) -> None:
    """FairPlayError if people are at a match; MatchNotFoundError if there is none."""
    async with live_matches.locked(match) as live:
        if is_guarded(live.state):
            raise FairPlayError
