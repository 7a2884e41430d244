"""The rules of Seega, by its sheet, with every option."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from corpus import positions
from moves import match_after, refusal
from perft_tables import SETUP_B, SETUP_R, Count, perft_cases

import quinconce
from quinconce import Game, Match, Outcome
from quinconce.core.registry import game_forms

RING = {"b3", "d3", "c2", "c4"}


after = partial(match_after, "seega")


def at(
    white: str, black: str, turn: int = 0, phase: int = 2, duty: int = 0, **options: Any
) -> Match[Any]:
    """A match with pawns on these cells."""
    game = quinconce.game("seega", **options)
    pawns = dict.fromkeys(white.split(), "w") | dict.fromkeys(black.split(), "b")
    assert set(pawns) <= set(game.cells)
    board = "".join(pawns.get(cell, ".") for cell in game.cells)
    rows = "/".join(board[i : i + game.width] for i in range(0, len(board), game.width))
    return Match(game, game.read(f"{rows} turn={turn} phase={phase} duty={duty}"))


def cells(match: Match[Any], letter: str) -> set[str]:
    pieces = match.game.pieces(match.position)
    return {cell for cell, pawn in pieces.items() if pawn == letter and cell in match.game.cells}


# Phase 1


@pytest.mark.parametrize(("size", "pawns", "first"), [(5, 12, 276), (7, 24, 1128), (9, 40, 3160)])
def test_each_places_two_pawns_in_turn_white_first(size: int, pawns: int, first: int) -> None:
    match = after("", size=size)
    assert match.seat == 0
    assert len(match.legal()) == first
    assert match.game.pieces(match.position)["w"] == "w" * pawns
    match.play("@a1+b1")
    assert match.seat == 1
    assert match.game.pieces(match.position)["w"] == "w" * (pawns - 2)


def test_no_pawn_is_placed_on_the_centre() -> None:
    match = after("")
    assert not any("c3" in text for text in match.legal())
    assert "no pawn is placed on the centre" in refusal(match, "@c3+d4")


def test_pawns_are_placed_on_empty_cells_named_in_order() -> None:
    match = after("@a1+b1")
    assert "b1 is not empty" in refusal(match, "@b1+c1")
    assert "in order" in refusal(match, "@d4+b2")
    assert "two different cells" in refusal(match, "@d4+d4")
    assert "still being placed" in refusal(match, "a1-a2")


@pytest.mark.parametrize("size", [5, 7, 9])
def test_a_placement_is_checked_without_the_others(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = quinconce.game("seega", size=size)
    position, chance = rules.start(), random.Random(size)
    while position.phase == 1:
        legal = dict(rules.moves(position))
        cells = [cell for cell in rules.cells if cell not in ("a1", "b2")] + ["a1", "z9", ""]
        pairs = [f"@{chance.choice(cells)}+{chance.choice(cells)}" for _pair in range(200)]
        tried = [*legal, *pairs, "@", "@a1", "@a1+b1+c1", "@+", "a1-a2", "~a1", "pass"]
        assert {text: rules.successor(position, text) for text in tried} == {
            text: legal.get(text) for text in tried
        }
        position = chance.choice(list(legal.values()))
    move, _after = next(rules.moves(rules.start()))

    def listed(*_position: Any) -> Any:
        raise AssertionError("all placements were listed")

    monkeypatch.setattr(type(rules), "placements", listed)
    assert rules.after(rules.start(), move)


def test_black_may_not_surround_the_centre() -> None:
    match = after("@a1+b1 @b3+d3 @d1+e1 @a5+c2 @a2+e2")
    assert not any("c4" in text for text in match.legal())
    assert "may not surround the centre" in refusal(match, "@a4+c4")
    assert "@a4+b5" in match.legal()


def test_black_may_not_surround_the_centre_with_two_at_once() -> None:
    match = after("@a1+b1 @b3+d3 @d1+e1")
    assert "@c2+c4" not in match.legal()
    assert {"@b2+c2", "@b2+c4"} <= set(match.legal())


def test_white_may_surround_the_centre() -> None:
    match = after("@b3+d3 @a1+b1")
    assert "@c2+c4" in match.legal()


def test_black_surrounds_the_centre_if_no_other_cell_is_left() -> None:
    match = after(SETUP_R.rsplit(" ", 1)[0])
    assert set(match.legal()) == {"@c2+c4"}
    match.play("@c2+c4")
    assert cells(match, "b") >= RING
    assert match.position.phase == 2


def test_white_moves_first_in_phase_2_and_only_the_centre_is_empty() -> None:
    match = after(SETUP_B)
    assert match.position.phase == 2
    assert match.seat == 0
    assert all(text[3:5] == "c3" for text in match.legal())
    assert "all pawns have been placed" in refusal(match, "@a1+b1")


# Phase 2: moving


def test_a_pawn_slides_any_distance_along_rows_and_columns() -> None:
    match = at("b2", "e5")
    assert set(match.legal()) == {
        f"b2-{to}" for to in ["a2", "c2", "d2", "e2", "b1", "b3", "b4", "b5"]
    }
    assert "no free straight way" in refusal(match, "b2-c3")


def test_with_step_a_pawn_moves_one_cell() -> None:
    match = at("b2", "e5", reach="step")
    assert set(match.legal()) == {"b2-a2", "b2-c2", "b2-b1", "b2-b3"}
    assert "next to" in refusal(match, "b2-d2")


def test_a_pawn_passes_over_no_occupied_cell() -> None:
    match = at("b2 b4", "d2")
    assert {text for text in match.legal() if text.startswith("b2")} == {
        "b2-a2",
        "b2-c2",
        "b2-b1",
        "b2-b3",
    }
    assert "no free straight way" in refusal(match, "b2-e2")


def test_a_pawn_may_enter_and_cross_the_centre() -> None:
    match = at("b3", "e5")
    assert {"b3-c3", "b3-d3"} <= set(match.legal())


# Phase 2: capturing


@pytest.mark.parametrize(
    ("white", "black", "text", "victim"),
    [
        ("a1 c3", "b1 e5", "c3xc1", "b1"),
        ("e4 c2", "d4 a1", "c2xc4", "d4"),
        ("b4 d2", "b3 e1", "d2xb2", "b3"),
        ("d1 a3", "d2 a1", "a3xd3", "d2"),
    ],
)
def test_an_enemy_between_the_moved_pawn_and_another_is_captured(
    white: str, black: str, text: str, victim: str
) -> None:
    match = at(white, black)
    match.play(text)
    assert cells(match, "b") == set(black.split()) - {victim}


def test_one_move_captures_in_several_directions() -> None:
    match = at("a2 e2 c4 c5", "b2 d2 e5")
    match.play("c4xc2")
    assert cells(match, "b") == {"e5"}


def test_two_enemies_in_a_row_are_not_captured() -> None:
    match = at("a1 d3", "b1 c1 e5")
    assert not any("x" in text for text in match.legal())


def test_only_the_moved_pawn_captures() -> None:
    """b1 stands between two white pawns already: another pawn's move does not take it."""
    match = at("a1 c1 e4", "b1 d5")
    match.play("e4-e3")
    assert cells(match, "b") == {"b1", "d5"}


