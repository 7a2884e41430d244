"""The moves of a position that is to be searched: scores of what is known without a search."""

from __future__ import annotations

from itertools import pairwise

import pytest

from quinconce.core.value import Value, preference
from quinconce.engine.position_search import oracle_score
from quinconce.engine.solved import MoveValue

VALUES = [
    Value("draw"),
    *(Value(result, plies) for result in ("win", "loss") for plies in range(40)),
]


@pytest.mark.parametrize("certain", [True, False])
def test_scores_are_in_the_order_of_values(certain: bool) -> None:
    ordered = sorted(VALUES, key=preference)
    scores = [oracle_score(MoveValue(value, certain)) for value in ordered]
    assert all(worse < better for worse, better in pairwise(scores))
