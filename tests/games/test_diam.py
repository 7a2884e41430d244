"""The rules of Diam, sheet by sheet: the 1997 sheet of the authors and the 2003 edition."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from corpus import positions
from moves import played, why
from perft_tables import Count, counts

import quinconce
from quinconce import Game, Match, Outcome
from quinconce.core.registry import forms

OLD: dict[str, Any] = {"edition": "1997"}
NEW: dict[str, Any] = {"edition": "2003"}


after = partial(played, "diam")


def at(board: str, turn: int = 0, **options: Any) -> Match[Any]:
    """A match from piles such as `1=rm 5=o`."""
    game = quinconce.game("diam", **options)
    piles = dict(word.split("=") for word in board.split())
    rows = "/".join(piles.get(cell, "").ljust(4, ".") for cell in "12345678")
    return Match(game, game.read(f"{rows} turn={turn}"))


def test_player_1_starts_and_places_one_of_two_colours() -> None:
    assert sorted(after("").legal()) == sorted(f"{c}@{cell}" for c in "ro" for cell in range(1, 9))
    assert sorted(after("", **OLD).legal()) == sorted(f"{c}@{n}" for c in "rj" for n in range(1, 9))


def test_in_1997_a_pawn_is_placed_on_an_empty_cell_only() -> None:
    match = after("r@1", **OLD)
    assert "v@1" not in match.legal()
    assert "v@2" in match.legal()
    assert "empty cells only" in why(match, "v@1")


def test_in_2003_a_pawn_is_placed_on_any_pile_of_three_or_less() -> None:
    match = at("1=rmo 2=rmon")
    assert {"r@1", "o@3"} <= set(match.legal())
    assert "r@2" not in match.legal()
    assert "5 pawns" in why(match, "r@2")


def test_each_colour_has_four_pawns() -> None:
    match = at("1=r 2=r 3=r 4=r")
    assert not any(text.startswith("r@") for text in match.legal())
    assert "o@8" in match.legal()
    assert "no red pawn is left" in why(match, "r@8")
    assert match.game.pieces(match.position)["r"] == ""
    assert match.game.pieces(match.position)["o"] == "oooo"


def test_a_pawn_moves_one_cell_clockwise_or_anticlockwise() -> None:
    moves = {text for text in at("1=r", **OLD).legal() if "-" in text}
    assert moves == {"1.1-2", "1.1-8"}
    assert "not next to" in why(at("1=r", **OLD), "1.1-3")


def test_everything_above_the_pawn_moves_with_it() -> None:
    match = at("3=rmon 4=n")
    match.play("3.3-4")
    assert match.game.pieces(match.position)["4.1"] == "n"
    assert match.game.pieces(match.position)["4.2"] == "o"
    assert match.game.pieces(match.position)["4.3"] == "n"
    assert "3.3" not in match.game.pieces(match.position)


def test_only_ones_own_pawns_are_moved() -> None:
    match = at("3=rm")
    assert {text for text in match.legal() if "-" in text} == {"3.1-2", "3.1-4"}
    assert "not yours" in why(match, "3.2-4")
    assert "no pawn at" in why(match, "3.3-4")
    assert "not yours" in why(match, "m@5")


def test_the_sheets_example_a_move_to_a_full_cell_is_not_allowed() -> None:
    """The blue pawn on cell 2 carries another: cell 1 would hold five, cell 3 takes them."""
    match = at("1=rjv 2=rbj 3=v", turn=1, **OLD)
    assert "2.2-1" not in match.legal()
    assert "would have 5 pawns" in why(match, "2.2-1")
    match.play("2.2-3")
    board = match.game.pieces(match.position)
    assert [board.get(f"3.{level}") for level in (1, 2, 3, 4)] == ["v", "b", "j", None]
    assert [board.get(f"2.{level}") for level in (1, 2)] == ["r", None]


def test_two_pawns_alike_on_opposite_cells_at_one_level_are_a_diam() -> None:
    match = at("1=m 5=mr", **NEW)
    match.play("r@1")
    assert match.outcome() == Outcome((0,), "diam")
    assert match.legal() == {}


@pytest.mark.parametrize("level", [2, 3, 4])
@pytest.mark.parametrize("cell", range(1, 9))
def test_a_diam_counts_on_every_axis_and_level_but_the_first(cell: int, level: int) -> None:
    facing = (cell + 3) % 8 + 1
    match = at(f"{cell}={'mnm'[: level - 1]} {facing}={'nmn'[: level - 1]}r")
    match.play(f"r@{cell}")
    assert match.outcome() == Outcome((0,), "diam")


def test_level_1_is_no_diam() -> None:
    assert after("r@1 m@2 r@5").outcome() is None


def test_two_colours_of_one_player_are_no_diam() -> None:
    match = at("1=m 5=mr")
    match.play("o@1")
    assert match.outcome() is None


def test_pawns_at_different_levels_are_no_diam() -> None:
    match = at("1=mn 5=mr")
    match.play("r@1")
    assert match.outcome() is None


def test_the_sheets_example_of_two_diams_the_higher_one_wins() -> None:
    """Yellow faces yellow on level 2 and blue faces blue on level 3: blue wins.

    A moved pile starts with the mover's own pawn, so yellow's player makes this one, and loses.
    """
    match = at("1=r 2=jb 5=rjb", **OLD)
    match.play("2.1-1")
    assert match.outcome() == Outcome((1,), "diam")


def test_two_diams_the_higher_wins_for_the_mover_too() -> None:
    """Player 2 makes yellow's diam on level 3 and blue's on level 4."""
    match = at("1=r 2=vjb 5=rbjb", turn=1, **OLD)
    match.play("2.1-1")
    assert match.outcome() == Outcome((1,), "diam")


def test_two_diams_of_the_mover_win() -> None:
    match = at("1=r 2=vb 5=rvb", turn=1, **OLD)
    match.play("2.1-1")
    assert match.outcome() == Outcome((1,), "diam")


def test_an_opponents_diam_wins_for_the_opponent() -> None:
    match = after("r@1 b@3 j@2 3.1-2 2.1-1 v@4 r@5 b@7 j@6 7.1-6 6.1-5", **OLD)
    assert match.outcome() == Outcome((1,), "diam")


def test_a_player_without_an_action_passes() -> None:
    moves = "r@2 m@1 r@2 m@1 r@2 m@1 r@2 m@1 o@3 n@4 o@3 n@4 o@3 n@4 o@3 n@4"
    match = after(moves)
    assert set(match.legal()) == {"pass"}
    assert "has to pass" in why(match, "r@5")
    match = after(
        "r@2 j@6 v@8 b@7 r@5 j@4 8.1-7 b@8 5.1-6 6.1-7 7.2-8 b@6 r@3 4.1-5 8.2-1 8.1-1 r@4 j@8",
        players=4,
        **OLD,
    )
    assert match.seat == 2
    assert set(match.legal()) == {"pass"}


def test_nobody_passes_who_can_play() -> None:
    assert "no other move" in why(after(""), "pass")


def test_four_players_in_1997_play_each_for_himself() -> None:
    match = after("r@1 j@2 v@3 b@4", players=4, **OLD)
    assert match.seat == 0
    assert match.game.sides == ((0,), (1,), (2,), (3,))
    assert {text[0] for text in match.legal() if "@" in text} == {"r"}
    assert {text for text in match.legal() if "-" in text} == {"1.1-2", "1.1-8"}


def test_four_players_in_2003_play_1_3_2_4_in_two_teams() -> None:
    match = after("", players=4)
    seats = []
    for text in ("r@1", "m@2", "o@3", "n@4"):
        seats.append(match.seat)
        match.play(text)
    assert seats == [0, 2, 1, 3]
    assert match.seat == 0
    assert match.game.sides == ((0, 1), (2, 3))


def test_a_partner_moves_the_partners_pawns_but_does_not_place_them() -> None:
    match = after("r@1 m@2 o@3 n@4", players=4)
    assert {text for text in match.legal() if "-" in text} == {"1.1-2", "1.1-8", "3.1-2", "3.1-4"}
    assert {text[0] for text in match.legal() if "@" in text} == {"r"}
    assert "not yours" in why(match, "o@5")


def test_a_team_wins_together() -> None:
    match = at("1=m 5=mo", turn=2, players=4)
    match.play("o@1")
    assert match.outcome() == Outcome((0, 1), "diam")
    match = at("1=r 5=rm", turn=1, players=3)
    match.play("m@1")
    assert match.outcome() == Outcome((1, 2), "diam")


def test_three_players_play_1_2_1_3() -> None:
    match = after("", players=3)
    seats, reserves = [], []
    for text in ("r@1", "m@2", "o@3", "n@4"):
        seats.append(match.seat)
        reserves.append({move[0] for move in match.legal() if "@" in move})
        match.play(text)
    assert seats == [0, 1, 0, 2]
    assert reserves == [{"r", "o"}, {"m"}, {"r", "o"}, {"n"}]


def test_the_position_of_three_players_holds_the_step_of_the_cycle() -> None:
    """The same board with player 1 to move, but another partner next, is another position."""
    one = at("1=r 2=m", turn=0, players=3).position
    two = at("1=r 2=m", turn=2, players=3).position
    assert one != two


def test_1997_with_three_players_is_refused() -> None:
    with pytest.raises(ValueError, match="no rules for 3 players"):
        quinconce.game("diam", edition=1997, players=3)


@pytest.mark.parametrize(
    ("board", "fault"),
    [
        ("rmonr/..../..../..../..../..../..../.... turn=0", "rows of 4"),
        ("rrrr/r.../..../..../..../..../..../.... turn=0", "more than 4 red"),
        (".r../..../..../..../..../..../..../.... turn=0", "floats"),
        ("v.../..../..../..../..../..../..../.... turn=0", "no piece 'v'"),
        ("..../..../..../..../..../..../..../.... turn=2", "from 0 to 1"),
        ("mr../no../..../..../nr../mo../..../.... turn=0", "different pairs"),
        ("..../..../..../..../..../..../..../....", "is not a position"),
        ("..../..../..../..../..../..../..../.... turn=00", "turn=NUMBER"),
        ("..../..../..../..../..../..../..../.... step=0", "turn=NUMBER"),
        ("", "is not a position"),
    ],
)
def test_an_impossible_position_is_refused(board: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        quinconce.game("diam").read(board)


@pytest.mark.parametrize("count", counts("diam"))
def test_perft(count: Count) -> None:
    count.holds()


def rare(game: Game[Any], before: Any, text: str, after: Any) -> list[str]:
    """The rare rules that a move meets, told by looking at the boards alone."""
    found = []
    if text == "pass":
        found.append(f"pass, {len(game.cycle)} turns")
    facing = [i for i in range(16) if i % 4 and "." != after.board[i] == after.board[i + 16]]
    won = game.outcome(after)
    if won and game.seat(before) not in won.winners:
        found.append("an opponent's diam")
    if len(facing) > 1:
        owners = {game.side(game.owner(after.board[i])) for i in facing}  # type: ignore[attr-defined]
        found.append("two diams of one side" if len(owners) == 1 else "two diams of two sides")
    return found


def test_rare_rules_are_met() -> None:
    met: Counter[str] = Counter()
    chance = random.Random(1997)
    for game in forms("diam"):
        for position in positions(game, chance, 600):
            for text, following in game.moves(position):
                met.update(rare(game, position, text, following))
    assert met["pass, 2 turns"]
    assert met["pass, 4 turns"]
    assert met["an opponent's diam"]
    assert met["two diams of one side"]
    assert met["two diams of two sides"]
