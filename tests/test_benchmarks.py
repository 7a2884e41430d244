"""The benchmarks that play matches still run, in their smallest form."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import benchmarks
import quinconce
from benchmarks.fast_matches import BOARD_WIN, FastMatchRunner, FastPlayer
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels.kernel import kernel_for

ROOT = Path(benchmarks.__file__).parents[1]
SMALLEST = {
    "tenth_of_nodes": ("diam --games 2 --nodes 200", "of 2,"),
    "level_ratings": ("diam --games 2 --apart 1 --last 2", "diam []: 0"),
    "placing_strength": ("seega --games 2 --nodes 20", "of 2,"),
    "earlier_engine": (f"{ROOT} diadema --games 2 --nodes 20 --opening 4", "2 matches:"),
    "fit_weights": ("diadema --games 0 --check 2 --nodes 50", "of 2,"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_matches_between_players_end_with_a_rating(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, told = SMALLEST[name]
    monkeypatch.setattr(sys, "argv", [name, *command.split()])
    import_module(f"benchmarks.{name}").main()
    assert told in capsys.readouterr().out


def test_steps_through_a_bridge_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "bridge_steps diadema --rounds 1 --seconds 0.001"
    monkeypatch.setattr(sys, "argv", command.split())
    import_module("benchmarks.bridge_steps").main()
    assert re.search(r"^diadema \| \d+ \|", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.process
def test_steps_of_a_batch_are_counted_as_its_page_says() -> None:
    """In a process that was not told where compiled code is."""
    plain = {name: value for name, value in os.environ.items() if name != "QUINCONCE_HOME"}
    command = [sys.executable, "-m", "benchmarks.batch_steps", "diadema", "--seconds", "0.001"]
    root = Path(benchmarks.__file__).parents[1]
    done = subprocess.run(command, capture_output=True, text=True, env=plain, cwd=root, check=True)
    assert re.fullmatch(r"\| diadema \| [\d.]+ \| [\d.]+ \|\n", done.stdout)


def test_a_fast_match_is_played_to_one_of_the_five_results() -> None:
    game = quinconce.game("seega")
    weighing = evaluation_weights(kernel_for(game))
    runner = FastMatchRunner(game, weighing)
    opening = runner.random_opening(random.Random(1), (12, 12))
    played = runner.play(opening, [FastPlayer(game, weighing, 100)] * 2, random.Random(2), noise=0)
    assert abs(played.result) <= BOARD_WIN
    assert len(played.states) > 1


def test_every_benchmark_that_a_page_names_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.py")]
    named = {
        name
        for page in pages
        for name in re.findall(r"\bbenchmarks[./]([a-z_]+)", page.read_text(encoding="utf-8"))
    }
    assert len(named) >= 8
    assert named <= {module.stem for module in ROOT.glob("benchmarks/*.py")}
