"""What the engine has ready for a game: asked without loading Numba or compiling anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.kernels.code_cache import is_marked_compiled, mark_compiled

INFORMED_MARK: Final = "+proofs"


def preparation_name(game: Game[Any], informed: bool) -> str:
    """What the mark of a form of a game is called."""
    return game.form_id + (INFORMED_MARK if informed else "")


def mark_prepared(games: Iterable[Game[Any]], *, informed: bool = False) -> None:
    """Note that `prepare` has compiled what these games need."""
    for game in games:
        mark_compiled(preparation_name(game, informed))


def is_compiled(game: Game[Any], *, informed: bool = False) -> bool:
    """Whether the code that a game needs lies in the cache for the sources of today.

    Then `prepare` loads it in a second or two; else it compiles for much longer. `informed` asks
    for the code, too, that loads what is proved of this form of the game.
    """
    return is_marked_compiled(preparation_name(game, informed))
