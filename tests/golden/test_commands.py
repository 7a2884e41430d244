"""What the commands print: positions, games, rules, levels, puzzles and what is known."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from golden.compare import FILES, compare, compare_json
from golden.process import run_all

import quinconce

pytestmark = pytest.mark.process

MIDDLES: dict[str, str] = json.loads((FILES / "positions.json").read_text(encoding="utf-8"))
DOCS = Path(__file__).parents[2] / "docs"
FORMS = [form for form in MIDDLES if not form.startswith("seega") or "replay quiet=40" in form]


def options(form: str) -> list[str]:
    """The arguments that name a form of a game."""
    name, *chosen = form.split()
    return [name, *(f"-o{option}" for option in chosen)]


def digest(text: str) -> str:
    """Stands for something long."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_games_rules_and_levels_are_told_as_before(language: str) -> None:
    names = quinconce.names()
    commands = [["games"], *(["games", name] for name in names), ["levels"]]
    told = run_all([*commands, *(["rules", name] for name in names)], language)
    rules = [f"rules {name}: {digest(text)}\n" for name, text in zip(names, told[-4:], strict=True)]
    compare(f"games.{language}.txt", "".join([*told[:-4], *rules]))


def test_positions_are_told_and_drawn_as_before() -> None:
    asked = [[*options(form), "--position", MIDDLES[form]] for form in FORMS]
    kinds = ["moves", "result", "position", "show", "draw"]
    printed = iter(run_all([[kind, *place] for place in asked for kind in kinds]))
    found: dict[str, Any] = {}
    for form in FORMS:
        moves, result, position, shown, drawn = (next(printed) for _kind in kinds)
        found[form] = {
            "moves": moves.split(),
            "result": json.loads(result),
            "position": position.strip(),
            "show": shown.splitlines(),
            "draw": digest(drawn),
        }
    assert len(found) == 19
    compare_json("places.json", found)


def test_the_result_of_a_finished_match_is_told_as_before() -> None:
    records = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((FILES / "records").glob("*.json"))
    ]
    commands = []
    for record in records:
        form = " ".join([record["game"], *(f"{k}={v}" for k, v in record["options"].items())])
        start = ["--position", record["position"]] if record["position"] else []
        commands.append(["result", *options(form), *start, "--after", " ".join(record["moves"])])
    compare("results.txt", "".join(run_all(commands)))


def test_puzzles_are_the_same() -> None:
    forms = [form for form in MIDDLES if "seega" not in form] + ["seega"]
    forms = [form for form in forms if not form.endswith(("players=3", "players=4"))]
    commands = [
        ["puzzles", *options(form), kind] for form in forms for kind in ("--json", "--list")
    ]
    commands += [["puzzles", *options(form), "--list", "--seed", "7"] for form in forms]
    told = run_all(commands)
    found = {
        " ".join(command[1:]): {
            "lines": len(text.splitlines()),
            "digest": digest(text),
            "beginning": text.splitlines()[:18],
        }
        for command, text in zip(commands, told, strict=True)
    }
    assert all(entry["lines"] for entry in found.values())
    compare_json("puzzles.json", found)


def test_what_is_known_is_written_as_before(tmp_path: Path) -> None:
    """The pages and pictures in the documentation come from the data beside them."""
    shutil.copy(DOCS / "what-is-known.json", tmp_path)
    run_all([["known", "--again", "--output", "."]], folder=tmp_path)
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 3
    for file in files:
        assert (tmp_path / file).read_bytes() == (DOCS / file).read_bytes(), file
