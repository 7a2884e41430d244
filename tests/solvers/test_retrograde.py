"""Games solved backwards: the known figures, and values that the plain rules agree with."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from brute_force import plies_to_win
from corpus import FORMS, form_id, positions
from solutions import solution_of

import quinconce
from quinconce import Game
from quinconce.core.game import after_moves
from quinconce.core.value import Value
from quinconce.kernels.compiled import states_with_implementation
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import index_count
from quinconce.solvers.retrograde import SolutionStatistics, solution

INDEXED = [
    game
    for game in FORMS
    if type(kernel_for(game).encode(game.start())) in states_with_implementation[index_count]
]
every_solved_game = pytest.mark.parametrize("game", INDEXED, ids=form_id)


def test_the_star_is_drawn() -> None:
    game = quinconce.game("diadema")
    found = solution_of(game)
    assert found.statistics == SolutionStatistics(1_583_603, 735_491, 460_873, 45, 46, 199_738)
    assert sum(found.statistics[:3]) == 2_779_967
    assert found.value(game.start()) == Value("draw")
    assert set(found.move_values(game.start()).values()) == {Value("draw")}


def test_the_first_mistake_is_possible_on_ply_4() -> None:
    game = quinconce.game("diadema")
    found = solution_of(game)
    layer = {game.start()}
    for _ply in range(3):
        layer = {after for position in layer for _text, after in game.moves(position)}
        assert {found.value(position).result for position in layer} == {"draw"}
    assert any(
        value.result == "loss"
        for position in layer
        for value in found.move_values(position).values()
    )


@every_solved_game
def test_a_value_is_that_of_the_best_move(game: Game[Any]) -> None:
    """Nearest win, else a draw, else the farthest loss: by the plain rules, one ply ahead."""
    found = solution_of(game)
    met = set()
    for position in positions(game, random.Random("values"), 1500):
        value = found.value(position)
        if game.outcome(position):
            assert value == Value("loss", 0)
            continue
        moves = found.move_values(position)
        assert set(moves) == dict(game.moves(position)).keys()
        wins, losses = (
            [move.plies or 0 for move in moves.values() if move.result == result]
            for result in ("win", "loss")
        )
        if wins:
            assert value == Value("win", min(wins))
        elif len(losses) < len(moves):
            assert value == Value("draw")
        else:
            assert value == Value("loss", max(losses))
        met.add(value.result)
    assert met == {"win", "draw", "loss"}


@every_solved_game
def test_short_wins_are_found_by_the_plain_rules_too(game: Game[Any]) -> None:
    found = solution_of(game)
    short = 0
    for position in positions(game, random.Random("short"), 120):
        if game.outcome(position) is None:
            value = found.value(position)
            quick = value.result == "win" and (value.plies or 0) <= 3
            assert bool(plies_to_win(game, position, 3)) == quick, game.write(position)
            short += quick and value.plies == 3
    assert short


@every_solved_game
def test_the_longest_win_takes_as_long_as_it_says(game: Game[Any]) -> None:
    """Played out with the plain rules, the winner in a hurry and the loser not."""
    found = solution_of(game)
    chance = random.Random("long")
    sample = [p for p in positions(game, chance, 3000) if found.value(p).result == "win"]
    position = max(sample, key=lambda p: found.value(p).plies or 0)
    value = found.value(position)
    winner, plies = game.seat(position), 0
    while not (over := game.outcome(position)):
        moves = found.move_values(position)
        best = [text for text, worth in moves.items() if worth == found.value(position)]
        position = after_moves(game, position, [chance.choice(best)])
        plies += 1
    assert winner in over.winners
    assert plies == value.plies
    assert plies > 10


@every_solved_game
def test_an_impossible_position_has_no_value(game: Game[Any]) -> None:
    start = game.start()
    crowd = start._replace(board=game.letters[0] * len(start.board))
    with pytest.raises(ValueError, match="more than"):
        solution_of(game).value(crowd)


def test_a_game_without_numbers_has_no_solution() -> None:
    assert INDEXED
    for game in FORMS:
        if game not in INDEXED and game.cells[-1] != "i1":
            assert solution(game) is None


def test_a_game_is_solved_once_a_process() -> None:
    games = [quinconce.game("diadema") for _thread in range(4)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(solution, games))
    assert found[0]
    assert all(other is found[0] for other in found)
