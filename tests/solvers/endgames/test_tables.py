"""Endings: the known shares of wins, and values that the plain rules agree with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import pytest
from solutions import endgames_of

import quinconce
from quinconce import Game
from quinconce.core.value import Value
from quinconce.kernels.combinatorial_index import PART_STARTS
from quinconce.solvers.endgames.layers import Part
from quinconce.solvers.endgames.tables import EndgameTable, endgame_table

REACHES = ("slide", "step")
FORMS = [
    quinconce.game("seega", reach=reach, quiet=quiet)
    for reach in REACHES
    for quiet in ("none", 40, 4)
]
every_form = pytest.mark.parametrize("game", FORMS, ids=lambda game: "-".join(game.chosen.values()))


def share(found: EndgameTable, strong: int, weak: int) -> float:
    """How often the stronger side wins, over all boards and both players to move."""
    first, second = (
        found.distances[
            2 * PART_STARTS[strong + weak, own] : 2 * PART_STARTS[strong + weak, own + 1] : 2
        ]
        for own in (strong, weak)
    )
    return float((first > 0).mean() + (second < 0).mean()) / 2


@pytest.mark.slow
def test_four_against_one_always_win_and_three_sometimes() -> None:
    slide, step = (endgames_of(quinconce.game("seega", reach=r, quiet="none"), 5) for r in REACHES)
    assert share(slide, 4, 1) == share(step, 4, 1) == share(step, 3, 1) == 1
    assert share(slide, 3, 1) == pytest.approx(0.19, abs=0.005)
    weak, strong, classes = slide.statistics[Part(4, 1)]
    assert (weak.won, weak.drawn, strong.drawn, strong.lost) == (0, 0, 0, 0)
    assert weak.lost >= 25 * comb(24, 4)
    assert classes < weak.lost < 8 * classes


def some(game: Game[Any], chance: random.Random, pieces: int) -> Any:
    """A possible position with so many pawns, now and then with a duty to open."""
    while True:
        own = chance.randint(1, pieces - 1)
        board = list(("w" * own + "b" * (pieces - own)).ljust(25, "."))
        chance.shuffle(board)
        duty = int(chance.random() < 0.3)
        if duty:  # somebody walled in, in a corner
            board = ["."] * 25
            board[0], board[1], board[5] = "b", "w", "w"
            for cell in chance.sample([c for c in range(25) if board[c] == "."], pieces - 3):
                board[cell] = chance.choice("wb")
        position = game.start()._replace(
            board="".join(board), turn=0 if duty else chance.randrange(2), phase=2, duty=duty
        )
        try:
            game.check(position)
        except ValueError:
            continue
        return position


def sample(
    found: EndgameTable, chance: random.Random, n: int, pieces: tuple[int, ...]
) -> Iterator[Any]:
    """Positions, and after those that are won one that is lost for the other."""
    for _n in range(n):
        position = some(found.game, chance, chance.choice(pieces))
        yield position
        for _text, after in found.game.moves(position):
            if sum(map(after.board.count, "wb")) == sum(map(position.board.count, "wb")):
                value = found.value(after)
                if value and value.result == "loss":
                    yield after
                    break


def from_moves(game: Game[Any], found: EndgameTable, position: Any) -> Value:
    """What the values one move ahead make of a position."""
    worths = []
    for _text, after in game.moves(position):
        value = found.value(after)
        assert value
        quiet = game.is_quiet(position, after)
        worths.append((value, quiet))
    wins = [1 + (v.plies or 0) * q for v, q in worths if v.result == "loss"]
    losses = [1 + (v.plies or 0) * q for v, q in worths if v.result == "win"]
    limit = game.quiet_limit or 10_000
    if wins and min(wins) <= limit:
        return Value("win", min(wins))
    if not wins and len(losses) == len(worths) and max(losses) <= limit:
        return Value("loss", max(losses))
    return Value("draw")


@pytest.mark.slow
@every_form
def test_a_value_is_that_of_the_best_move(game: Game[Any]) -> None:
    found = endgames_of(game, 5)
    chance = random.Random("endings")
    met = {"win": 0, "draw": 0, "loss": 0}
    duties = 0
    for position in sample(found, chance, 400, (3, 4, 5)):
        value = found.value(position)
        assert value
        if not game.outcome(position):
            assert value == from_moves(game, found, position), game.write(position)
            met[value.result] += 1
            duties += position.duty
    assert min(met.values()) > 5
    assert duties > 20


def by_force(game: Game[Any], position: Any, quiet: int, seen: dict[tuple[Any, int], int]) -> int:
    """1 if the player to move can force the last capture, -1 if the other can, by the rules."""
    over = game.outcome(position)
    if over:
        return 1 if game.seat(position) in over.winners else -1
    assert game.quiet_limit
    if quiet >= game.quiet_limit:
        return 0
    if (position, quiet) not in seen:
        best = -1
        for _text, after in game.moves(position):
            more = quiet + 1 if game.is_quiet(position, after) else 0
            best = max(best, -by_force(game, after, more, seen))
            if best == 1:
                break
        seen[position, quiet] = best
    return seen[position, quiet]


@pytest.mark.slow
@pytest.mark.parametrize("reach", REACHES)
def test_with_few_quiet_turns_the_plain_rules_find_the_same(reach: str) -> None:
    """Every line looked at, from no quiet turn played: that is what the table is exact for."""
    game = quinconce.game("seega", reach=reach, quiet=4)
    found = endgames_of(game, 5)
    chance = random.Random("few")
    met = {1: 0, 0: 0, -1: 0}
    seen: dict[tuple[Any, int], int] = {}
    for position in sample(found, chance, 60, (4,)):
        value = found.value(position)
        assert value
        expected = by_force(game, position, 0, seen)
        assert {"win": 1, "draw": 0, "loss": -1}[value.result] == expected, game.write(position)
        met[expected] += 1
    assert min(met.values()) > 2


def with_three(game: Game[Any]) -> Iterator[Any]:
    """Every position with two white pawns and a black one where somebody can move or has passed."""
    start = game.start()
    for white in combinations(range(25), 2):
        for black in set(range(25)) - set(white):
            board = "".join("w" if n in white else "b" if n == black else "." for n in range(25))
            for turn, duty in ((0, 0), (1, 0), (0, 1), (1, 1)):
                position = start._replace(board=board, turn=turn, phase=2, duty=duty)
                try:
                    game.check(position)
                except ValueError:
                    continue
                yield position


@pytest.mark.slow
@pytest.mark.parametrize("reach", REACHES)
def test_with_three_pawns_the_plain_rules_find_the_same_everywhere(reach: str) -> None:
    """Solved a second time, by rounds and without a limit of quiet turns."""
    game = quinconce.game("seega", reach=reach, quiet="none")
    after = {p: [position for _text, position in game.moves(p)] for p in with_three(game)}
    values = {p: Value("draw") for p in after}
    open_, turns = set(after), 0
    while True:
        turns += 1
        found = {}
        for position in open_:
            replies = [values.get(p) for p in after[position]]
            if None in replies:  # a capture, after which Black has nothing left
                found[position] = Value("win", 1)
            elif any(reply == Value("loss", turns - 1) for reply in replies):
                found[position] = Value("win", turns)
            elif all(reply and reply.result == "win" for reply in replies):
                found[position] = Value("loss", turns)
        if not found and turns > 1:
            break
        values |= found
        open_ -= set(found)
    table = endgames_of(game, 3)
    assert len(values) > 2 * 25 * comb(24, 2)
    assert turns > 5
    for position, value in values.items():
        assert table.value(position) == value, game.write(position)


def test_what_has_no_numbers_has_no_endings() -> None:
    for options in ({"size": 7}, {"blocked": "remove"}, {"chain": "optional"}):
        assert endgame_table(quinconce.game("seega", **options)) is None
    assert endgame_table(quinconce.game("buts")) is None
    game = quinconce.game("seega", quiet="none")
    found = endgames_of(game, 5)
    assert found.value(game.start()) is None
    assert found.value(some(game, random.Random(1), 6)) is None
    assert endgame_table(quinconce.game("seega", quiet="none"), 5) is found
