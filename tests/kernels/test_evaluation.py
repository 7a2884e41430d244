"""What the search asks of a kernel: threats, jams and quiet turns as the rules have them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from corpus import FORMS, form_id, positions

import quinconce
from quinconce import Game
from quinconce.core.registry import game_forms
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.kernels.protocol import CALM, MUST_ANSWER, WIN_IN_ONE, Weights

KERNELS = [game for game in FORMS if game.chosen.get("quiet", "none") == "none"]
every_kernel = pytest.mark.parametrize("game", KERNELS, ids=form_id)
every_game = pytest.mark.parametrize("name", quinconce.names())


def sampled(game: Game[Any], n: int) -> tuple[Kernel, list[Any]]:
    if len(game.cells) == 81:
        n //= 5
    return kernel_for(game), list(positions(game, random.Random(f"evaluation {form_id(game)}"), n))


def wins(game: Game[Any], position: Any) -> bool:
    """Whether a move wins at once for the side of the player to move."""
    side = game.side(game.seat(position))
    outcomes = (game.outcome(after) for _text, after in game.moves(position))
    return any(outcome and game.side(outcome.winners[0]) == side for outcome in outcomes)


def threatened(game: Game[Any], position: Any) -> bool:
    """Whether something wants an answer: here, a win of the next player if it were his turn."""
    if "phase" not in position._fields:
        return wins(game, position._replace(turn=game.next_turn(position)))
    if position.phase == 1:
        return False
    texts = [text for text, _after in game.moves(position)]
    return bool(position.duty) or "x" in texts[0] or "-" not in texts[0]


def thinned(game: Game[Any], chance: random.Random, n: int) -> list[Any]:
    """Positions with hardly an enemy left, in games where pawns are taken."""
    found: list[Any] = []
    while len(found) < n and "phase" in game.start()._fields:
        own, foe = chance.sample("wb", 2)
        size, width, middle = len(game.cells), game.width, chance.choice(range(len(game.cells)))
        row, column = divmod(middle, width)
        cells = sorted(
            range(size),
            key=lambda cell: (
                abs(cell // width - row) + abs(cell % width - column) + 3 * chance.random()
            ),
        )
        few = chance.randint(1, 4)
        pawns = [foe] * few + [own] * chance.randint(2 * few, 2 * few + 3) + ["."] * 12
        chance.shuffle(pawns)
        board = ["."] * size
        for cell, pawn in zip(cells, pawns, strict=False):
            board[cell] = pawn
        turn = "wb".index(own)
        found.append(game.start()._replace(board="".join(board), turn=turn, phase=2))
    return found


@every_kernel
def test_urgency_is_what_the_rules_say(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 600)
    sample += thinned(game, random.Random(form_id(game)), 300)
    met = dict.fromkeys((CALM, WIN_IN_ONE, MUST_ANSWER), 0)
    for position in sample:
        found = calls.urgency(kernel.encode(position))
        met[found] += 1
        if game.outcome(position):
            expected = CALM
        elif wins(game, position):
            expected = WIN_IN_ONE
        else:
            expected = MUST_ANSWER if threatened(game, position) else CALM
        assert found == expected, game.write(position)
    assert all(met.values()), met


@every_kernel
def test_jammed_and_quiet_as_the_rules_have_them(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 100)
    for position in sample:
        state = kernel.encode(position)
        winners = game.jammed(position, "repetition").winners
        side = game.side(game.seat(position))
        expected = 0 if not winners else 1 if game.side(winners[0]) == side else -1
        assert calls.jammed(state) == expected, game.write(position)
        for _text, after in list(game.moves(position))[:50]:
            assert calls.is_quiet(state, kernel.encode(after)) == game.is_quiet(position, after)


def any_weights(kernel: Kernel, chance: random.Random) -> Weights:
    return np.array([chance.randint(-99, 99) for _name in kernel.features], np.int64)


@every_kernel
def test_an_evaluation_is_linear_and_the_same_for_all_images(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 60)
    chance = random.Random(3)
    for position in sample:
        state = kernel.encode(position)
        one, two = any_weights(kernel, chance), any_weights(kernel, chance)
        value = calls.evaluate(state, one)
        assert value + calls.evaluate(state, two) == calls.evaluate(state, one + two)
        for n in range(calls.image_count(state)):
            assert calls.evaluate(calls.image(state, n), one) == value, (game.write(position), n)


@every_kernel
def test_the_other_player_sees_the_opposite(game: Game[Any]) -> None:
    """Except for the turn, which is worth something to whoever has it."""
    if len(game.sides) > 2:
        assert len(game.sides) == 4  # each for himself: nobody is the opposite of one alone
        return
    kernel, sample = sampled(game, 100)
    chance = random.Random(4)
    for position in sample:
        weights = any_weights(kernel, chance)
        for i, name in enumerate(kernel.features):
            if name.endswith("turn"):
                weights[i] = 0
        other = position._replace(turn=game.next_turn(position))
        here, there = (calls.evaluate(kernel.encode(seen), weights) for seen in (position, other))
        assert here == -there, game.write(position)


@every_game
def test_every_feature_counts_somewhere(name: str) -> None:
    never = set(kernel_for(quinconce.game(name)).features)
    for game in game_forms(name):
        kernel, sample = sampled(game, 300)
        for i, feature in enumerate(kernel.features):
            if feature in never:
                weights = np.zeros(len(kernel.features), np.int64)
                weights[i] = 1
                if any(calls.evaluate(kernel.encode(position), weights) for position in sample):
                    never.discard(feature)
    assert not never
    assert set(kernel.weight_options) <= set(game.chosen)
