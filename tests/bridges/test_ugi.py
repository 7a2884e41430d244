"""The lines of UGI as data, and how the time on a clock is shared."""

from __future__ import annotations

import pytest

import quinconce
from quinconce import Match, Outcome
from quinconce.bridges import ugi
from quinconce.bridges.time_control import (
    MAX_SECONDS,
    MatchClock,
    TimeControl,
    check_two_sides,
    seconds_for_move,
    side_to_move,
)
from quinconce.bridges.ugi import GoLimits
from quinconce.core.phrase import Phrase
from quinconce.engine.analysis import Analysis
from quinconce.engine.match_runner import ForfeitError
from quinconce.engine.principal_variation import Line


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("", GoLimits()),
        ("infinite", GoLimits(infinite=True)),
        ("depth 4", GoLimits(depth=4)),
        ("nodes 1000 depth 3", GoLimits(nodes=1000, depth=3)),
        ("depth", GoLimits()),
        ("depth -4 nodes many", GoLimits(depth=0)),
        ("depth 4.0 nodes 007", GoLimits(depth=4, nodes=7)),
        (f"nodes {'9' * 5000} depth ٣", GoLimits(nodes=10**12)),
        ("searchmoves r@1 depth 2", GoLimits(depth=2)),
    ],
)
def test_go_takes_depth_nodes_and_infinite(words: str, limits: GoLimits) -> None:
    assert ugi.parse_go(words.split(), 0) == limits


def test_the_engine_means_to_be_back_before_movetime_is_over() -> None:
    for movetime in (1, 5, 20, 100, 1000, 60_000):
        seconds = ugi.parse_go(["movetime", str(movetime)], 0).seconds
        assert seconds is not None
        assert movetime / 2000 <= seconds < movetime / 1000
        assert movetime <= 20 or movetime / 1000 - seconds >= 0.0099


@pytest.mark.parametrize("words", ["movetime -1", "movetime 0", "p1time -20", "p1time -0.5"])
def test_time_that_is_over_is_no_time(words: str) -> None:
    assert ugi.parse_go(words.split(), 0).seconds == 0


def test_time_may_be_written_as_a_fraction_and_without_an_end() -> None:
    assert ugi.parse_go(["movetime", "100.0"], 0).seconds == pytest.approx(0.09)
    for name in ("movetime", "p1time"):
        seconds = ugi.parse_go([name, "9" * 5000], 0).seconds
        assert seconds is not None
        assert seconds <= MAX_SECONDS


def test_each_side_looks_at_its_own_clock() -> None:
    words = ["p1time", "60000", "p2time", "1000", "p1inc", "0", "p2inc", "500"]
    assert ugi.parse_go(words, 0).seconds == seconds_for_move(60.0, 0.0)
    assert ugi.parse_go(words, 1).seconds == seconds_for_move(1.0, 0.5)


@pytest.mark.parametrize("increment", [0.0, 0.1, 2.0])
@pytest.mark.parametrize("clock", [2.0, 10.0, 600.0])
def test_a_clock_never_runs_out_though_every_move_takes_a_little_longer(
    clock: float, increment: float
) -> None:
    left, moves, late = clock, 100, 0.002
    for _move in range(moves):
        thought = seconds_for_move(left, increment)
        assert thought >= 0
        left -= thought + late
        assert left > 0
        left += increment
    assert seconds_for_move(clock, increment) <= clock / 20 + increment


@pytest.mark.parametrize(
    ("words", "start", "moves"),
    [
        ("startpos", None, []),
        ("startpos moves r@1 m@1", None, ["r@1", "m@1"]),
        ("fen ab/cd turn=0", "ab/cd turn=0", []),
        ("fen ab/cd_turn=0 moves x", "ab/cd turn=0", ["x"]),
        ("startpos moves", None, []),
    ],
)
def test_a_position_is_a_start_and_moves(words: str, start: str | None, moves: list[str]) -> None:
    assert ugi.split_position(words.split()) == (start, moves)


@pytest.mark.parametrize("words", ["", "moves r@1", "startpos r@1", "fen", "fen moves r@1"])
def test_another_position_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match="is not a position"):
        ugi.split_position(words.split())


def test_what_is_told_of_a_match_can_be_read_back() -> None:
    rules = quinconce.game("seega")
    start = rules.read("...../...bw/...../..w../wb... turn=0 phase=2 duty=0")
    match = Match(rules, start)
    match.play(min(match.legal()))
    words = ugi.position_line(match).split()
    assert words[0] == "position"
    text, moves = ugi.split_position(words[1:])
    assert text == rules.write(start)
    assert moves == match.moves
    assert ugi.position_line(Match(rules)) == "position startpos"


@pytest.mark.parametrize(
    ("told", "word"), [("r@1", "r@1"), ("a b\nc", "a_b_c"), ("", "0000"), (None, "None")]
)
def test_a_move_is_one_word(told: object, word: str) -> None:
    assert ugi.one_word(told) == word


