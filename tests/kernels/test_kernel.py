"""Kernel = rules: the same successors, outcomes and counts, on random and constructed positions."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpus import FORMS, form_id, positions
from perft_tables import ROWS, Row

import quinconce
from quinconce import Game, perft
from quinconce.core.game import after_moves
from quinconce.kernels import calls, code_cache, compiled
from quinconce.kernels.combinatorial_index import (
    LAYER_STARTS,
    MAX_RANKED_PIECES,
    rank_board,
    unrank_board,
)
from quinconce.kernels.kernel import Kernel, kernel_for, random_playouts
from quinconce.kernels.protocol import index_count

# What is not in the board of a position does not concern a kernel.
KERNELS = [game for game in FORMS if game.chosen.get("quiet", "none") == "none"]
every_kernel = pytest.mark.parametrize("game", KERNELS, ids=form_id)


def test_every_game_has_a_kernel_with_a_state_of_its_own_name() -> None:
    """Two states of one name made Numba call the wrong function: wrong values, a crash."""
    names = []
    for name in quinconce.names():
        module = sys.modules[type(kernel_for(quinconce.game(name))).__module__]
        names += [thing for thing in vars(module) if thing.endswith("State")]
    assert len(names) == len(set(names)) >= 4


def sampled(game: Game[Any], n: int) -> tuple[Kernel, list[Any]]:
    return kernel_for(game), list(positions(game, random.Random(f"kernel {form_id(game)}"), n))


@every_kernel
def test_the_same_successors(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 60 if game.cells[-1] in ("i1", "g1") else 300)
    for position in sample:
        state = kernel.encode(position)
        assert kernel.decode(state) == position
        expected = sorted(after for _text, after in game.moves(position))
        assert sorted(kernel.successors(position)) == expected, game.write(position)
        assert kernel.perft(position, 1) == len(expected)


@every_kernel
def test_the_same_outcome(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 200)
    over = 0
    for position in sample:
        for here in [position, *(after for _text, after in list(game.moves(position))[:20])]:
            outcome = game.outcome(here)
            side = game.side(outcome.winners[0]) if outcome else -1
            assert calls.winner(kernel.encode(here)) == side, game.write(here)
            over += outcome is not None
    assert over


@every_kernel
def test_the_same_perft(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 30)
    for position in sample:
        if sum(1 for _move in game.moves(position)) <= 60:
            assert kernel.perft(position, 2) == perft(game, position, 2), game.write(position)
    assert kernel.perft(game.start(), 0) == 1


@every_kernel
def test_equal_keys_mean_equal_positions(game: Game[Any]) -> None:
    kernel, sample = sampled(game, 300)
    keys: dict[int, Any] = {}
    for position in sample:
        assert keys.setdefault(calls.key(kernel.encode(position)), position) == position
    assert len(keys) == len(set(sample))


@every_kernel
def test_the_same_symmetries(game: Game[Any]) -> None:
    """The images of a state are those of the rules, and all of them have one canonical form."""
    kernel, sample = sampled(game, 20)
    chance = random.Random(9)
    for position in sample:
        state = kernel.encode(position)
        found = [kernel.decode(calls.image(state, n)) for n in range(calls.image_count(state))]
        assert found[0] == position
        rules = [symmetry.image(position) for symmetry in game.symmetries()]
        assert sorted(found) == sorted(rules), game.write(position)
        first = calls.canonical(state)
        assert kernel.decode(first) in rules
        for twin in chance.sample(rules, 4):
            assert calls.canonical(kernel.encode(twin)) == first


@every_kernel
def test_a_number_stands_for_one_position_seen_by_its_player(game: Game[Any]) -> None:
    """Where a game has an index; the players' exchange changes nothing in what a player sees."""
    kernel, sample = sampled(game, 300)
    start = kernel.encode(game.start())
    size = calls.index_count(start)
    if type(start) not in compiled.states_with_implementation[index_count]:
        assert size == 0
        return
    seen = set()
    for position in sample:
        n = calls.index(kernel.encode(position))
        assert 0 <= n < size
        same = kernel.decode(calls.from_index(start, n))
        assert calls.index(kernel.encode(same)) == n
        twins = {symmetry.image(position) for symmetry in game.symmetries()}
        assert same in twins, game.write(position)
        seen.add((n, same))
    assert len({n for n, _same in seen}) == len(seen) > 100


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_perft_to_the_deepest_figures_known(row: Row) -> None:
    game = quinconce.game(row.name, **row.options)
    position = after_moves(game, game.start(), row.after.split())
    kernel = kernel_for(game)
    for depth, leaves in enumerate(row.leaves, start=1):
        assert kernel.perft(position, depth) == leaves


@every_kernel
def test_random_games_are_played_by_the_rules(game: Game[Any]) -> None:
    """The same seed gives the same games, and both sides win some where the board decides."""
    kernel = kernel_for(game)
    out, start = kernel.new_rows(1)[0], kernel.encode(game.start())
    games = 60
    once = random_playouts(start, out, 7, games, 1000)
    assert once == random_playouts(start, out, 7, games, 1000)
    assert once != random_playouts(start, out, 8, games, 1000)
    plies, *wins = once
    assert games < plies <= 1000 * games
    assert sum(wins) <= games
    assert sum(map(bool, wins)) >= 2


def test_more_moves_than_there_is_room_for_are_an_error() -> None:
    """Never a wrong count: chains of captures can be too many for any room."""
    kernel = kernel_for(quinconce.game("seega"))
    kernel.max_successors = 10
    with pytest.raises(OverflowError, match="more moves"):
        kernel.perft(kernel.game.start(), 2)
    with pytest.raises(OverflowError, match="more moves"):
        kernel.successors(kernel.game.start())


@pytest.mark.process
def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    code = (
        "import quinconce; from quinconce.kernels import compiled, kernel;"
        "game = quinconce.game(quinconce.names()[1]);"
        "print(kernel.kernel_for(game).perft(game.start(), 2), compiled.numba.config.CACHE_DIR)"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(file), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    count, folder = done.stdout.split()
    assert count == "182"
    assert folder.startswith(str(tmp_path / "quinconce-"))
    assert not Path(folder).exists()  # it left with the program


def test_old_compiled_code_is_thrown_away(tmp_path: Path) -> None:
    for name in ("current", "recent", "old"):
        (tmp_path / name).mkdir()
    os.utime(tmp_path / "old", (0, 0))
    code_cache.prune_cache(tmp_path, tmp_path / "current")
    assert {folder.name for folder in tmp_path.iterdir()} == {"current", "recent"}


def test_a_board_with_few_pieces_has_a_number_of_its_own() -> None:
    chance = random.Random(11)
    for pieces in range(1, MAX_RANKED_PIECES + 1):
        for n in (
            LAYER_STARTS[pieces],
            LAYER_STARTS[pieces + 1] - 1,
            *chance.sample(range(LAYER_STARTS[MAX_RANKED_PIECES + 1]), 50),
        ):
            own, foe = unrank_board(int(n))
            assert own & foe == 0
            assert (own | foe) < 1 << 25
            assert rank_board(own, foe) == n
        own, foe = unrank_board(int(LAYER_STARTS[pieces]))
        assert (own | foe).bit_count() == pieces