def test_moving_between_two_enemies_is_safe() -> None:
    match = at("b3", "a1 c1 e5")
    match.play("b3-b1")
    assert cells(match, "w") == {"b1"}
    assert match.outcome() is None
    assert not any("x" in text for text in match.legal())  # staying there is safe as well


def test_the_centre_is_a_refuge() -> None:
    match = at("b3 d5", "c3 e1")
    assert not any("x" in text for text in match.legal())
    match.play("d5-d3")
    assert "c3" in cells(match, "b")


def test_a_pawn_on_the_centre_helps_to_capture() -> None:
    match = at("c3 e1", "d3 a5")
    match.play("e1xe3")
    assert cells(match, "b") == {"a5"}


def test_a_pawn_moving_to_the_centre_captures() -> None:
    match = at("a3 c5", "b3 e1")
    match.play("c5xc3")
    assert cells(match, "b") == {"e1"}


def test_the_edge_does_not_help_to_capture() -> None:
    match = at("c5 d5", "a1 e1")
    assert not any("x" in text for text in match.legal())


def test_captures_are_compulsory() -> None:
    match = at("a1 c3 e4", "b1 d5")
    assert set(match.legal()) == {"c3xc1"}
    assert "a capture to make: c3xc1" in refusal(match, "e4-e3")
    assert "a capture to make: c3xc1" in refusal(match, "c3-c1")
    assert "a capture to make: c3xc1" in refusal(match, "e4xe3")  # as a board spells two touches


