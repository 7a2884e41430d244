"""What people type, and the move they mean."""

from __future__ import annotations

from typing import Any

import pytest

import quinconce
from quinconce.core.game import after_moves
from quinconce.core.move_input import parse_typed_move


def typed(text: str, name: str, after: str = "", **options: Any) -> str:
    game = quinconce.game(name, **options)
    return parse_typed_move(game, after_moves(game, game.start(), after.split()), text)


@pytest.mark.parametrize(
    ("text", "meant", "name", "after"),
    [
        ("R@3", "r@3", "diam", ""),
        (" r @ 3 ", "r@3", "diam", ""),
        ("1.1 – 2", "1.1-2", "diam", "r@1 m@3"),
        ("@a", "@A", "diadema", ""),
        ("a-c", "AxC", "diadema", "@A @B"),
        ("A×C", "AxC", "diadema", "@A @B"),
        ("a x c", "AxC", "diadema", "@A @B"),
        ("@d4+b2", "@b2+d4", "seega", ""),
        ("@D4 + B2", "@b2+d4", "seega", ""),
        ("g6-e4", "G6^E4", "buts", ""),
        ("G8-E6", "G8^E6", "buts", ""),
    ],
)
def test_letter_case_spaces_order_and_ends_are_forgiven(
    text: str, meant: str, name: str, after: str
) -> None:
    assert typed(text, name, after) == meant


def test_a_chain_is_meant_by_its_ends() -> None:
    game = quinconce.game("buts")
    position = game.read(
        "..w...../b.w.b.b./.b...b.b/b..w...b/......../w...w.../.w...w.w/........ turn=0"
    )
    assert parse_typed_move(game, position, "g6-a4") == "G6^E4^C4^A2^A4"


MANY_WAYS = "......../b.b.b.b./.b.b.b.b/......../..w...../.w.w..w./.ww..w../......w. turn=0"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("G2^G4^E4", "G2^E2^E4"),
        ("g2 ^ g4 ^ e4", "G2^E2^E4"),
        ("G2^E2^E4^G4^G2^E2^E4", "G2^E2^E4"),  # round by the cell where it began
        ("H7^F7", "H7^F7"),  # no jump: as it was typed, for the rules to tell why
        ("G2^E4", "G2^E4"),
        ("G2^G4^G2", "G2^G4^G2"),
    ],
)
def test_every_way_to_the_same_end_is_the_same_move_in_the_goal_game(text: str, meant: str) -> None:
    game = quinconce.game("buts")
    assert parse_typed_move(game, game.read(MANY_WAYS), text) == meant


@pytest.mark.parametrize(
    ("text", "spelt", "name", "after"),
    [
        ("g2-g8", "G2-G8", "buts", ""),
        ("@a", "@A", "diadema", "@A"),
        ("AXC", "AxC", "diadema", "@A @1"),
        ("R@1", "r@1", "diam", "r@1"),
        ("@b1+a2", "@a2+b1", "seega", "@a1+b1"),
    ],
)
def test_a_refused_move_is_spelt_so_that_the_rules_can_tell_why(
    text: str, spelt: str, name: str, after: str
) -> None:
    assert typed(text, name, after) == spelt


def test_another_mark_is_not_forgiven() -> None:
    """A^C says that one's own ball is jumped: the rules explain that it is the other's."""
    assert typed("A^C", "diadema", "@A @B") == "A^C"


def test_what_could_mean_two_moves_is_refused_with_both() -> None:
    game = quinconce.game("seega", chain="optional")
    position = game.read("...../...bw/...../..w../wb... turn=0 phase=2 duty=0")
    legal = dict(game.moves(position))
    assert {"c2xc1", "c2xc4", "c2xc1xc4", "c2xc4xc1"} <= set(legal)
    with pytest.raises(ValueError, match="could mean c2xc1, c2xc4xc1"):
        parse_typed_move(game, position, "c2-c1")


@pytest.mark.parametrize("text", ["", "-", "@", "+", "x", "A-", "nonsense", "A-B-C", "\x00"])
def test_what_means_nothing_comes_back(text: str) -> None:
    assert typed(text, "diadema") == text
