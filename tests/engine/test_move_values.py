"""Every legal move with its proven value: what is said agrees with solvers and certificate."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from typing import Any

from corpus import DIAM_ENDGAME, random_match

from quinconce.core.match import Match, replay
from quinconce.core.registry import game
from quinconce.core.value import preference
from quinconce.engine import analyse
from quinconce.engine.move_values import ORDER, KnownMove, known_moves
from quinconce.engine.solved import move_oracle
from quinconce.solvers.endgames.tables import endgame_table
from quinconce.solvers.retrograde import solution

DIADEMA, DIAM, SEEGA, BUTS = game("diadema"), game("diam"), game("seega"), game("buts")


def check_order(known: list[KnownMove]) -> None:
    """The best first: quick wins, draws, what is open, losses that take long."""
    results = [ORDER.index(each.result) for each in known]
    assert results == sorted(results)
    wins = [each.plies or 0 for each in known if each.result == "win"]
    losses = [each.plies or 0 for each in known if each.result == "loss"]
    if all(wins):
        assert wins == sorted(wins)
    if all(losses):
        assert losses == sorted(losses, reverse=True)


def test_in_a_solved_game_every_move_has_the_value_of_the_table() -> None:
    table, chance = solution(DIADEMA), random.Random(1)
    assert table
    seen = Counter[str]()
    while seen.total() < 3000:
        match = Match(DIADEMA)
        while not match.outcome() and seen.total() < 3000:
            if max(Counter(match.positions).values()) == 1:
                known = known_moves(match)
                told = {each.move: (each.result, each.plies) for each in known}
                assert told == table.move_values(match.position)
                assert not any(each.capture_turns for each in known)
                check_order(known)
                seen.update(each.result or "open" for each in known)
            match.play(chance.choice(sorted(match.legal())))
    assert set(seen) == {"win", "draw", "loss"}


def test_what_the_certificate_knows_is_said_and_the_rest_is_open_or_proved_by_a_search() -> None:
    oracle, chance = move_oracle(DIAM), random.Random(2)
    assert oracle
    seen = Counter[str]()
    for _match in range(12):
        match = random_match(DIAM, chance, chance.randrange(1, 16))
        if match.outcome():
            continue
        known = known_moves(match)
        assert {each.move for each in known} == set(match.legal())
        check_order(known)
        certain = oracle.move_values(match.position)
        for move, result, plies, turns in known:
            if move in certain:
                assert (result, plies) == certain[move]
                seen["certificate"] += 1
            else:
                seen[f"search {result}"] += 1
            assert turns is None
    assert seen["certificate"]
    assert seen["search None"]


def test_a_short_search_proves_moves_of_which_nothing_is_known() -> None:
    match = replay(DIAM, None, DIAM_ENDGAME.split())
    known = {each.move: each for each in known_moves(match)}
    lost = [each for each in known.values() if each.result == "loss"]
    assert lost
    for each in lost:  # what is said to be lost is lost, and as soon
        after = replay(DIAM, None, [*match.moves, each.move])
        if after.outcome():
            assert each.plies == 1
            continue
        *_earlier, last = analyse(after, nodes=2_000_000)
        assert last.lines[0].value == "win", each
        if each.plies is not None:
            assert last.lines[0].plies == each.plies - 1


def test_where_nothing_is_proved_moves_are_open() -> None:
    known = known_moves(Match(BUTS))
    assert {each.result for each in known} == {None}
    assert [each.move for each in known] == sorted(Match(BUTS).legal())


def seega_ending(chance: random.Random) -> Match[Any]:
    """A position of few pawns in which somebody wins."""
    table = endgame_table(SEEGA)
    assert table
    while True:
        pawns = chance.randint(3, 6)
        own = chance.randint(1, pawns - 1)
        board = list(("w" * own + "b" * (pawns - own)).ljust(25, "."))
        chance.shuffle(board)
        position = SEEGA.start()._replace(board="".join(board), phase=2, turn=chance.randrange(2))
        with suppress(ValueError):
            value = table.value(position)
            if value and value.plies and not SEEGA.outcome(position):
                return Match(SEEGA, position)


def test_an_ending_tells_the_turns_to_the_next_capture() -> None:
    table, chance = endgame_table(SEEGA), random.Random(3)
    assert table
    seen = Counter[str]()
    for _ending in range(25):
        match = seega_ending(chance)
        here = table.value(match.position)
        assert here
        known = known_moves(match)
        check_order(known)
        for move, result, plies, turns in known:
            seen[str(result)] += 1
            if result is None or plies is not None:
                continue
            after = match.legal()[move]
            value = table.value(after)
            assert value
            assert value.one_ply_earlier().result == result
            captures = not SEEGA.is_quiet(match.position, after)
            assert turns == (1 if captures else value.one_ply_earlier().plies)
        best = known[0]
        assert best.result == here.result
        if here.result == "win" and best.capture_turns:
            assert best.capture_turns == here.plies
    assert seen["win"]
    assert seen["loss"]


def test_when_the_game_is_over_there_is_no_move() -> None:
    match = random_match(DIADEMA, random.Random(5))
    assert match.outcome()
    assert known_moves(match) == []


def test_preference_is_the_order_of_values() -> None:
    table = solution(DIADEMA)
    assert table
    values = table.move_values(DIADEMA.start())
    known = known_moves(Match(DIADEMA))
    assert [values[each.move].result for each in known] == [
        value.result for value in sorted(values.values(), key=preference, reverse=True)
    ]
