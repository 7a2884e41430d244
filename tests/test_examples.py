"""The notebooks of `examples/` run from the first cell to the last, and say what their text says.

Their code cells are run one after the other in this process: a Jupyter kernel would add nothing
that these notebooks use.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def code_cells(path: Path) -> list[str]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells), "outputs are made by who runs it"
    return ["".join(cell["source"]) for cell in cells]


def run(path: Path) -> dict[str, Any]:
    """Everything that the cells of a notebook named."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(code_cells(path), start=1):
        exec(compile(source, f"{path.name}, cell {number}", "exec"), names)
    return names


def test_every_notebook_is_run_here() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first-game", "perfect-player", "small-network"]


def test_a_game_from_python() -> None:
    names = run(EXAMPLES / "first-game.ipynb")
    assert names["match"].outcome()


@pytest.mark.slow
def test_a_perfect_player_never_loses_and_keeps_every_value() -> None:
    names = run(EXAMPLES / "perfect-player.ipynb")
    assert not (names["points"] < 0).any()
    assert (names["points"] > 0).sum() > 800
    assert names["by_table"].share == 1
    assert names["first_action"].share < 0.5


@pytest.mark.long
def test_a_small_network_learns_from_labels_and_by_self_play() -> None:
    names = run(EXAMPLES / "small-network.ipynb")
    untrained, taught, played = (names[name] for name in ("untrained", "by_labels", "by_play"))
    assert taught.interval[0] > untrained.interval[1]
    assert played.interval[0] > untrained.interval[1]
    assert taught.illegal == played.illegal == 0
