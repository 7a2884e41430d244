"""The bot: it plays a seat of a match on a server to its end, by any function that chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quinconce.bridges.plain_client import RemoteMatch
from quinconce.core.match import Match


def play_seat(seat: RemoteMatch, choose: Callable[[Match[Any]], str]) -> dict[str, Any]:
    """Play a seat until the match is over; returns how it ended, as the view of the match says."""
    for match in seat.turns(agree_to=["takeback"]):
        seat.play(choose(match))  # if moves were taken back meanwhile, its turn comes again
    return dict(seat.outcome or {})