def three_to_take(**options: Any) -> Match[Any]:
    """From e1: b1 falls on c1 (with a1), b2 on b1 (with b3), c2 on b2 (with d2)."""
    return at("a1 a3 b3 d2 e1 e4", "b1 b2 b4 c2 d4", **options)


def test_a_capturing_pawn_goes_on_as_long_as_it_can() -> None:
    match = three_to_take()
    assert set(match.legal()) == {"e1xc1xb1xb2"}
    assert "go on capturing: e1xc1xb1xb2" in refusal(match, "e1xc1")
    match.play("e1xc1xb1xb2")
    assert cells(match, "b") == {"b4", "d4"}
    assert cells(match, "w") == {"a1", "a3", "b3", "d2", "b2", "e4"}


def test_an_optional_chain_may_stop_after_any_capture() -> None:
    match = three_to_take(chain="optional")
    assert set(match.legal()) == {"e1xc1", "e1xc1xb1", "e1xc1xb1xb2"}
    assert "a capture to make" in refusal(match, "e4-e3")  # but the first one is compulsory
    match.play("e1xc1")
    assert cells(match, "b") == {"b2", "b4", "c2", "d4"}


def test_every_step_of_a_chain_captures() -> None:
    assert "does not capture" in refusal(three_to_take(), "e1xc1xd1")


# Blocked


def test_a_blocked_player_passes_and_the_other_has_to_let_him_out() -> None:
    match = after(SETUP_R)
    assert set(match.legal()) == {"pass"}
    match.play("pass")
    assert match.position.duty == 1
    assert match.seat == 1
    for _text, following in match.game.moves(match.position):
        assert set(dict(match.game.moves(following))) != {"pass"}


def test_the_duty_to_open_holds_where_it_can_be_met() -> None:
    """White a1 is shut in by a2 and b1; Black's other pawn can do nothing about it."""
    match = at("a1", "a2 b1 e5", turn=0)
    assert set(match.legal()) == {"pass"}
    match.play("pass")
    assert {text[:2] for text in match.legal()} == {"a2", "b1"}
    assert "let out" in refusal(match, "e5-e4")


def test_where_nothing_opens_any_move_will_do() -> None:
    """a1 is shut in by a2 and b1, which are shut in themselves: White passes again."""
    match = at("a1", "a2 b1 a3 b2 c1 e5", turn=0)
    match.play("pass")
    assert {"e5-e4", "a3-a4", "c1-d1"} <= set(match.legal())
    match.play("e5-e4")
    assert match.position.duty == 0
    assert set(match.legal()) == {"pass"}


def test_with_remove_white_takes_off_two_and_black_one() -> None:
    match = after(SETUP_R, blocked="remove")
    assert len(match.legal()) == 66
    assert all(text.startswith("~") and "+" in text for text in match.legal())
    match.play("~a1+a2")
    assert len(cells(match, "w")) == 10
    match = at("a2 b1 e5", "a1", turn=1, blocked="remove")
    assert set(match.legal()) == {"~a1"}


