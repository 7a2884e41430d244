"""Touches of kernels = touches of the rules: every path to every successor, and no other."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain, islice, permutations, product
from typing import Any

import numpy as np
import pytest
from corpus import FORMS, form_id, positions

from quinconce import Game
from quinconce.core.game import PASS
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel_for

FORMS_BY_BOARD = [game for game in FORMS if game.chosen.get("quiet", "none") == "none"]
# On wide boards, where positions have thousands of moves, one form of each size and reach is
# compared; the others in the longest tier only.
FIRST_FORMS = {(form.name, *list(form.chosen.values())[:2]): form for form in FORMS_BY_BOARD}
EVERY_FORM = [
    pytest.param(
        form,
        marks=[] if form.width < 7 or form in FIRST_FORMS.values() else pytest.mark.long,
        id=form_id(form),
    )
    for form in FORMS_BY_BOARD
]
MOST_MOVES = 3000  # of a position that is compared
Path = tuple[int, ...]


def paths_by_rules(game: Game[Any], position: Any) -> dict[Path, Any] | None:
    """Every path of touches of every move, and where it leads; None where there are too many."""
    moves = list(islice(game.moves(position), MOST_MOVES + 1))
    if len(moves) > MOST_MOVES:
        return None
    number = {name: n for n, name in enumerate(game.board().place_names())}
    found: dict[Path, Any] = {}
    for text, after in moves:
        steps = [permutations(number[place] for place in step) for step in game.touches(text)]
        for order in product(*steps):
            path = tuple(chain.from_iterable(order))
            assert path not in found, "one path, one move"
            found[path] = after
    return found


def paths_by_kernel(kernel: Kernel, position: Any) -> dict[Path, Any]:
    """The same, a touch at a time."""
    state, found = kernel.encode(position), {}
    rows = kernel.new_rows(1)[0]
    places = np.zeros(len(kernel.game.board().place_names()), np.int64)
    left: list[Path] = [()]
    while left:
        path = left.pop()
        touched = np.zeros(kernel.max_touches, np.int64)
        touched[: len(path)] = path
        n, whole = calls.next_touches(state, touched, len(path), places)
        left += [(*path, int(place)) for place in places[:n]]
        if whole:
            calls.after_touches(state, touched, len(path), rows, 0)
            assert path not in found, "every path once"
            found[path] = kernel.decode(calls.load(state, rows, 0))
    return found


# What a form has to meet, so that comparing it says something.
def features(game: Game[Any], position: Any, paths: dict[Path, Any]) -> set[str]:
    found = {PASS} if () in paths else set()
    if any(len(path) > 2 for path in paths):
        found.add("chain")
    if any(path[:-1] in paths for path in paths if len(path) > 2):
        found.add("a chain that may stop")
    if getattr(position, "duty", 0):
        found.add("duty")
    if not paths:
        found.add("over")
    if len(set(paths.values())) < len(paths):
        found.add("one position by two paths")
    return found


def wanted(game: Game[Any]) -> set[str]:
    if game.width > 5 and game.name == "seega":  # few positions: each has many moves
        return {"chain"}
    if game.name == "seega":
        optional = {"a chain that may stop"} if game.chosen["chain"] == "optional" else set()
        replay = {PASS, "duty"} if game.chosen["blocked"] == "replay" else set()
        return {"chain", "one position by two paths"} | optional | replay
    return {"over"} | ({PASS} if game.name in ("buts", "diam") else set())


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_FORM)
def test_every_path_of_touches_leads_where_the_rules_say(game: Game[Any]) -> None:
    kernel, met = kernel_for(game), Counter[str]()
    n = 60 if game.width == 7 else 200
    for position in positions(game, random.Random(f"touches {form_id(game)}"), n):
        expected = paths_by_rules(game, position)
        if expected is not None:
            assert paths_by_kernel(kernel, position) == expected, game.write(position)
            met.update(features(game, position, expected))
    assert wanted(game) <= met.keys()


@pytest.mark.parametrize("game", FORMS_BY_BOARD, ids=form_id)
def test_pieces_are_written_cell_by_cell_and_reserves_counted(game: Game[Any]) -> None:
    kernel, letters = kernel_for(game), "." + game.letters
    for position in positions(game, random.Random(f"pieces {form_id(game)}"), 40):
        pieces = np.zeros(len(game.cells), np.int64)
        state = kernel.encode(position)
        calls.write_pieces(state, pieces)
        assert "".join(letters[piece] for piece in pieces) == position.board
        for kind, letter in enumerate(game.letters):
            assert calls.reserve_count(state, kind) == game.reserve(position, letter)
