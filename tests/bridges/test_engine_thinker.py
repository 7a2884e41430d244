"""The engine behind UGI: its levels, its limits, what it tells, and how it stops."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from moves import match_after
from ugi_conversation import Conversation
from waiting import PATIENCE, until

import quinconce
from quinconce.bridges import engine_thinker
from quinconce.bridges.engine_thinker import MODULE_MEGABYTES, EngineThinker
from quinconce.bridges.ugi import GO_NUMBERS, GoLimits
from quinconce.bridges.ugi_engine import Thought
from quinconce.engine import move_choice, transpositions
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES
from quinconce.engine.position_search import PositionSearch
from quinconce.engine.transpositions import TranspositionTable, table_rows
from quinconce.kernels.arrays import ArrayMaker
from quinconce.kernels.webassembly import MAX_MEMORY

pytestmark = pytest.mark.slow  # the engine is compiled
WIN_IN_ONE = "@A @D @1 @E @2 @F"  # by @C, in Diädema


def think(
    thinker: EngineThinker,
    game: str,
    moves: str = "",
    limits: GoLimits | None = None,
    *,
    stopped: bool = False,
    seconds: float | None = None,
) -> tuple[str, list[str]]:
    """The move and what was told; the match it is about must allow the move."""
    match, told = match_after(game, moves), list[str]()
    deadline = None if seconds is None else time.monotonic() + seconds
    thought = Thought(
        match,
        limits or GoLimits(),
        deadline,
        lambda: stopped,
        told.append,
        lambda error: told.append(str(error)),
    )
    move = thinker.think(thought)
    assert move in match.legal()
    return move, told


def raise_error(error: ValueError) -> None:
    raise error


def test_a_search_to_a_depth_tells_every_depth() -> None:
    _move, told = think(EngineThinker(seed=1), "buts", limits=GoLimits(depth=3))
    depths = [line.split()[2] for line in told]
    assert depths == sorted(depths)
    assert depths[-1] == "3"
    for line in told:
        words = line.split()
        assert words[0] == "info"
        assert [words[n] for n in (1, 3, 6, 8, 10)] == ["depth", "score", "nodes", "time", "pv"]


def test_the_line_told_last_begins_with_the_move() -> None:
    move, told = think(EngineThinker(seed=1), "buts", limits=GoLimits(nodes=3000))
    assert told[-1].split()[11] == move


def test_a_level_sees_no_more_than_its_nodes() -> None:
    _move, told = think(EngineThinker(level=1, seed=1), "buts", limits=GoLimits(depth=30))
    assert int(told[-1].split()[7]) < 1000


def test_a_win_in_one_is_told_with_its_distance() -> None:
    move, told = think(EngineThinker(level=9, seed=1), "diadema", WIN_IN_ONE, GoLimits(depth=4))
    assert move == "@C"
    assert "score mate 1 " in told[-1]


def test_full_strength_plays_what_is_proved_without_a_search() -> None:
    move, told = think(EngineThinker(seed=1), "diadema", WIN_IN_ONE)
    assert (move, told) == ("@C", [])


def test_the_only_move_is_played_at_once() -> None:
    walled = "r@2 m@1 r@2 m@1 r@2 m@1 r@2 m@1 o@3 n@4 o@3 n@4 o@3 n@4 o@3 n@4"
    assert think(EngineThinker(), "diam", walled)[0] == "pass"


def test_a_search_that_was_stopped_before_it_began_has_looked_at_its_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_thinker, "STOP_PATIENCE", PATIENCE)
    move, told = think(EngineThinker(seed=1), "buts", limits=GoLimits(infinite=True), stopped=True)
    assert {line.split()[2] for line in told} == {"1"}  # the first depth is always finished
    assert told[-1].split()[11] == move


@pytest.fixture
def held_search(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No search begins before this is set, as if there were very many moves."""
    may_begin, level_search = threading.Event(), move_choice.level_search

    def wait_and_search(*arguments: Any) -> PositionSearch:
        may_begin.wait()
        return level_search(*arguments)

    monkeypatch.setattr(move_choice, "level_search", wait_and_search)
    yield may_begin
    may_begin.set()


@pytest.mark.parametrize(
    ("stopped", "seconds"), [(True, None), (False, 0.0), (False, 0.05), (True, 600.0)]
)
def test_a_search_that_has_not_begun_delays_no_answer(
    held_search: threading.Event, stopped: bool, seconds: float | None
) -> None:
    thinker = EngineThinker(seed=1)
    limits = GoLimits(seconds, infinite=seconds is None)
    assert think(thinker, "buts", limits=limits, stopped=stopped, seconds=seconds)[1] == []
    held_search.set()
    thinker.rest()  # it ends, since it was stopped
    assert think(thinker, "buts", limits=GoLimits(depth=1))[1]


def test_the_best_move_is_played_though_its_line_is_not_told_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, may_tell, lines = threading.Event(), threading.Event(), AlphaBetaSearch.lines

    def wait_and_tell(search: AlphaBetaSearch, most: int) -> Any:
        asked.set()
        may_tell.wait()
        return lines(search, most)

    monkeypatch.setattr(AlphaBetaSearch, "lines", wait_and_tell)
    thinker = EngineThinker(seed=1)
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(think, thinker, "diadema", WIN_IN_ONE, GoLimits(infinite=True))
        asked.wait()
        thinker.stop()
        assert answer.result() == ("@C", [])
    may_tell.set()
    thinker.rest()