def test_with_remove_a_player_takes_off_all_he_has_if_fewer() -> None:
    match = at("a1", "a2 b1 e5", blocked="remove")
    assert set(match.legal()) == {"~a1"}
    match.play("~a1")
    assert match.outcome() == Outcome((1,), "grand")


def test_only_a_blocked_player_takes_off_pawns() -> None:
    assert "only a blocked player" in refusal(at("a1", "e5", blocked="remove"), "~a1")
    match = after(SETUP_R, blocked="remove")
    assert "White takes off two" in refusal(match, "~a1")
    assert "no pawn of yours" in refusal(match, "~b3")


# The end


def test_a_player_with_no_pawns_left_has_lost_the_grand_victory() -> None:
    match = at("a1 c3", "b1")
    match.play("c3xc1")
    assert match.outcome() == Outcome((0,), "grand")
    assert match.legal() == {}


def wander(match: Match[Any], turns: int) -> None:
    """Quiet moves to new positions on 9×9: White stays below row 5 and Black above it."""
    for _turn in range(turns):
        side = "1234" if match.seat == 0 else "6789"
        new = [text for text, to in match.legal().items() if to not in match.positions]
        match.play(next(text for text in new if text[-1] in side))


@pytest.mark.parametrize(
    ("white", "black", "outcome"),
    [
        ("a1 b1", "i9", Outcome((0,), "minor", "quiet")),
        ("a1", "i9 h9", Outcome((1,), "minor", "quiet")),
        ("a1", "i9", Outcome((), "equal", "quiet")),
    ],
)
def test_40_quiet_turns_jam_the_game_and_the_pawns_are_counted(
    white: str, black: str, outcome: Outcome
) -> None:
    match = at(white, black, size=9)
    wander(match, 39)
    assert match.outcome() is None
    wander(match, 1)
    assert match.outcome() == outcome


def test_the_quiet_limit_is_an_option() -> None:
    match = at("a1", "e5", quiet=2)
    match.play("a1-a2")
    assert match.outcome() is None
    match.play("e5-e4")
    assert match.outcome() == Outcome((), "equal", "quiet")
    match = at("a1", "i9", size=9, quiet="none")
    wander(match, 60)
    assert match.outcome() is None


def test_a_capture_starts_the_quiet_count_anew() -> None:
    match = at("a1 c4", "b2 e5 e4", quiet=3)
    match.play("c4-c3")
    match.play("b2-b1")
    assert match.quiet == 2
    match.play("c3xc1")
    assert match.quiet == 0
    assert match.outcome() is None


def test_the_quiet_count_does_not_count_phase_1() -> None:
    """Placing takes no pawn off the board either, but only turns of phase 2 are counted."""
    match = after(SETUP_B, quiet=2)
    assert match.quiet == 0
    assert match.outcome() is None


def test_a_pass_is_a_quiet_turn() -> None:
    match = after(SETUP_R, quiet=2)
    match.play("pass")
    assert match.quiet == 1
    match.play(next(iter(match.legal())))
    assert match.outcome() == Outcome((), "equal", "quiet")


def test_taking_off_ones_own_pawns_is_no_quiet_turn() -> None:
    match = after(SETUP_R, quiet=2, blocked="remove")
    match.play("~a1+a2")
    assert match.quiet == 0


def test_the_third_repetition_jams_the_game() -> None:
    match = at("a1 b1", "e5")
    for text in ["a1-a2", "e5-e4", "a2-a1", "e4-e5"] * 2:
        assert match.outcome() is None
        match.play(text)
    assert match.outcome() == Outcome((0,), "minor", "repetition")


def test_agreement_is_the_barrier_and_the_pawns_are_counted() -> None:
    match = at("a1", "e5 e4")
    match.agree(0)
    assert match.outcome() is None
    assert match.agree(1) == Outcome((1,), "minor", "agreement")


def test_agreement_while_placing_is_equal() -> None:
    match = after("@a1+a2")
    match.agree(0)
    assert match.agree(1) == Outcome((), "equal", "agreement")


