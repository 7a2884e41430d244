"""A match: repetition, passing all round, quiet turns, resignation, agreement, takebacks."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from moves import match_after

import quinconce
from quinconce import Game, GameOverError, IllegalMoveError, InvalidMoveError, Match, Outcome


def test_play_returns_the_position_and_keeps_the_moves() -> None:
    match = match_after("diadema", "@A @B")
    assert match.moves == ["@A", "@B"]
    assert match.play("A-1") == match.position
    assert match.legal()["@A"] == match.game.after(match.position, "@A")


def test_a_move_that_is_known_is_played_without_being_looked_for() -> None:
    known, played = match_after("diam", "r@1 m@5"), match_after("diam", "r@1 m@5")
    for text in ["1.1-2", "5.1-6", "2.1-1", "6.1-5"]:
        assert known.repetitions == 0
        known.append(text, known.legal()[text])
        assert known.position == played.play(text)
    assert known.moves == played.moves
    assert (known.repetitions, known.passes) == (1, 0)


def test_undo_takes_back_the_last_move() -> None:
    match = match_after("diadema", "@A @B")
    before = match.position
    match.play("A-1")
    assert match.undo() == "A-1"
    assert match.position == before
    assert match.moves == ["@A", "@B"]


def test_undo_opens_a_match_that_was_over() -> None:
    match = match_after("diadema", "@A @D @1 @E @2 @F @C")
    assert match.outcome() == Outcome((0,), "line")
    match.undo()
    assert match.outcome() is None
    assert "@C" in match.legal()


def test_undo_without_a_move_is_refused() -> None:
    with pytest.raises(ValueError, match="no move to take back"):
        Match(quinconce.game("diadema")).undo()


def test_the_start_counts_as_an_occurrence() -> None:
    match = match_after("buts", "")
    for text in ["G2-G1", "B1-A1", "G1-G2", "A1-B1"] * 2:
        assert match.outcome() is None
        match.play(text)
    assert match.outcome() == Outcome((), "repetition")


def test_a_position_with_another_player_to_move_is_another_position() -> None:
    """Three times the same board, but once with the other player to move."""
    match = Match(quinconce.game("diadema"))
    for text in ("@A", "@D", "A-B", "D-C", "B-A", "C-D", "A-1", "D-E", "1-B", "E-D"):
        match.play(text)
    boards = [position.board for position in match.positions]
    assert boards.count(match.position.board) == 2
    assert match.outcome() is None


def test_undo_forgets_an_occurrence() -> None:
    match = match_after("buts", "")
    for text in ["G2-G1", "B1-A1", "G1-G2", "A1-B1"] * 2:
        match.play(text)
    for _time in range(4):
        match.undo()
    assert match.outcome() is None
    match.play("G2-G1")
    assert match.outcome() is None


def test_a_match_can_start_from_any_position() -> None:
    game = quinconce.game("diadema")
    match = Match(game, game.read("ccc..../ff..... turn=0"))
    match.play("@D")
    assert match.outcome() == Outcome((0,), "circle")


def test_a_match_from_a_finished_position_is_over() -> None:
    game = quinconce.game("diadema")
    match = Match(game, game.read("cccc.../fff.... turn=1"))
    assert match.outcome() == Outcome((0,), "circle")
    assert match.legal() == {}


def test_an_impossible_start_is_refused() -> None:
    game = quinconce.game("diadema")
    with pytest.raises(ValueError, match="more than 6"):
        Match(game, game.start()._replace(board="ccccccc......."))


def far_apart(turn: int) -> Match[Any]:
    """All sixteen pawns in the other camp, none next to a friend: nobody can move."""
    game = quinconce.game("buts")
    white, black = "w.w..w.w", "b.b..b.b"
    rows = [white, "........", white, "........", "........", black, "........", black]
    return Match(game, game.read(f"{'/'.join(rows)} turn={turn}"))


def test_everybody_passing_is_a_draw() -> None:
    match = far_apart(0)
    match.play("pass")
    assert match.outcome() is None
    match.play("pass")
    assert match.outcome() == Outcome((), "passes")
    assert match.legal() == {}


class Still(Game[Any]):
    """A game in which nobody can ever do anything, with the turns of one against two."""

    cells, letters, width, cycle, notation = ("a",), "w", 1, (0, 1, 0, 2), "a"
    sides = ((0,), (1, 2))
    start = Mock(return_value=quinconce.game("diadema").start()._replace(board="."))
    outcome = Mock(return_value=None)
    actions = why = kinds = players = symmetries = Mock(side_effect=lambda _p: iter(()))
    make_board = actions


@pytest.mark.parametrize(("turn", "passes"), [(0, 4), (1, 3), (2, 4), (3, 3)])
def test_a_pass_of_three_players_is_counted_by_player_not_by_turn(turn: int, passes: int) -> None:
    """Player 1 has two turns in a cycle: 2, 1 and 3 have all passed before 1 comes again."""
    game = Still()
    match = Match(game, game.start()._replace(turn=turn))
    for _time in range(passes):
        assert match.outcome() is None
        match.play("pass")
    assert match.outcome() == Outcome((), "passes")


def test_errors_quote_the_move_and_the_position() -> None:
    match = match_after("diadema", "@A")
    with pytest.raises(IllegalMoveError) as refused:
        match.play("@A")
    assert refused.value.text == "@A"
    assert refused.value.position == "c....../....... turn=1"
    assert "'@A'" in str(refused.value)
    assert "c....../....... turn=1" in str(refused.value)
    with pytest.raises(InvalidMoveError, match="'knight f3'"):
        match.play("knight f3")
    assert isinstance(refused.value, ValueError)


def test_a_huge_text_is_not_quoted_whole() -> None:
    with pytest.raises(InvalidMoveError) as refused:
        match_after("diadema", "").play("x" * 1_000_000)
    assert len(str(refused.value)) < 500


def test_nothing_is_played_after_the_end() -> None:
    match = match_after("diadema", "@A @D @1 @E @2 @F @C")
    with pytest.raises(GameOverError, match="four on a line"):
        match.play("@B")
    with pytest.raises(GameOverError):
        match.play("nonsense")
    with pytest.raises(GameOverError):
        match.game.after(match.position, "@B")


def test_resigning_loses() -> None:
    match = match_after("buts", "G2-G1")
    assert match.resign(1) == Outcome((0,), "resignation")
    assert match.legal() == {}
    with pytest.raises(ValueError, match="is over"):
        match.resign(0)


def test_in_a_team_both_partners_have_to_resign() -> None:
    match = match_after("diam", "", players=4)
    assert match.resign(2) is None
    assert match.outcome() is None
    assert match.resign(3) == Outcome((0, 1), "resignation")


def test_resigning_alone_against_a_team() -> None:
    match = match_after("diam", "", players=3)
    assert match.resign(0) == Outcome((1, 2), "resignation")


def test_a_partners_wish_to_resign_lapses_with_the_next_move() -> None:
    match = match_after("diam", "", players=4)
    match.resign(0)
    match.play("r@1")
    assert match.resign(1) is None
    assert match.outcome() is None


def test_a_wish_can_be_withdrawn() -> None:
    match = match_after("buts", "")
    match.agree(0)
    match.withdraw()
    assert match.agree(1) is None


def test_each_for_himself_nobody_resigns() -> None:
    match = match_after("diam", "", edition=1997, players=4)
    with pytest.raises(ValueError, match="another plays on"):
        match.resign(0)
    with pytest.raises(ValueError, match="another plays on"):
        match.run_out(0)


def test_everybody_agreeing_to_stop_is_a_draw() -> None:
    match = match_after("diam", "", players=4)
    for seat in (0, 1, 2):
        assert match.agree(seat) is None
    assert match.agree(3) == Outcome((), "agreement")


def test_an_offer_lapses_with_the_next_move() -> None:
    match = match_after("buts", "")
    match.agree(0)
    match.play("G2-G1")
    assert match.agree(1) is None


def test_running_out_of_time_loses_for_ones_side() -> None:
    match = match_after("diam", "", players=4)
    assert match.run_out(1) == Outcome((2, 3), "time")


def test_undo_takes_back_what_was_said() -> None:
    match = match_after("buts", "G2-G1")
    match.resign(1)
    match.undo()
    assert match.outcome() is None


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_an_unknown_seat_is_refused(seat: int) -> None:
    match = match_after("buts", "")
    for act in (match.resign, match.agree, match.run_out):
        with pytest.raises(ValueError, match="no seat"):
            act(seat)


def test_a_copy_is_played_on_by_itself() -> None:
    match = match_after("diadema", "@A @1 A-G 1-2 G-A")
    other = match.copy()
    other.play("2-1")
    other.resign(0)
    assert (len(match.moves), match.outcome(), match.resigning) == (5, None, set())
    assert (len(other.moves), other._occurrences[other.position]) == (6, 2)
    assert match._occurrences[other.position] == 1
