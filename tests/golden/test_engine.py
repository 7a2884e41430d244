"""The engine and the kernels: same moves, same scores, same nodes, same counts, same weights."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from golden.compare import FILES, WRITE, compare_json
from golden.process import run_all

import quinconce
from quinconce import Game, Match
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels.kernel import kernel_for

NODES = "2000"
LARGE = re.compile(r"size=[79]")
POSITIONS = FILES / "positions.json"  # for every form of every game, one in the middle of a match


def form_id(game: Game[Any]) -> str:
    """A game with its options, as one types them."""
    return " ".join([game.name, *(f"{name}={value}" for name, value in game.chosen.items())])


def middle(game: Game[Any]) -> str:
    """A position in the middle of a match of chance, nine plies after the last that only places.

    It is not decided with the next move, and has too many pieces for tables of endgames.
    """
    match, chance = Match(game), random.Random(form_id(game))
    first = 0
    while len(match.moves) < first + 9:
        quiet = [text for text, after in sorted(match.legal().items()) if is_open(game, after)]
        match.play(chance.choice(quiet))
        if getattr(match.position, "phase", 2) == 1:
            first = len(match.moves)
    return game.write(match.position)


def is_open(game: Game[Any], position: Any) -> bool:
    """Whether a position is not decided, nor with the next move."""
    if getattr(position, "phase", 2) == 1:
        return True
    if game.outcome(position):
        return False
    return not any(game.outcome(after) for _text, after in game.moves(position))


def write_positions() -> None:
    """Write the golden positions, unless they are there."""
    from quinconce.core.registry import game_forms

    if not POSITIONS.exists():
        every = [form for name in quinconce.names() for form in game_forms(name)]
        compare_json(POSITIONS.name, {form_id(game): middle(game) for game in every})


if WRITE:
    write_positions()
MIDDLES: dict[str, str] = json.loads(POSITIONS.read_text(encoding="utf-8"))


def options(form: str) -> list[str]:
    """The arguments that name a form of a game."""
    name, *chosen = form.split()
    return [name, *(f"-o{option}" for option in chosen)]


def places() -> list[tuple[str, list[str]]]:
    """A position in the middle of every form, and the start; what it is called, how it is named.

    On large boards all forms start alike, and slowly: one of them is enough.
    """
    starts = [(form, options(form)) for form in MIDDLES if not LARGE.search(form)]
    starts += [(form, options(form)) for form in ("seega size=7", "seega size=9")]
    return starts + [
        (f"{form}: {position}", [*options(form), "--position", position])
        for form, position in MIDDLES.items()
    ]


def test_there_is_a_position_for_every_form() -> None:
    assert len(MIDDLES) == 55
    assert {form.split()[0] for form in MIDDLES} == set(quinconce.names())


@pytest.mark.process
def test_analyses_are_the_same_node_by_node() -> None:
    """Without times; how deep it went, what it found there and after how many nodes."""
    limits = ["--nodes", NODES, "--threads", "1", "--memory", "1", "--json"]
    told = run_all([["analyse", *place, *limits] for _name, place in places()])
    found: dict[str, Any] = {}
    for (name, _place), printed in zip(places(), told, strict=True):
        lines = [json.loads(line) for line in printed.splitlines()]
        assert lines
        found[name] = [
            f"depth {line['depth']} nodes {line['nodes']} score {line['score']} "
            f"{line['value']} {line['plies']} line {' '.join(line['line'])}"
            for line in lines
        ]
    compare_json("analyses.json", found)


@pytest.mark.process
def test_several_lines_keep_their_fields() -> None:
    forms = ["buts", "diam edition=1997 players=2", "diam edition=2003 players=3"]
    asked = ["--depth", "2", "--lines", "3", "--json"]
    told = run_all([["analyse", *options(form), *asked] for form in forms])
    found = [json.loads(text.splitlines()[-1]) for text in told]
    for line in found:
        assert line.pop("seconds") >= 0
    compare_json("lines.json", dict(zip(forms, found, strict=True)))


@pytest.mark.process
def test_kernels_count_the_same_positions() -> None:
    depths = {"buts": "3", "diadema": "4", "diam": "4", "seega": "1"}
    asked = [(name, place, depths[name.split()[0].strip(":")]) for name, place in places()]
    asked += [(name, place, "3") for name, place in places() if "phase=2" in name]
    told = run_all([["perft", *place, depth] for _name, place, depth in asked])
    found = {
        f"{name}, depth {depth}": int(count)
        for (name, _place, depth), count in zip(asked, told, strict=True)
    }
    assert len(found) == len(asked)
    compare_json("perft.json", found)


def test_the_weights_of_every_kernel_stay() -> None:
    found = {}
    for form in MIDDLES:
        name, *chosen = form.split()
        numbers = kernel_for(quinconce.game(name, **dict(word.split("=") for word in chosen)))
        found[form] = " ".join(
            f"{feature}={weight}"
            for feature, weight in zip(
                numbers.features, evaluation_weights(numbers).tolist(), strict=True
            )
        )
    compare_json("weights.json", found)
