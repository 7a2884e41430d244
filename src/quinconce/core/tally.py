"""A tally: something that the rules count for a player."""

from __future__ import annotations

from typing import NamedTuple

from quinconce.core.phrase import Phrase


class Tally(NamedTuple):
    """What is counted, by a name for programs; how much; and both in words."""

    what: str  # "reserve", "pieces", "taken"
    n: int
    words: Phrase
