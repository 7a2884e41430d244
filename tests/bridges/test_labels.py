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
from quinconce.engine.solved import move_oracle, positions_seen_twice, proved_moves

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
        assert found.known[n] == found.complete[n] == (value.result != "draw")
        assert found.distance[n] == (-1 if value.plies is None else value.plies)
        if found.known[n]:
            compare(game, found, n, ending_values(game, table, position))
        else:  # the pawns are counted in the end, and the table does not know how many are left
            assert not found.right[n].any()
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
def test_an_action_that_the_quiet_turns_do_not_leave_time_for_is_not_right() -> None:
    """A move is right if the other side has lost after it, in the quiet turns that are left."""
    game, chance = quinconce.game("seega"), random.Random(6)
    late = game.read("..w.b/b..../...../.b.../..... turn=1 phase=2 duty=0")
    sample = [late, *(few_pawns(game, chance, FEW) for _position in range(2000))]
    quiet = [35, *(chance.randrange(28, 40) for _position in sample[1:])]
    found, wins = labels_after(game, sample, quiet), 0
    for n in np.flatnonzero(found.known & (found.value > 0)).tolist():
        moves = list(game.moves(sample[n]))
        quiets = [quiet[n] + 1 if game.is_quiet(sample[n], after) else 0 for _text, after in moves]
        there = labels_after(game, [after for _text, after in moves], quiets)
        right = set()
        for row, (text, after) in enumerate(moves):
            if game.outcome(after) or (there.known[row] and there.value[row] < 0):
                right |= {path[0] for path in actions_of(game).paths(text)}
        assert set(np.flatnonzero(found.right[n])) == right
        wins += 1
    assert wins > 50
    names = actions_of(game).numbers
    batch = Batch(game, 1)
    batch.reset(positions=[late])
    batch.games.quiet[:] = 35
    batch.step([names["e5"]])
    assert not labels(batch, pieces=FEW).right[0, names["d5"]]


def labels_after(game: Game[Any], sample: list[Any], quiet: list[int]) -> Labels:
    """The labels of positions after as many quiet turns."""
    batch = Batch(game, len(sample))
    batch.reset(positions=sample)
    batch.games.quiet[:] = quiet
    return labels(batch, pieces=FEW)


@pytest.mark.slow
def test_what_a_repetition_ends_is_not_called_won() -> None:
    game = quinconce.game("diadema")
    actions, match = actions_of(game), Match(game, game.read("...ff.c/f..f.fc turn=0"))
    batch = Batch(game, 1)
    batch.reset(positions=[match.position])
    for text in ["Gx5", "Ex6", "@G", "@E", "Gx5", "Ex6", "@G"]:
        match.play(text)
        for action in actions.paths(text)[0]:
            batch.step([action])
    assert batch.position(0) == match.position
    found = labels(batch)
    again = game.after(match.position, "@E")
    assert match.positions.count(again) == 2, "the third time is a draw"
    assert not found.known[0]
    assert not found.right[0, actions.numbers["E"]]
    without = labels(batch, history=False)
    assert without.value[0] == without.right[0, actions.numbers["E"]] == 1
    before = label_positions(game, [match.position])
    assert before.value[0] == before.right[0, actions.numbers["E"]] == 1


@pytest.mark.slow
def test_labels_are_what_the_engine_proves_of_the_same_matches() -> None:
    """Also where positions come again: few balls that go to and fro."""
    game, chance = quinconce.game("diadema"), random.Random(7)
    start = game.read("c.f..../....... turn=0")
    batch, matches = Batch(game, 60), [Match(game, start) for _game in range(60)]
    batch.reset(positions=[start])
    again = known = 0
    for _turn in range(16):
        found, paths = labels(batch), []
        for n, match in enumerate(matches):
            repeats = bool(positions_seen_twice(match))
            again += repeats
            assert found.known[n] == (not repeats)
            if found.known[n]:
                compare(game, found, n, proved_moves(match))
                known += 1
            text = chance.choice([text for text in match.legal() if "-" in text])
            match.play(text)
            paths.append(batch.actions.paths(text)[0])
        for touched in np.array(paths).T:
            batch.step(touched)
        over = [match.outcome() is not None for match in matches]
        assert batch.done.tolist() == over
        batch.reset(over)
        matches = [Match(game, start) if match.outcome() else match for match in matches]
    assert again > 10
    assert known > 10


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


@pytest.mark.parametrize("pieces", [-1, 0, 2.0, "4", True, None])
def test_a_number_of_pieces_that_cannot_be_is_refused(pieces: Any) -> None:
    with pytest.raises(ValueError, match="pieces is"):
        label_positions("seega", [quinconce.game("seega").start()], pieces=pieces)


def test_a_game_of_which_nothing_is_solved_has_no_labels() -> None:
    with pytest.raises(ValueError, match="nothing is solved"):
        label_positions(quinconce.game("buts"), [quinconce.game("buts").start()])
