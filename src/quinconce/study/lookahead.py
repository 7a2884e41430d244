"""What a person can see of a position: the expected score by searches of a few plies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.limits import Limits
from quinconce.engine.scores import PROVED_THRESHOLD, score_share

SEEN_PLIES: Final = 6  # the deepest of these searches
SEEN_NODES: Final = 40_000  # of all of them together: some have to do with fewer plies
SEEN_LIMITS: Final = Limits(nodes=SEEN_NODES)


def look_ahead(match: Match[Any]) -> tuple[float, ...]:
    """What the player to move may expect by searches of 1, 2, … plies, which know no proofs.

    As many as the nodes allow. None where the game is over, or has more than two sides.
    """
    if match.outcome() or len(match.game.sides) > 2:
        return ()
    from quinconce.engine.preparation import new_search  # compiled code is slow to load

    search = new_search(match, SEEN_LIMITS)
    found: list[int] = []
    while len(found) < SEEN_PLIES and search.deepen(1):
        found.append(search.root_moves[0].score)
        if abs(found[-1]) > PROVED_THRESHOLD:
            break
    return seen_shares(match.game, found)


def seen_shares(game: Game[Any], scores: Sequence[int]) -> tuple[float, ...]:
    """The expected scores of searches of 1, 2, … plies; more plies do not change a proof."""
    found = [score_share(game, score) for score in scores[:SEEN_PLIES]]
    if scores and abs(scores[-1]) > PROVED_THRESHOLD:
        found += found[-1:] * (SEEN_PLIES - len(found))
    return tuple(found)
