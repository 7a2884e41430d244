"""Makes the engine ready for a game: loads what it needs and what is proved, makes the search."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.limits import NO_LIMITS, Limits
from quinconce.engine.mcts import TreeSearch
from quinconce.engine.position_search import PositionSearch
from quinconce.engine.problem_setting import hardest_move
from quinconce.engine.solved import endgame_distances, move_oracle, wait_for_endgames
from quinconce.engine.transpositions import fill_table_pool
from quinconce.engine.weakness import Weakness
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import Weights

WARM_UP_LIMITS: Final = Limits(nodes=1000)

preparation_lock: Final = threading.Lock()
prepared_kinds: Final[set[tuple[type, bool]]] = set()
informed_games: Final[set[Game[Any]]] = set()


def search_kind(game: Game[Any]) -> tuple[type, bool]:
    """What is made ready on its own: a kind of state, for two sides or for more."""
    return type(kernel_for(game).encode(game.start())), len(game.sides) > 2


def one_game_per_kind(games: Iterable[Game[Any]]) -> list[Game[Any]]:
    """A game of every kind among these."""
    return list({search_kind(game): game for game in games}.values())


def prepare(game: Game[Any], *, informed: bool = False) -> None:
    """Load what a game needs, once a process, so that no search spends its time on it.

    `informed` loads what is proved of the game, too. Tables of endgames come when they are worked
    out.

    >>> import quinconce
    >>> prepare(quinconce.game("buts"))
    >>> search_kind(quinconce.game("buts")) in prepared_kinds
    True
    """
    kind = search_kind(game)
    _state, many_sides = kind
    with preparation_lock:
        if kind not in prepared_kinds:
            kind_of_search = TreeSearch if many_sides else AlphaBetaSearch
            kind_of_search(Match(game), WARM_UP_LIMITS).warm_up()
            prepared_kinds.add(kind)
    if informed and not many_sides:
        move_oracle(game)
        endgame_distances(game)
        fill_table_pool()
    if informed and game not in informed_games:
        if not many_sides:
            hardest_move(Match(game), random.Random(0))  # its chances are worked out
        informed_games.add(game)


def new_search(
    match: Match[Any],
    limits: Limits = NO_LIMITS,
    *,
    weakness: Weakness | None = None,
    weights: Weights | None = None,
    use_proofs: bool = False,
    contempt: int = 0,
) -> PositionSearch:
    """The kind of search that a game needs, ready to begin.

    A draw between two sides counts `contempt` less for the one to move.

    With `use_proofs` it knows what was proved before it; a position with few pieces waits for its
    table of endgames. The time of the search begins after all this.
    """
    prepare(match.game, informed=use_proofs)
    if len(match.game.sides) > 2:
        return TreeSearch(match, limits, weakness=weakness, weights=weights)
    if use_proofs:
        wait_for_endgames(match)
    return AlphaBetaSearch(
        match,
        limits,
        weakness=weakness,
        weights=weights,
        use_proofs=use_proofs,
        contempt=contempt,
    )
