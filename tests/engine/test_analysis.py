"""An analysis: refused at once where it must be, and prepared once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from corpus import FORMS, form_id
from moves import match_after
from stopped_searches import stop_at_depth

from quinconce import Game, Match
from quinconce.core.registry import game_forms
from quinconce.engine import analyse, choose, preparation
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.mcts import TreeSearch
from quinconce.engine.position_search import PositionSearch

OVER = "the game is over: there is nothing to search"
TOO_FEW = "at least one line and one thread are needed"


def finished() -> Match[Any]:
    match = match_after("buts")
    match.resign(match.seat)
    return match


def unfinished() -> Match[Any]:
    return match_after("buts")


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that fails if it is prepared."""

    def fail(*_given: object, **_options: object) -> None:
        raise AssertionError("the engine was prepared")

    monkeypatch.setattr(preparation, "prepare", fail)


@pytest.mark.usefixtures("unprepared")
@pytest.mark.parametrize(
    ("match", "limits", "reason"),
    [
        (finished, {}, OVER),
        (unfinished, {"lines": 0}, TOO_FEW),
        (unfinished, {"threads": 0}, TOO_FEW),
    ],
)
def test_what_cannot_be_analysed_is_refused_at_the_call(
    match: Callable[[], Match[Any]], limits: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        analyse(match(), **limits)  # nobody asks for a result


@pytest.mark.usefixtures("unprepared")
def test_the_engine_is_prepared_when_the_first_result_is_asked_for() -> None:
    results = analyse(unfinished(), depth=1)
    with pytest.raises(AssertionError, match="was prepared"):
        next(results)


REFUSE = """
import sys
import time
import quinconce
from quinconce.engine import analyse

match = quinconce.Match(quinconce.game("buts"))
match.resign(match.seat)
try:
    analyse(match)
except ValueError as error:
    print(error, "numba" in sys.modules, sep="; ")
"""


@pytest.mark.process
def test_a_finished_game_is_refused_before_anything_slow_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REFUSE], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == f"{OVER}; False"


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What the engine was prepared for: a game, and whether it knows what is proved."""
    calls: list[tuple[str, bool]] = []
    prepare = preparation.prepare

    def count(game: Any, *, informed: bool = False) -> None:
        calls.append((game.name, informed))
        prepare(game, informed=informed)

    monkeypatch.setattr(preparation, "prepare", count)
    return calls


def test_an_analysis_prepares_the_engine_once(prepared: list[tuple[str, bool]]) -> None:
    assert list(analyse(unfinished(), depth=2))
    assert prepared == [("buts", True)]


@pytest.mark.parametrize(("level", "informed"), [(3, False), (10, True)])
def test_a_choice_prepares_the_engine_once(
    prepared: list[tuple[str, bool]], level: int, informed: bool
) -> None:
    choose(unfinished(), level, seed=1, seconds=0.01 if informed else None)
    assert prepared == [("buts", informed)]


def test_preparing_for_the_first_time_searches_and_later_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warmed = []
    monkeypatch.setattr(preparation, "prepared_kinds", set())
    monkeypatch.setattr(AlphaBetaSearch, "warm_up", lambda search: warmed.append(search.game.name))
    for _time in range(3):
        preparation.prepare(unfinished().game)
    assert warmed == ["buts"]


def test_a_kind_of_search_serves_several_forms() -> None:
    kinds = {preparation.search_kind(form) for form in game_forms("diam")}
    assert 1 < len(kinds) < len(game_forms("diam"))


@pytest.mark.parametrize("kind", [AlphaBetaSearch, TreeSearch])
def test_both_kinds_of_search_have_the_whole_interface(kind: type[PositionSearch]) -> None:
    assert issubclass(kind, PositionSearch)
    assert PositionSearch.__abstractmethods__
    assert not kind.__abstractmethods__


# The player to move wins at once, or has to answer a threat: moves and the only good answer.
URGENT: list[tuple[str, dict[str, object], str, str]] = [
    ("diam", {}, "r@1 m@1 r@5", "m@5"),
    ("diadema", {}, "@A @D @1 @E @2 @F", "@C"),
]


@pytest.mark.parametrize(("name", "options", "moves", "best"), URGENT)
@pytest.mark.parametrize("depth", [0, 1])
def test_no_move_is_played_without_thought(
    name: str,
    options: dict[str, object],
    moves: str,
    best: str,
    depth: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time is over before the search begins, or just after the first depth."""
    stop_at_depth(monkeypatch, depth)
    match = match_after(name, moves, **options)
    *_earlier, found = analyse(match, seconds=0.0001)
    assert (found.best, found.depth) == (best, 1)
    assert found.nodes > 0
    assert choose(match, level=10, seconds=0.0001) == best


@pytest.mark.parametrize("game", FORMS, ids=form_id)
def test_the_first_depth_is_whole_whatever_the_clock_says(game: Game[Any]) -> None:
    *_earlier, found = analyse(Match(game), seconds=0.0001)
    assert found.nodes > 0
    assert found.depth >= 1
