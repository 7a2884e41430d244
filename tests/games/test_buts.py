"""The rules of the goal game, by its sheet."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from corpus import positions
from moves import refusal
from perft_tables import Count, perft_cases

import quinconce
from quinconce import Match, Outcome

GAME = quinconce.game("buts")
FAR = "A1 A2 A3 B1 B2 B3 C1 C2"  # black pawns out of the way


def at(white: str, black: str = FAR, turn: int = 0) -> Match[Any]:
    """A match with these cells taken."""
    pawns = dict.fromkeys(white.split(), "w") | dict.fromkeys(black.split(), "b")
    board = "".join(pawns.get(cell, ".") for cell in GAME.cells)
    rows = "/".join(board[i : i + 8] for i in range(0, 64, 8))
    return Match(GAME, GAME.read(f"{rows} turn={turn}"))


def moves_of(match: Match[Any], cell: str) -> set[str]:
    return {text for text in match.legal() if text.startswith(cell)}


def test_the_start_is_the_sheets_figure_1() -> None:
    pieces = GAME.pieces(GAME.start())
    black = {cell for cell, letter in pieces.items() if letter == "b"}
    white = {cell for cell, letter in pieces.items() if letter == "w"}
    assert black == {"B1", "B3", "B5", "B7", "C2", "C4", "C6", "C8"}
    assert white == {"F1", "F3", "F5", "F7", "G2", "G4", "G6", "G8"}
    assert GAME.seat(GAME.start()) == 0


def test_the_sheets_figure_2_the_home_moves_of_g2() -> None:
    """Row G is free in the figure: G2 may go to G1, E2, H2, G5, G8, not to D2, H3."""
    match = at("G2 F1 F3 F5 F7 E8 H8 E6")
    home = {text[3:] for text in moves_of(match, "G2") if text[2] == "-"}
    assert home == {"G1", "G3", "G4", "G5", "G6", "G7", "G8", "F2", "E2", "H2"}
    assert "stays in one's own camp" in refusal(match, "G2-D2")
    assert "no free straight way" in refusal(match, "G2-H3")
    assert "G2^E4" in match.legal()  # impossible as a home move, possible as a jump over F3


def test_a_finger_may_stop_wherever_the_jumps_can_go_on() -> None:
    match = Match(GAME)
    for text in ("F3-E3", "B1-A1"):
        match.play(text)
    assert {"G6^E4", "G6^E4^E2"} <= match.legal().keys()
    assert GAME.stops(match.position, "G6^E4^E2") == {"E4"}
    assert GAME.stops(match.position, "G6^E4") == frozenset()  # E2 leads there only by way of E4
    assert GAME.stops(match.position, "G6-H6") == frozenset()  # no jumps lead there


@pytest.mark.parametrize("seed", range(5))
def test_every_cell_on_the_way_of_a_move_is_a_stop_where_others_may_end(seed: int) -> None:
    match, rng = Match(GAME), random.Random(seed)
    for _ply in range(30):
        if match.outcome():
            break
        for text in match.legal():
            path = text.split("^")
            assert set(path[1:-1]) <= GAME.stops(match.position, text)
        match.play(rng.choice(list(match.legal())))


def test_a_home_move_passes_over_no_pawn_of_either_side() -> None:
    match = at("G2 G4 F1 F3 F5 F7 E8 H8", "A1 A2 A3 B1 B2 B3 C1 F2")
    assert {text[3:] for text in moves_of(match, "G2") if text[2] == "-"} == {"G1", "G3", "H2"}
    assert "no free straight way" in refusal(match, "G2-G5")
    assert "is not empty" in refusal(match, "G2-G4")


def test_a_home_move_does_not_cross_the_middle_line() -> None:
    match = at("E2 F5 F7 E8 H8 G8 G6 H1")
    assert "E2-D2" not in match.legal()
    assert "stays in one's own camp" in refusal(match, "E2-D2")


def test_a_pawn_out_of_its_camp_has_no_home_move() -> None:
    match = at("D5 F5 F7 E8 H8 G8 G6 H1")
    assert moves_of(match, "D5") == set()
    assert "stays in one's own camp" in refusal(match, "D5-D6")


def test_own_goals_are_never_entered() -> None:
    match = at("H3 G3 G5 F1 F3 F7 E8 H8")
    assert not any(text.endswith(("H4", "H5")) for text in match.legal())
    assert "enter or cross their own goals" in refusal(match, "H3-H4")
    assert "own goals" in refusal(match, "F3^H5")


def test_own_goals_are_never_crossed() -> None:
    match = at("H3 F5 F1 F3 F7 E8 H8 E6")
    assert {text for text in moves_of(match, "H3") if text[3] == "H"} == {"H3-H1", "H3-H2"}
    assert "enter or cross their own goals" in refusal(match, "H3-H6")


def test_own_goals_are_never_entered_by_black_either() -> None:
    match = at("F1 F3 F5 F7 G2 G4 G6 G8", "A3 B4 C5 D8 D7 D6 D1 C1", turn=1)
    assert not any(text.endswith(("A4", "A5")) for text in match.legal())
    assert "A3-A6" not in match.legal()


@pytest.mark.parametrize(
    ("over", "landing"),
    [
        ("C3", "B2"),
        ("C4", "B4"),
        ("C5", "B6"),
        ("D3", "D2"),
        ("D5", "D6"),
        ("E3", "F2"),
        ("E4", "F4"),
    ],
)
def test_a_jump_goes_in_all_8_directions_over_ones_own(over: str, landing: str) -> None:
    match = at(f"D4 {over} H1 H2 H3 H6 H7 H8", "A1 A2 A3 A6 A7 A8 C8 B8")
    assert f"D4^{landing}" in match.legal()
    match.play(f"D4^{landing}")
    assert match.game.pieces(match.position)[over] == "w"  # nobody is captured


def test_a_jump_over_the_other_side_is_not_allowed() -> None:
    match = at("E4 F1 F8 F7 E8 H8 H1 H2", "D4 A1 A2 A3 A6 A7 A8 C8")
    assert moves_of(match, "E4^") == set()
    assert "no jumps over your own pawns" in refusal(match, "E4^C4")


def test_a_jump_needs_a_direct_neighbour_and_an_empty_cell_just_behind() -> None:
    match = at("E4 E6 E7 F1 H8 H1 H2 H3", "C4 A1 A2 A3 A6 A7 A8 C8")
    assert not moves_of(match, "E4^")
    match = at("E4 D4 F1 F3 H8 H1 H2 H3", "C4 A1 A2 A3 A6 A7 A8 C8")
    assert "E4^C4" not in match.legal()
    assert "is not empty" in refusal(match, "E4^C4")


def test_the_sheets_figure_3_the_chain_to_a4_wins() -> None:
    match = at("G6 F5 D4 B3 A3 H1 H2 H8", "C8 D8 B8 A8 C7 B7 A7 D1")
    assert "G6^E4^C4^A2^A4" in match.legal()
    match.play("G6^E4^C4^A2^A4")
    assert match.outcome() == Outcome((0,), "goal")
    assert match.legal() == {}


def test_a_home_move_is_not_followed_by_jumps() -> None:
    match = at("G8 F5 D4 B3 A3 H1 H2 H7", "C8 D8 B8 A8 C7 B7 A7 D1")
    assert "G8-G6" in match.legal()
    assert not any(text.startswith("G8") and text.endswith("A4") for text in match.legal())


def test_reaching_a_goal_ends_the_move() -> None:
    """From A4 one could go on over B5 to C6, but the game is won there."""
    match = at("C4 B4 B5 H1 H2 H3 H8 H7", "D8 B8 A8 C7 B7 A7 D1 C8")
    assert moves_of(match, "C4^") == {"C4^A4", "C4^A6"}


def test_the_cell_a_pawn_left_counts_as_empty_but_it_may_not_end_there() -> None:
    """A ring of four pawns leads D4 back to itself, and not further over the place it left."""
    match = at("D4 D5 C6 B5 C4 H1 H2 H8", "D8 B8 A8 A1 B7 A7 D1 C8")
    assert not any(text.endswith("D4") for text in moves_of(match, "D4"))
    assert "end where it started" in refusal(match, "D4^D6^B6^B4^D4")


def test_the_same_first_and_last_cell_are_one_move() -> None:
    for position in positions(GAME, random.Random(5), 200):
        moves = [text for text, _after in GAME.moves(position) if text != "pass"]
        assert len({(text[:2], text[-2:]) for text in moves}) == len(moves)


def test_a_home_move_gives_its_name_to_a_jump_with_the_same_ends() -> None:
    """E2 over F2 to G2 and on over G3 to G4, over F4 to E4: the same as sliding E2-E4."""
    match = at("E2 F2 G3 F4 H8 H1 H3 E8")
    assert "E2-E4" in match.legal()
    assert not any(text.startswith("E2^") and text.endswith("E4") for text in match.legal())
    assert "written E2-E4" in refusal(match, "E2^G2^G4^E4")


def test_a_jump_is_written_by_its_shortest_path_first_in_reading_order() -> None:
    """Two jumps lead from D4 to B2, by B4 or by D2: B4 is read first."""
    match = at("D4 C4 B3 D3 C2 H1 H2 H8", "D8 B8 A8 C7 B7 A7 D1 C8")
    assert "D4^B4^B2" in match.legal()
    assert "D4^D2^B2" not in match.legal()
    assert "written D4^B4^B2" in refusal(match, "D4^D2^B2")


def all_jumps(pawns: dict[str, str], path: list[str], longest: int) -> Iterator[list[str]]:
    """Every way of at most so many jumps, found by trying all of them."""
    here, own = path[-1], pawns[path[0]]
    goal, home = ("A4 A5", "H4 H5") if own == "w" else ("H4 H5", "A4 A5")
    if len(path) > 1:
        yield path
    if len(path) > longest or here in goal:
        return
    for down, right in product((-1, 0, 1), repeat=2):
        over = chr(ord(here[0]) + down) + chr(ord(here[1]) + right)
        to = chr(ord(here[0]) + 2 * down) + chr(ord(here[1]) + 2 * right)
        free = to in GAME.cells and to not in home and (to not in pawns or to == path[0])
        if free and over != path[0] and pawns.get(over) == own:
            yield from all_jumps(pawns, [*path, to], longest)


def test_no_other_way_is_shorter_or_earlier_in_reading_order() -> None:
    ties = 0
    for position in positions(GAME, random.Random(3), 120):
        pawns = GAME.pieces(position)
        for text in dict(GAME.moves(position)):
            cells = text.split("^")
            if 1 < len(cells) <= 4:
                ways = [
                    way
                    for way in all_jumps(pawns, cells[:1], len(cells) - 1)
                    if way[-1] == cells[-1]
                ]
                assert cells == min(ways, key=lambda way: (len(way), way))
                assert {GAME.same_move(position, "^".join(way)) for way in ways} == {text}
                ties += sum(len(way) == len(cells) for way in ways) > 1
    assert ties


def test_jumps_to_where_a_pawn_could_slide_are_the_home_move() -> None:
    position = at("G2 F3 E3 F1 F5 F7 G8 H8").position
    assert GAME.same_move(position, "G2^E4^E2") == "G2-E2"
    assert GAME.same_move(position, "G2^E2") is None


def test_the_first_in_the_others_goal_wins() -> None:
    match = at("C4 B4 F1 F3 F5 F7 G2 H8")
    match.play("C4^A4")
    assert match.outcome() == Outcome((0,), "goal")
    match = at("A1 A2 A3 B1 B2 B3 C1 C2", "F5 G5 D1 D2 D3 D4 D5 D6", turn=1)
    match.play("F5^H5")
    assert match.outcome() == Outcome((1,), "goal")


def test_a_player_without_a_move_passes() -> None:
    match = at("A1 A3 A6 A8 C1 C3 C6 C8", "D2 D4 D5 D7 E1 F1 G1 H1")
    assert set(match.legal()) == {"pass"}
    assert not GAME.stops(match.position, "pass")
    assert match.game.outcome(match.position) is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("w", "."), "8 white pawns"),
        (("b", "."), "8 black pawns"),
        (("b", "w"), "8 white pawns"),
    ],
)
def test_no_pawn_is_ever_missing(change: tuple[str, str], fault: str) -> None:
    text = GAME.write(GAME.start()).replace(*change, 1)
    with pytest.raises(ValueError, match=fault):
        GAME.read(text)


def test_a_pawn_in_its_own_goal_is_impossible() -> None:
    with pytest.raises(ValueError, match="white pawn stands in its own goal"):
        at("H4 F1 F3 F5 F7 G2 G6 H8")
    with pytest.raises(ValueError, match="black pawn stands in its own goal"):
        at("F1 F3 F5 F7 G2 G4 G6 G8", "A4 A1 A2 A3 B1 B2 B3 C1")


def test_a_game_won_before_is_impossible() -> None:
    with pytest.raises(ValueError, match="won already"):
        at("A4 F1 F3 F5 F7 G2 G6 H8")
    with pytest.raises(ValueError, match="two pawns stand in goals"):
        at("A4 A5 F1 F3 F5 F7 G2 G6", turn=1)


@pytest.mark.parametrize("count", perft_cases("buts"))
def test_perft(count: Count) -> None:
    count.holds()


def test_rare_rules_are_met() -> None:
    met: Counter[str] = Counter()
    for position in positions(GAME, random.Random(8), 600):
        moves = dict(GAME.moves(position))
        met["pass"] += "pass" in moves
        met["a chain of three jumps"] += any(text.count("^") >= 3 for text in moves)
        met["a goal"] += any(GAME.outcome(after) for after in moves.values())
        met["white in the other camp"] += "w" in position.board[:32]
        met["black in the other camp"] += "b" in position.board[32:]
    assert all(met[rule] for rule in met), met
    assert len(met) == 5
