"""A face of a game: a form of it as people meet it before they have played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quinconce.core.phrase import Phrase as _


class Face(NamedTuple):
    """What a menu shows of a game, or of one of its editions."""

    title: _
    sample: str  # moves of a game that lead to a position worth seeing
    minutes: int  # that people usually play
    known: _  # what is known of it, in half a sentence
    options: Mapping[str, str] = {}