def test_an_error_in_a_search_is_not_kept_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(move_choice, "level_search", fail)
    with pytest.raises(MemoryError):
        think(EngineThinker(seed=1), "buts")


def test_a_deadline_that_is_over_leaves_a_move() -> None:
    think(EngineThinker(seed=1), "buts", seconds=0.0)


def test_a_search_is_stopped_in_the_middle() -> None:
    thinker, told, moves = EngineThinker(seed=1), list[str](), list[str]()
    match = match_after("buts", "")
    limits = GoLimits(infinite=True)
    thought = Thought(match, limits, None, lambda: False, told.append, raise_error)
    thread = threading.Thread(target=lambda: moves.append(thinker.think(thought)), daemon=True)
    thread.start()
    until(lambda: told)
    thinker.stop()
    until(lambda: moves)
    assert moves[0] in match.legal()


@pytest.mark.parametrize(
    ("name", "value"), [("level", "11"), ("level", "0"), ("threads", "x"), ("memory", "-1")]
)
def test_a_value_out_of_range_is_refused(name: str, value: str) -> None:
    thinker = EngineThinker()
    with pytest.raises(ValueError, match=f"{name} is a number from 1 to"):
        thinker.set_option(name, value)
    assert thinker.options == EngineThinker().options


def test_no_more_memory_is_offered_than_a_module_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCONCE_HOME", "wasm")
    thinker = EngineThinker()
    assert "option name Memory type spin default 64 min 1 max 4095" in thinker.option_lines()
    thinker.set_option("memory", "4095")
    with pytest.raises(ValueError, match="memory is a number from 1 to 4095, not '5000'"):
        thinker.set_option("memory", "5000")


def test_the_largest_table_fits_into_a_module() -> None:
    assert 16 * table_rows(MODULE_MEGABYTES) < MAX_MEMORY <= 16 * table_rows(MODULE_MEGABYTES + 1)


def test_a_machine_without_the_memory_says_so_and_thinks_with_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def new_small_table(megabytes: float, arrays: ArrayMaker) -> TranspositionTable:
        if megabytes > DEFAULT_TABLE_MEGABYTES:
            raise ValueError(f"no {megabytes} MB")
        return new_table(megabytes, arrays)

    new_table = transpositions.new_table
    monkeypatch.setattr(transpositions, "new_table", new_small_table)
    _move, told = think(EngineThinker(memory=1000, seed=1), "buts", limits=GoLimits(depth=2))
    assert told[0] == "no 1000 MB"
    assert told[-1].startswith("info depth 2 ")


def test_its_options_are_set_over_ugi() -> None:
    thinker = EngineThinker()
    with Conversation(thinker, quinconce.game("buts")) as talk:
        talk.say("ugi", "setoption name LEVEL value 3", "setoption name threads value 2")
        talk.say("setoption name Memory value 16", "setoption name level value 12", "ugi")
        talk.hear("option name Level type spin default 10 min 1 max 10")
        assert "level is a number" in talk.hear("info string")
        talk.hear("option name Level type spin default 3 min 1 max 10")
    assert thinker.options == {"level": 3, "threads": 2, "memory": 16}


NUMBERS = "99999999999999999999 1000000000000000000000000 -1 -99999999999999999999 7.5 0 1 00 x"
GO_WORD = st.sampled_from([*GO_NUMBERS, *NUMBERS.split()])


@settings(max_examples=30)
@given(st.lists(GO_WORD, max_size=8), st.lists(st.sampled_from(NUMBERS.split()), max_size=2))
@example(["movetime", "99999999999999999999"], [])
@example(["p1time", "99999999999999999999", "p1inc", "99999999999999999999"], [])
@example(["nodes", "99999999999999999999"], [])
@example(["depth", "99999999999999999999"], ["99999999999999999999"])
def test_the_engine_survives_every_number(words: list[str], options: list[str]) -> None:
    with Conversation(EngineThinker(level=3, seed=1), quinconce.game("diam")) as talk:
        for name, value in zip(("Memory", "Threads"), options, strict=False):
            talk.say(f"setoption name {name} value {value}")
        talk.say("isready")
        talk.hear("readyok")
        talk.say(f"go {' '.join(words)}", "stop")
        assert talk.ask(f"islegal {talk.hear('bestmove').split()[1]}") == "true"


def test_a_whole_game_over_ugi_ends_as_the_rules_say() -> None:
    moves: list[str] = []
    with Conversation(EngineThinker(level=2, seed=3), quinconce.game("diam")) as talk:
        talk.say("isready")
        talk.hear("readyok")
        while True:
            talk.say(f"position startpos moves {' '.join(moves)}")
            if talk.ask("gameover") == "true":
                break
            talk.say("go movetime 10000")
            _bestmove, move = talk.hear("bestmove").split()
            moves.append(move)
        result = talk.ask("result")
    outcome = match_after("diam", " ".join(moves)).outcome()
    assert outcome
    assert result == {(0,): "p1win", (1,): "p2win", (): "draw"}[outcome.winners]