def test_after_a_pass_the_position_is_another_one() -> None:
    before = at("a1", "a2 b1 e5", turn=1).position
    after_pass = at("a1", "a2 b1 e5", turn=1, duty=1).position
    assert before != after_pass


@pytest.mark.parametrize(
    ("white", "black", "extra", "fault"),
    [
        ("a1", "", {"phase": 1}, "two at a time"),
        ("a1 a2", "", {"phase": 1}, "two at a time"),
        ("a1 a2", "c3 b1", {"phase": 1}, "on the centre"),
        ("a1 a2 a3 a4", "b3 d3 c2 c4", {"phase": 1}, "surround"),
        ("", "", {"phase": 2}, "is empty"),
        ("a1", "e5", {"duty": 1}, "no duty"),
        ("a1 a2", "", {"phase": 1, "turn": 1, "duty": 1}, "no duty"),
        ("a1", "a2 b1", {"duty": 1, "turn": 1, "blocked": "remove"}, "no duty"),
        ("", "a2 b1", {"duty": 1, "turn": 1}, "no duty"),
        ("a1", "e5", {"phase": 3}, "phase must be"),
        ("a1", "e5", {"duty": 2}, "phase must be"),
        ("a1 a2 a3 a4 a5 b1 b2 b4 b5 c1 c2 c4 c5", "e5", {}, "more than 12"),
    ],
)
def test_an_impossible_position_is_refused(
    white: str, black: str, extra: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        at(white, black, **extra)


@pytest.mark.parametrize(
    "value", ["1", "1001", "-2", "4.5", "040", "None", "", 1, 1001, 40.0, True]
)
def test_quiet_is_a_number_from_2_to_1000_or_none(value: Any) -> None:
    with pytest.raises(ValueError, match="a number from 2 to 1000"):
        quinconce.game("seega", quiet=value)


@pytest.mark.parametrize("value", [2, "2", 40, "999", 1000, "none"])
def test_quiet_is_normalised(value: Any) -> None:
    assert quinconce.game("seega", quiet=value).chosen["quiet"] == str(value)


@pytest.mark.parametrize("count", perft_cases("seega"))
def test_perft(count: Count) -> None:
    count.holds()


def rare(game: Game[Any], before: Any, text: str, following: Any) -> list[str]:
    """The rare rules that a move meets."""
    mover = "wb"[before.turn]
    ring = [game.cells.index(cell) for cell in ring_of(game)]
    found = []
    if text == "pass" or text[0] == "~":
        found.append(f"{mover} blocked, {game.chosen['blocked']}")
    if before.phase == 1 and all(following.board[cell] == "b" for cell in ring):
        found.append("forced ring")
    if text.count("x") >= 3:
        found.append("a chain of three captures")
    if before.duty:
        found.append("duty")
    if game.outcome(following):
        found.append("grand")
    return found


def ring_of(game: Game[Any]) -> list[str]:
    """The four neighbours of the centre, by name."""
    centre = game.cells[len(game.cells) // 2]
    column, row = centre[0], centre[1]
    return [
        f"{chr(ord(column) + dx)}{int(row) + dy}" for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))
    ]


def test_rare_rules_are_met() -> None:
    met: Counter[str] = Counter()
    chance = random.Random(40)
    for game in game_forms("seega"):
        if game.chosen["quiet"] == "40" and game.width == 5:
            sample = list(positions(game, chance, 800))
            match = Match(game)
            for text in SETUP_R.split():
                sample.append(match.position)
                match.play(text)
            for position in sample:
                for text, following in game.moves(position):
                    met.update(rare(game, position, text, following))
    for rule in (
        "w blocked, replay",
        "w blocked, remove",
        "b blocked, replay",
        "b blocked, remove",
        "forced ring",
        "a chain of three captures",
        "duty",
        "grand",
    ):
        assert met[rule], rule
