"""The rules of Diädema, by its sheet."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import combinations
from typing import Any

import pytest
from corpus import positions
from moves import played, why
from perft_tables import Count, counts

import quinconce
from quinconce import Match, Outcome

GAME = quinconce.game("diadema")
VERTICES = "ABCDEFG1234567"


after = partial(played, "diadema")


def at(light: str, dark: str, turn: int = 0) -> Match[Any]:
    """A match with these vertices taken."""
    balls = dict.fromkeys(light, "c") | dict.fromkeys(dark, "f")
    board = "".join(balls.get(vertex, ".") for vertex in VERTICES)
    return Match(GAME, GAME.read(f"{board[:7]}/{board[7:]} turn={turn}"))


def test_light_starts_by_placing_on_any_of_the_14_vertices() -> None:
    assert GAME.seat(GAME.start()) == 0
    assert set(after("").legal()) == {f"@{vertex}" for vertex in VERTICES}


def test_a_ball_is_placed_on_an_empty_vertex() -> None:
    match = after("@A")
    assert "@A" not in match.legal()
    assert "is not empty" in why(match, "@A")


def test_a_player_has_six_balls() -> None:
    match = at("ABD146", "C")
    assert not any(text.startswith("@") for text in match.legal())
    assert "all your 6 balls" in why(match, "@7")
    assert match.game.pieces(match.position)["c"] == ""
    assert match.game.pieces(match.position)["f"] == "fffff"


@pytest.mark.parametrize(
    ("vertex", "neighbours"),
    [("A", "GB17"), ("B", "AC12"), ("D", "CE34"), ("1", "72AB"), ("4", "35DE"), ("7", "61GA")],
)
def test_the_sheets_example_a_ball_has_four_neighbours(vertex: str, neighbours: str) -> None:
    moves = {text for text in at(vertex, "").legal() if "-" in text}
    assert moves == {f"{vertex}-{neighbour}" for neighbour in neighbours}


def test_a_step_goes_to_an_empty_neighbour_only() -> None:
    match = at("A", "1")
    assert "A-1" not in match.legal()
    assert "is not empty" in why(match, "A-1")
    assert "not a neighbour" in why(match, "A-2")
    assert "no ball of yours" in why(match, "1-2")
    assert "no ball of yours" in why(match, "B-2")


def test_the_sheets_example_a_jump_over_the_other_gives_the_ball_back() -> None:
    match = at("1A", "2")
    assert match.game.reserve(match.position, "f") == 5
    match.play("1xC")
    assert match.game.pieces(match.position) == {"A": "c", "C": "c", "c": "cccc", "f": "ffffff"}


def test_the_sheets_example_a_jump_over_ones_own_leaves_it_there() -> None:
    match = at("12", "G")
    match.play("1^C")
    assert match.game.pieces(match.position)["2"] == "c"
    assert match.game.pieces(match.position)["C"] == "c"
    assert "1" not in match.game.pieces(match.position)


def test_a_jump_over_a_neighbour_on_the_inner_circle_lands_on_circle_or_line() -> None:
    moves = {text for text in at("1", "2").legal() if "x" in text}
    assert moves == {"1xC", "1x3"}
    assert {text for text in at("2", "1").legal() if "x" in text} == {"2xA", "2x7"}


def test_a_jump_follows_the_line_or_circle_that_joins_the_two() -> None:
    assert {text for text in at("A", "B").legal() if "x" in text} == {"AxC"}
    assert {text for text in at("A", "1").legal() if "x" in text} == {"Ax2"}
    assert "no line or circle" in why(at("A", "1"), "Ax3")


def test_a_jump_needs_a_ball_and_an_empty_vertex_just_beyond() -> None:
    assert "no ball on 1" in why(at("A", "B"), "Ax2")
    assert "Ax2" not in at("A", "12").legal()
    assert "is not empty" in why(at("A", "12"), "Ax2")


def test_a_jump_is_one_jump_over_one_ball() -> None:
    assert "AxC" not in at("A", "12").legal()
    assert {text for text in at("A", "1").legal() if len(text) > 3} == set()


def test_the_mark_of_a_jump_tells_whose_ball_it_is() -> None:
    assert "write AxC" in why(at("A", "B"), "A^C")
    assert "write A^C" in why(at("AB", ""), "AxC")


@pytest.mark.parametrize("line", ["A12C", "B23D", "C34E", "D45F", "E56G", "F67A", "G71B"])
def test_four_on_a_line_win(line: str) -> None:
    match = at(line[1:], "")
    match.play(f"@{line[0]}")
    assert match.outcome() == Outcome((0,), "line")
    assert match.legal() == {}


@pytest.mark.parametrize("circle", ["ABCDEFG", "1234567"])
@pytest.mark.parametrize("first", range(7))
def test_four_side_by_side_on_a_circle_win(circle: str, first: int) -> None:
    four = (circle * 2)[first : first + 4]
    match = at("", four[0] + four[2:], turn=1)
    match.play(f"@{four[1]}")
    assert match.outcome() == Outcome((1,), "circle")


def test_there_are_21_winning_fours() -> None:
    wins = 0
    for four in combinations(VERTICES, 4):
        position = GAME.start()._replace(
            board="".join("c" if vertex in four else "." for vertex in VERTICES), turn=1
        )
        wins += GAME.outcome(position) is not None
    assert wins == 21


def test_four_that_are_not_side_by_side_do_not_win() -> None:
    match = at("ABC", "")
    match.play("@E")
    assert match.outcome() is None


def test_a_step_and_a_jump_can_win() -> None:
    match = at("A2C7", "")
    match.play("7-1")
    assert match.outcome() == Outcome((0,), "line")
    match = at("ABCF", "E")
    match.play("FxD")
    assert match.outcome() == Outcome((0,), "circle")


def test_the_third_repetition_is_a_draw() -> None:
    match = after("@A @D")
    for text in ["A-B", "D-C", "B-A", "C-D"] * 2:
        assert match.outcome() is None
        match.play(text)
    assert match.outcome() == Outcome((), "repetition")


def test_the_sheets_example_of_a_repetition_a_ball_jumped_and_placed_again() -> None:
    match = after("@A @1 Ax2 @1 2xA @1 Ax2 @1")
    assert match.outcome() is None
    match.play("2xA")  # a light ball on A and dark to move, as after the first move
    assert match.outcome() == Outcome((), "repetition")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ccccccc/....... turn=1", "more than 6 light"),
        ("ccccfff/f...... turn=0", "won already"),
        ("cccc.../ffff... turn=1", "won already"),
        ("......./.......", "is not a position"),
        ("......../...... turn=0", "2 rows of 7"),
        ("x....../....... turn=0", "no piece 'x'"),
        ("......./....... turn=2", "from 0 to 1"),
        ("......./....... turn=-1", "turn=NUMBER"),
    ],
)
def test_an_impossible_position_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAME.read(text)


@pytest.mark.parametrize("count", counts("diadema"))
def test_perft(count: Count) -> None:
    count.holds()


def test_rare_rules_are_met() -> None:
    """Nobody is ever blocked in this game, so there is no pass to meet."""
    met: Counter[str] = Counter()
    for position in positions(GAME, random.Random(14), 1500):
        moves = dict(GAME.moves(position))
        met["pass"] += "pass" in moves
        jumps = {text for text in moves if "x" in text or "^" in text}
        met["circle or line"] += any(
            f"{a}{mark}{circle}" in jumps and f"{a}{mark}{line}" in jumps
            for mark in "x^"
            for a, circle, line in (("1", "3", "C"), ("5", "7", "G"), ("3", "1", "B"))
        )
        met["over one's own"] += any("^" in text for text in jumps)
        met["a jump wins"] += any(GAME.outcome(moves[text]) for text in jumps)
        met["six on the board"] += position.board.count("cf"[position.turn]) == 6
    assert met.pop("pass") == 0
    assert all(met.values()), met
