"""What the engine has ready for a game: asked without loading Numba or compiling anything.

Until a game is compiled, a process started with `NUMBA_DISABLE_JIT=1` plays it in plain Python. Its
levels below the last play what they play in compiled code, as long as they need no more than
PLAIN_SECONDS; full strength thinks that long, but refuses where something is proved.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase
from quinconce.engine.levels import level_by_number
from quinconce.kernels.code_cache import is_marked_compiled, mark_compiled

INFORMED_MARK: Final = "+proofs"
PLAIN_SECONDS: Final = 3.5  # that a turn takes at most in plain Python; the first depth is finished


class NotCompiledError(ValueError):
    """Plain Python might give a proved value away; the first argument says what to wait for."""


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


def needs_compiled(match: Match[Any], level: int) -> Phrase | None:
    """Why a level does not move in plain Python, where `choose` raises NotCompiledError; or None.

    To be asked in the process without compiled code; elsewhere it loads Numba for the last level.
    """
    if not level_by_number(level).is_full_strength:
        return None
    from quinconce.engine.solved import awaited_proof  # Numba is slow to load

    return awaited_proof(match)
