"""The bot: it plays a seat of a match on a server to its end, by any function that chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quinconce.bridges.plain_client import RemoteMatch
from quinconce.core.match import Match


def play_seat(seat: RemoteMatch, choose: Callable[[Match[Any]], str]) -> dict[str, Any]:
    """Play a seat until the match is over; returns how it ended, as the view of the match says.

    >>> from quinconce.client import Client, play_seat
    >>> with Client(server) as client:
    ...     made = client.make("diadema", ["friend", "engine:1"])
    ...     seat = client.join(made.links[0], "Bot")
    ...     outcome = play_seat(seat, lambda match: min(match.legal()))
    >>> seat.match.outcome().reason == outcome["reason"]
    True
    """
    for match in seat.turns(agree_to=["takeback"]):
        seat.play(choose(match))  # if moves were taken back meanwhile, its turn comes again
    return dict(seat.outcome or {})
