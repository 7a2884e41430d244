"""An edition of a game, as a menu shows it to people who have not played it yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quinconce.core.phrase import Phrase


class Edition(NamedTuple):
    """A title, a summary, a sample position and what is known, for a card of the menu."""

    title: Phrase
    sample_moves: str  # moves of a game that lead to a position worth seeing
    minutes: int  # that people usually play
    status: Phrase  # what is known of it, in half a sentence
    options: Mapping[str, str] = {}
    short_title: Phrase = Phrase("")  # without the name of the game, if it has several editions