@pytest.mark.parametrize(
    ("players", "winners", "word"),
    [
        (2, (0,), "p1win"),
        (2, (1,), "p2win"),
        (2, (), "draw"),
        (4, (2, 3), "p2win"),
        (3, (0,), "p1win"),
    ],
)
def test_p1_is_the_first_side(players: int, winners: tuple[int, ...], word: str) -> None:
    game = quinconce.game("diam", players=players)
    assert ugi.result_word(game, Outcome(winners, "diam")) == word
    assert ugi.result_word(game, None) == "none"


def test_the_partner_of_player_1_moves_for_p1() -> None:
    match = Match(quinconce.game("diam", players=4))
    sides = []
    for _turn in range(4):
        sides.append(side_to_move(match))
        match.play(min(match.legal()))
    assert sides == [0, 1, 0, 1]


def test_four_sides_are_refused() -> None:
    with pytest.raises(ValueError, match="UGI knows two sides"):
        check_two_sides(quinconce.game("diam", edition=1997, players=4))


def found(score: int, value: str | None = None, plies: int | None = None) -> str:
    line = Line(("r@1", "m@1"), score, value, plies)
    return ugi.info_line(Analysis(7, 1234, 0.0567, (line,)))


def test_info_tells_depth_score_nodes_time_and_line() -> None:
    assert found(-35) == "info depth 7 score cp -35 nodes 1234 time 57 pv r@1 m@1"
    assert " score mate 4 " in found(900_000, "win", 7)
    assert " score mate -3 " in found(-900_000, "loss", 6)
    assert " score cp 0 " in found(0, "draw")


def test_every_option_of_every_game_is_offered() -> None:
    lines = list(ugi.game_option_lines(quinconce.game("seega", size=7)))
    assert (
        lines[0]
        == "option name Game type combo default seega var diam var diadema var seega var buts"
    )
    assert "option name size type combo default 7 var 5 var 7 var 9" in lines
    assert "option name quiet type string default 40" in lines  # any number will do
    assert "option name edition type combo default 2003 var 2003 var 1997" in lines


def test_setoption_may_be_written_in_any_case() -> None:
    words = ["NAME", "Level", "of", "Play", "Value", "3", "Value"]
    assert ugi.parse_setoption(words) == ("level of play", "3 Value")


# The clock of a match.


def test_a_move_may_take_its_time_and_a_little_lag() -> None:
    clock = MatchClock(TimeControl(2.0, lag=0.5))
    clock.charge(0, 2.4, "Ada")
    clock.charge(0, 0.6, "Ada")
    with pytest.raises(ForfeitError, match=r"Ada was out of time after 2\.50 s") as late:
        clock.charge(0, 2.5, "Ada")
    assert late.value.kind == "time"
    used = clock.sides[0]
    assert (used.used, used.moves, used.longest) == (5.5, 3, 2.5)
    assert clock.sides[1].moves == 0
    assert clock.go_words() == "movetime 2000"
    assert clock.budget(0) == 2.0


def test_a_clock_goes_down_and_each_move_adds_to_it() -> None:
    clock = MatchClock(TimeControl(clock=10.0, increment=1.0))
    clock.charge(1, 4.0, "Ada")
    assert clock.go_words() == "p1time 10000 p2time 7000 p1inc 1000 p2inc 1000"
    assert clock.budget(1) == seconds_for_move(7.0, 1.0)
    with pytest.raises(ForfeitError, match=r"Ada was out of time after 11\.60 s"):
        clock.charge(1, 7.6, "Ada")


def test_a_clock_that_is_empty_ends_the_match_however_quick_the_moves_are() -> None:
    clock = MatchClock(TimeControl(clock=1.0, lag=0.5))
    for _move in range(4):
        clock.charge(0, 0.3, "Ada")  # the last one by the lag that is allowed
    assert clock.go_words() == "p1time 0 p2time 1000 p1inc 0 p2inc 0"
    assert clock.budget(0) == 0
    with pytest.raises(ForfeitError):
        clock.charge(0, 0.3, "Ada")


def test_an_increment_pays_back_the_lag() -> None:
    clock = MatchClock(TimeControl(clock=0.2, increment=0.1, lag=0.5))
    for _move in range(5):
        clock.charge(0, 0.2, "Ada")
    assert clock.sides[0].left == pytest.approx(-0.3)
    clock.charge(0, 0.09, "Ada")


@pytest.mark.parametrize(
    ("kind", "players", "end"),
    [
        ("time", 2, Outcome((1,), "time")),
        ("crash", 2, Outcome((1,), "resignation")),
        ("illegal", 4, Outcome((2, 3), "resignation")),
    ],
)
def test_the_side_that_cannot_go_on_has_lost(kind: str, players: int, end: Outcome) -> None:
    match = Match(quinconce.game("diam", players=players))
    ForfeitError(kind, Phrase("it failed")).end(match)
    assert match.outcome() == end
