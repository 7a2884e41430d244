"""The benchmarks that play matches still run, in their smallest form."""

from __future__ import annotations

import random
import sys
from importlib import import_module

import pytest

import quinconce
from benchmarks.sparring import DECIDED, Corner, Ring
from quinconce.engine.weights import weights
from quinconce.kernels.kernel import kernel

SMALLEST = {
    "tenth": ("diam --games 2 --nodes 200", "of 2,"),
    "ladder": ("diam --games 2 --apart 1 --last 2", "diam []: 0"),
    "setups": ("seega --games 2 --nodes 20", "of 2,"),
    "fitting": ("diadema --games 0 --check 2 --nodes 50", "of 2,"),
}


@pytest.mark.parametrize("name", SMALLEST)
def test_matches_between_players_end_with_a_rating(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, told = SMALLEST[name]
    monkeypatch.setattr(sys, "argv", [name, *command.split()])
    import_module(f"benchmarks.{name}").main()
    assert told in capsys.readouterr().out


def test_a_bout_is_played_to_one_of_the_five_results() -> None:
    game = quinconce.game("seega")
    weighing = weights(kernel(game))
    ring = Ring(game, weighing)
    opening = ring.opened(random.Random(1), (12, 12))
    bout = ring.bout(opening, [Corner(game, weighing, 100)] * 2, random.Random(2), noise=0)
    assert abs(bout.result) <= DECIDED
    assert len(bout.states) > 1
