"""Whether the engine agrees to stop, when somebody offers it."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.match import Match
from quinconce.engine.analysis import analyse

OFFER_NODES: Final = 20_000  # nodes before it answers


def accepts_offer(match: Match[Any], seat: int) -> bool:
    """Whether a seat is content with what stopping here gives it, rather than to play on."""
    game = match.game
    stopped = game.jammed(match.position, "agreement")
    if stopped.winners:
        return seat in stopped.winners
    *_earlier, last = analyse(match, nodes=OFFER_NODES)
    own = game.side(seat) == game.side(match.seat)
    score = last.lines[0].score
    return (score if own else -score) <= 0
