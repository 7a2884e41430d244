"""Texts that somebody sends have a length before a rule or a pattern sees them."""

from __future__ import annotations

from typing import Any

import pytest

import quinconce
from quinconce.core.errors import InvalidMoveError, RecordError
from quinconce.core.game import MAX_MOVE_LENGTH, MAX_POSITION_LENGTH
from quinconce.core.move_input import parse_typed_move
from quinconce.core.variations import MAX_NODES, MAX_NOTE_LENGTH, Variations


class LongText(str):
    """A text of which nothing but its length and its beginning may be looked at."""

    __slots__ = ()

    def split(self, *_arguments: Any) -> list[str]:
        raise AssertionError("it is too long to be split")

    translate = casefold = upper = split  # type: ignore[assignment]


@pytest.mark.parametrize("name", quinconce.names())
def test_a_long_move_never_comes_to_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = quinconce.game(name)
    monkeypatch.setattr(game, "successor", None)
    long = LongText("A1-" * MAX_MOVE_LENGTH)
    assert parse_typed_move(game, game.start(), long) is long
    with pytest.raises(InvalidMoveError):
        game.after(game.start(), long)


@pytest.mark.parametrize("name", quinconce.names())
def test_a_long_position_is_not_split(name: str) -> None:
    with pytest.raises(ValueError, match="is not a position"):
        quinconce.game(name).read(LongText(" " * (MAX_POSITION_LENGTH + 1)))


def test_a_tree_has_so_many_nodes_before_one_is_looked_at() -> None:
    with pytest.raises(RecordError, match="at most"):
        Variations.from_nodes(quinconce.game("diam"), None, [{}] * (MAX_NODES + 1))


def test_a_long_note_and_a_long_word_are_refused_by_their_length() -> None:
    tree = Variations(quinconce.game("diam"))
    with pytest.raises(ValueError, match="at most"):
        tree.root.note = "\ud800" * (MAX_NOTE_LENGTH + 1)
    with pytest.raises(ValueError, match="not the text of a move"):
        tree.add(tree.root, LongText("x" * (MAX_MOVE_LENGTH + 1)))
