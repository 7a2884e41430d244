"""The engine: search, evaluation, levels and analysis, written once for every game.

`analyse(match, …)` yields deepening results; `choose(match, level=…)` is the move of a level;
`proved_value(match)` and `proved_moves(match)` are what needs no search, because it is solved.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from quinconce.engine.levels import LEVELS, Level, levels_of

if TYPE_CHECKING:
    from quinconce.engine.analysis import Analysis, analyse
    from quinconce.engine.move_choice import choose
    from quinconce.engine.preparation import prepare
    from quinconce.engine.principal_variation import Line
    from quinconce.engine.solved import proved_moves, proved_value

__all__ = [
    "LEVELS",
    "Analysis",
    "Level",
    "Line",
    "analyse",
    "choose",
    "levels_of",
    "prepare",
    "proved_moves",
    "proved_value",
]

# Compiled code is slow to load: these come when they are first asked for.
LAZY_MODULES: Final = {
    "Analysis": "analysis",
    "Line": "principal_variation",
    "analyse": "analysis",
    "choose": "move_choice",
    "prepare": "preparation",
    "proved_moves": "solved",
    "proved_value": "solved",
}


def __getattr__(name: str) -> Any:
    """What is loaded late."""
    if name not in LAZY_MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{LAZY_MODULES[name]}"), name)
