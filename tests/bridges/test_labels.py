"""Labels = what the tables, the certificates and the plain rules say of every move."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from corpus import few_pawns, positions
from solutions import endgames_of, solution_of

import quinconce
from quinconce import Game, Match
from quinconce.bridges.actions import actions_of
from quinconce.bridges.batch import Batch
from quinconce.bridges.labels import Labels, label_positions, labels
from quinconce.core.value import RESULTS, Value, preference
from quinconce.engine.solved import move_oracle

FEW = 4  # pieces of the endings that are solved here


def compare(game: Game[Any], found: Labels, n: int, moves: dict[str, Value]) -> None:
    """The labels of a position at the beginning of a turn, by what each move is worth."""
    top = max(moves.values(), key=preference)
    assert found.value[n] == RESULTS.index(top.result) - 1
    right, best = set(), set()
    for text, value in moves.items():
        first = {path[0] for path in actions_of(game).paths(text)}
        right |= first if value.result == top.result else set()
        best |= first if preference(value) == preference(top) else set()
    assert set(np.flatnonzero(found.right[n])) == right
    assert set(np.flatnonzero(found.best[n])) == best


@pytest.mark.slow
def test_a_solved_game_has_the_labels_of_its_table() -> None:
    game = quinconce.game("diadema")
    sample = list(positions(game, random.Random(3), 300))
    found = label_positions(game, sample)
    for n, position in enumerate(sample):
        over = game.outcome(position) is not None
        assert found.known[n] == found.complete[n] == (not over)
        if not over:
            value = solution_of(game).value(position)
            assert found.distance[n] == (-1 if value.plies is None else value.plies)
            compare(game, found, n, solution_of(game).move_values(position))
    assert {-1, 0, 1} == set(found.value)


@pytest.mark.slow
def test_endings_have_the_labels_of_their_table_with_the_plies_to_the_next_capture() -> None:
    game = quinconce.game("seega")
    table, chance = endgames_of(game, FEW), random.Random(4)
    sample = [few_pawns(game, chance, FEW) for _position in range(1000)] + [game.start()]
    found = label_positions(game, sample, pieces=FEW)
    assert not found.known[-1]
    for n, position in enumerate(sample[:-1]):
        value = table.value(position)
        assert value
        assert found.known[n]
        assert found.distance[n] == (-1 if value.plies is None else value.plies)
        compare(game, found, n, ending_values(game, table, position))
    assert {-1, 0, 1} == set(found.value)


def ending_values(game: Game[Any], table: Any, position: Any) -> dict[str, Value]:
    """What each move is worth; a capture ends what the plies are counted to."""
    values = {}
    for text, after in game.moves(position):
        if outcome := game.outcome(after):
            won = game.seat(position) in outcome.winners
            values[text] = Value("win" if won else "loss", 1)
            continue
        value = table.value(after).one_ply_earlier()
        quiet = game.is_quiet(position, after) or value.plies is None
        values[text] = value if quiet else Value(value.result, 1)
    return values


@pytest.mark.slow
def test_a_win_that_the_quiet_turns_do_not_leave_time_for_is_not_known() -> None:
    game = quinconce.game("seega", quiet=2)
    chance = random.Random(5)
    sample = [few_pawns(game, chance, FEW) for _position in range(300)]
    batch = Batch(game, len(sample))
    batch.reset(positions=sample)
    for _step in range(2):
        batch.step(batch.random_actions())
    found = labels(batch, pieces=FEW)
    quiet = np.array([Match(game, batch.position(n)).quiet for n in range(len(sample))])
    assert (quiet == 0).all()
    late = batch.games.quiet + found.distance > 2
    assert not (found.known & late & (found.value != 0)).any()
    assert found.known.any()


@pytest.mark.slow
def test_the_second_touch_of_a_turn_has_labels_too() -> None:
    game = quinconce.game("diadema")
    batch = Batch(game, 400, seed=2)
    for _step in range(9):
        batch.step(batch.random_actions())
    found, halves = labels(batch), 0
    for n in np.flatnonzero(~batch.done).tolist():
        if len(batch.path(n)) == 1:
            halves += 1
            values = solution_of(game).move_values(batch.position(n))
            top = max(values.values(), key=preference)
            right = {
                path[1]
                for text, value in values.items()
                for path in actions_of(game).paths(text)
                if len(path) == 2 and path[:1] == batch.path(n) and value.result == top.result
            }
            assert set(np.flatnonzero(found.right[n])) == right
    assert halves > 20
    assert not found.right[batch.done].any()


@pytest.mark.slow
def test_a_certificate_labels_the_positions_that_it_comes_by() -> None:
    game = quinconce.game("diam")
    match, oracle = Match(game), move_oracle(game)
    assert oracle
    sample = [match.position]
    chance = random.Random(1)
    while not match.outcome():
        known = oracle.move_values(match.position)
        won = [text for text, value in known.items() if value.result == "win"]
        match.play(chance.choice(won or list(match.legal())))
        sample.append(match.position)
    found = label_positions(game, sample)
    assert found.value[0] == -1
    assert found.known[:-1].all()
    assert not found.known[-1]
    assert set(found.value[:-1]) == {-1, 1}
    for n, position in enumerate(sample[:-1]):
        compare(game, found, n, oracle.move_values(position))
        assert found.distance[n] == oracle.plies_to_end(position)
    assert found.complete[0]


def test_a_game_of_which_nothing_is_solved_has_no_labels() -> None:
    with pytest.raises(ValueError, match="nothing is solved"):
        label_positions(quinconce.game("buts"), [quinconce.game("buts").start()])
