"""What a person can see of a position: the expected score by searches of a few plies."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.match import Match
from quinconce.engine.limits import Limits
from quinconce.engine.scores import PROVED_THRESHOLD, score_share

SEEN_PLIES: Final = 6  # the deepest of these searches
SEEN_NODES: Final = 40_000  # of all of them together: some have to do with fewer plies


def look_ahead(match: Match[Any]) -> tuple[float, ...]:
    """What the player to move may expect by searches of 1, 2, … plies, which know no proofs.

    As many as the nodes allow. None where the game is over, or has more than two sides.
    """
    if match.outcome() or len(match.game.sides) > 2:
        return ()
    from quinconce.engine.preparation import new_search  # Numba is slow to load

    search = new_search(match, Limits(nodes=SEEN_NODES))
    found: list[float] = []
    while len(found) < SEEN_PLIES and search.deepen(1):
        score = search.root_moves[0].score
        found.append(score_share(match.game, score))
        if abs(score) > PROVED_THRESHOLD:  # more plies do not change that
            found += found[-1:] * (SEEN_PLIES - len(found))
    return tuple(found)
