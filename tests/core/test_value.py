"""Values: what a number stands for, whose value it is, and which is the better one."""

from __future__ import annotations

import random

import pytest

from quinconce.core.value import Value, best_move, preference

BEST_FIRST = [
    Value("win"),
    Value("win", 1),
    Value("win", 3),
    Value("draw"),
    Value("loss", 8),
    Value("loss", 2),
    Value("loss"),
]


def test_values_are_ordered_by_result_then_by_plies() -> None:
    shuffled = random.Random(0).sample(BEST_FIRST, len(BEST_FIRST))
    assert sorted(shuffled, key=preference, reverse=True) == BEST_FIRST


def test_no_two_of_these_values_are_equally_good() -> None:
    assert len({preference(value) for value in BEST_FIRST}) == len(BEST_FIRST)


@pytest.mark.parametrize("n", range(len(BEST_FIRST) - 1))
def test_the_better_move_is_the_best(n: int) -> None:
    better, worse = BEST_FIRST[n : n + 2]
    assert best_move({"a": worse, "b": better}) == "b"
    assert best_move({"a": better, "b": worse}) == "a"


def test_of_equal_moves_the_first_by_its_text_is_the_best() -> None:
    assert best_move({"c": Value("win", 3), "b": Value("win", 3), "a": Value("win", 5)}) == "b"


@pytest.mark.parametrize(
    ("distance", "value"),
    [
        (0, Value("draw")),
        (1, Value("win", 0)),
        (14, Value("win", 13)),
        (-1, Value("loss", 0)),
        (-5, Value("loss", 4)),
    ],
)
def test_a_number_in_a_table_stands_for_a_value(distance: int, value: Value) -> None:
    assert Value.from_distance(distance) == value
    assert Value.from_distance(-distance) == value.opposite()


def test_the_value_of_a_move_is_that_of_the_position_one_ply_earlier() -> None:
    assert Value("loss", 4).one_ply_earlier() == Value("win", 5)
    assert Value("win", 0).one_ply_earlier() == Value("loss", 1)
    assert Value("draw").one_ply_earlier() == Value("draw")
    assert Value("win").one_ply_earlier() == Value("loss")
