"""A voice says what it is given, and nothing of its own."""

from __future__ import annotations

import pytest

from quinconce.core.phrase import Phrase
from quinconce.server.views.cards import cards
from quinconce.words import LANGUAGES, Voice


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_as_nothing(language: str) -> None:
    """The catalogue keeps its header under the empty text."""
    assert Voice(language)(Phrase("")) == ""
    titles = [edition.short_title for card in cards(language) for edition in card.editions]
    assert not any("\n" in title for title in titles)
    assert "" in titles
