"""How far the engine is with getting ready for a game, in words."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _

NOT_YET_ALL: Final = 0.94  # the largest share that is told: all of it would mean ready


def preparing_phrase(game: Game[Any], share: float) -> Phrase:
    """What is being prepared, and how far it is."""
    if not share:
        return _("The engine is about to be prepared for {game}.", game=game.title)
    return _(
        "Preparing the engine for {game} (first time only): about {n} %",
        game=game.title,
        n=percent(share),
    )


def percent(share: float) -> int:
    """A share in hundredths, rounded to tens: it is an estimate."""
    return 10 * round(10 * min(share, NOT_YET_ALL))
