"""Proofs: the known results, the same answers as the solved game, and searches interrupted."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import positions

import quinconce
from quinconce import Game
from quinconce.core.claim import Claim
from quinconce.core.game import after_moves
from quinconce.solvers.proofs import prover
from quinconce.solvers.proofs.dfpn import DISPROVED, PROVED, probe_table, store_pair
from quinconce.solvers.proofs.prover import ProofProgress, Prover
from quinconce.solvers.proofs.verify import winning_moves
from quinconce.solvers.retrograde import solution

DIAM = quinconce.game("diam")
STAR = quinconce.game("diadema")
GOALS = quinconce.game("buts")


def asked(
    game: Game[Any], moves: str, side: int, within: int, *, wide: bool = False, mb: float = 64
) -> bool:
    position = after_moves(game, game.start(), moves.split())
    return Prover(Claim(game, position, side, within), mb).run(wide=wide)


@pytest.mark.slow
def test_the_second_player_wins_the_2003_edition_within_20_plies_and_not_sooner() -> None:
    """Not within 19 either, where player 1 would have to make the diam himself."""
    assert asked(DIAM, "", 1, 20)
    assert not asked(DIAM, "", 1, 19)


@pytest.mark.parametrize("answer", ["m@2", "m@3", "m@4"])
def test_after_the_first_pawn_only_some_answers_are_right(answer: str) -> None:
    assert not asked(DIAM, f"r@1 {answer}", 1, 12)
    assert not asked(DIAM, "r@1 m@1", 0, 12)


@pytest.mark.slow
def test_in_the_1997_edition_an_answer_beside_the_first_pawn_loses_within_33_plies() -> None:
    assert asked(quinconce.game("diam", edition=1997), "r@1 v@2", 0, 33)


def test_nobody_can_force_a_goal_soon() -> None:
    """Both sides, at full width, which agrees with proof-number search."""
    for within in range(1, 6):
        side = (within + 1) % 2
        assert not asked(GOALS, "", side, within, wide=True)
        assert not asked(GOALS, "", side, within)


@pytest.mark.slow
@pytest.mark.parametrize("wide", [False, True])
def test_the_answers_are_those_of_the_solved_game(wide: bool) -> None:
    """A win in n plies is a win within n, and not within n - 2, nor for the other side."""
    solved = solution(STAR)
    assert solved
    checked = dict.fromkeys(("win", "loss", "draw"), 0)
    for position in positions(STAR, random.Random("proofs"), 400):
        value, side = solved.value(position), STAR.seat(position)
        plies = value.plies or 6
        if STAR.outcome(position) or plies > 7 or checked[value.result] > 12:
            continue
        checked[value.result] += 1
        winner = 1 - side if value.result == "loss" else side
        found = Prover(Claim(STAR, position, winner, plies), 4).run(wide=wide)
        assert found == (value.result != "draw")
        if plies > 2:
            assert not Prover(Claim(STAR, position, winner, plies - 2), 4).run(wide=wide)
        assert not Prover(Claim(STAR, position, 1 - winner, plies), 4).run(wide=wide)
    assert min(checked.values()) > 5


def test_a_table_too_small_makes_a_search_slow_but_not_wrong() -> None:
    moves = "o@1 m@1 o@1 n@1 1.1-2 m@5 2.1-3 n@8"
    position = after_moves(DIAM, DIAM.start(), moves.split())
    small, large = (Prover(Claim(DIAM, position, 1, 12), mb) for mb in (0.01, 16))
    assert len(small.table) < 1000
    assert small.run() is large.run() is True
    assert small.progress.nodes > large.progress.nodes
    assert small.progress.used == 1


def test_a_side_that_has_won_needs_no_search() -> None:
    position = after_moves(DIAM, DIAM.start(), ["r@1", "m@1", "r@5", "m@5"])
    assert DIAM.outcome(position)
    assert Prover(Claim(DIAM, position, 1, 1)).answer is True
    assert Prover(Claim(DIAM, position, 0, 9)).answer is False
    ready = after_moves(DIAM, DIAM.start(), ["r@1", "m@1", "r@5"])
    assert list(winning_moves(DIAM, ready)) == ["m@5"]
    assert Prover(Claim(DIAM, ready, 1, 1)).answer is True


@pytest.mark.slow
def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prover, "SLICE_NODES", 500)
    told: list[ProofProgress] = []
    start = after_moves(DIAM, DIAM.start(), ["o@1", "m@1", "o@1", "n@1"])
    assert not Prover(Claim(DIAM, start, 1, 14), 16).run(told.append)
    assert len(told) > 3
    assert all(before.nodes < after.nodes for before, after in pairwise(told))
    assert all(0 < progress.used < 1 for progress in told)
    assert told[-1].disproof == 0
    assert all(progress.proof and progress.disproof for progress in told[:-1])


class EnoughError(Exception):
    """Somebody stops the search."""


@pytest.mark.parametrize("wide", [False, True])
def test_an_interrupted_search_goes_on_where_it_was(
    wide: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prover, "SLICE_NODES", 500)
    position = after_moves(DIAM, DIAM.start(), ["o@1", "m@1", "o@1", "n@1", "1.1-2", "m@5"])
    kept = tmp_path / "kept"

    def stop(progress: ProofProgress) -> None:
        if progress.nodes >= 1500:
            raise EnoughError

    whole = Prover(Claim(DIAM, position, 1, 9), 16)
    answer = whole.run(wide=wide)
    with pytest.raises(EnoughError):
        Prover(Claim(DIAM, position, 1, 9), 16).run(stop, kept, wide)
    resumed = Prover(Claim(DIAM, position, 1, 9), 16)
    resumed.resume(kept)
    assert resumed.progress.nodes >= 1500
    assert np.count_nonzero(resumed.table[:, 1]) == resumed.tally[2] > 100
    assert resumed.run(checkpoint_file=kept, wide=wide) is answer
    assert resumed.progress.nodes == pytest.approx(whole.progress.nodes, rel=0.1)
    for megabytes in (16, 64, 1):
        ended = Prover(Claim(DIAM, position, 1, 9), megabytes)
        size = len(ended.table)
        ended.resume(kept)
        assert ended.answer is answer
        assert len(ended.table) == size
        assert ended.progress.used == np.count_nonzero(ended.table[:, 1]) / size
        assert ended.wins_within(ended.kernel.encode(position), 9) is answer
    with pytest.raises(ValueError, match="another question"):
        Prover(Claim(DIAM, position, 1, 11), 16).run(checkpoint_file=kept)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    position = after_moves(DIAM, DIAM.start(), ["o@1", "m@1", "o@1", "n@1", "1.1-2", "m@5"])
    kept = tmp_path / "kept"
    Prover(Claim(DIAM, position, 1, 7), 1).run(checkpoint_file=kept)
    whole = kept.read_bytes()
    middle = len(whole) // 2
    for damaged in (
        whole[:-1],
        whole[:middle],
        b"",
        b"{}\n",
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    ):
        kept.write_bytes(damaged)
        with pytest.raises(ValueError, match="kept: this is not a checkpoint"):
            Prover(Claim(DIAM, position, 1, 7), 1).run(checkpoint_file=kept)
        assert kept.read_bytes() == damaged  # it may be somebody's, and is left alone


def test_who_wins_within_some_plies_wins_within_more() -> None:
    table = np.zeros((4, 2), np.int64)
    assert probe_table(table, 8, 5) == 0
    store_pair(table, 8, 5, PROVED, 1)
    store_pair(table, 8, 3, DISPROVED, 1)
    found = {left: probe_table(table, 8, left) for left in range(1, 9)}
    assert found == dict.fromkeys((1, 2, 3), DISPROVED) | {4: 0} | dict.fromkeys(
        (5, 6, 7, 8), PROVED
    )
    assert probe_table(table, 12, 5) == 0


def test_what_cost_most_stays_in_the_table() -> None:
    table = np.zeros((4, 2), np.int64)
    for name, work in ((1, 1000), (2, 3), (3, 500), (4, 90)):
        assert store_pair(table, name, 5, 7 | 7 << 24, work) == 1
    assert store_pair(table, 5, 5, PROVED, 20) == 0
    assert [bool(probe_table(table, name, 5)) for name in range(1, 6)] == [
        True,
        False,
        True,
        True,
        True,
    ]


def test_a_question_out_of_range_is_refused() -> None:
    for within in (0, 128):
        with pytest.raises(ValueError, match="plies of a proof go from 1 to 127"):
            Prover(Claim(DIAM, DIAM.start(), 0, within))
    game = quinconce.game("seega")
    with pytest.raises(ValueError, match="40 quiet turns"):
        Prover(Claim(game, game.start(), 0, 41))
