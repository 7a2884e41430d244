"""Endings in rounds: the same worths as with every move kept, resumed after a kill, announced."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quinconce
from quinconce import Game, Match
from quinconce.commands.solve_endgames import tell_needs
from quinconce.core.match import MatchData
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames import files, needs, parallel, rounds
from quinconce.solvers.endgames.layers import Part, layer_parts, part_numbers, solve_part
from quinconce.solvers.endgames.parallel import PartJob, TableBuilder, resume_rounds, run_part_job
from quinconce.solvers.endgames.rounds import solve_part_in_rounds
from quinconce.solvers.endgames.tables import EndgameTable, save_table, solve_table
from quinconce.words import Voice

SEEGA = quinconce.game("seega")
FORMS = [
    quinconce.game("seega", reach=reach, quiet=quiet)
    for reach in ("slide", "step")
    for quiet in ("none", 40, 4)
]
every_form = pytest.mark.parametrize("game", FORMS, ids=lambda game: game.form_id)


@pytest.mark.slow
@every_form
def test_both_ways_find_the_same(game: Game[Any]) -> None:
    """Every worth, every count, and how many positions there are up to symmetry."""
    kernel, table = kernel_for(game), solve_table(game, 3)
    state = kernel.encode(game.start())
    parts = [part for layer in range(1, 5) for part in layer_parts(layer)]
    for part in parts:
        lower = table.distances[: int(calls.endgame_layer_start(state, part.pieces))]
        kept, again = (solve(kernel, part, lower) for solve in (solve_part, solve_part_in_rounds))
        assert np.array_equal(again.distances, kept.distances), part
        assert again[1:] == kept[1:], part


def pieces(position: Any) -> int:
    return sum(map(position.board.count, "wb"))


def random_ending(game: Game[Any], chance: random.Random) -> Any:
    """Some pawns, often around one in the corner, so that somebody is blocked."""
    board = list("w" * chance.randint(2, 6) + "b" * chance.randint(1, 3))
    board = board + ["."] * (25 - len(board))
    chance.shuffle(board)
    if chance.random() < 0.5:
        board = ["." if piece == "b" else piece for piece in board]
        board[:2], board[5] = ["b", "w"], "w"
    return game.start()._replace(board="".join(board), turn=chance.randrange(2), phase=2)


@pytest.mark.slow
@pytest.mark.parametrize("reach", ["slide", "step"])
def test_a_quiet_turn_back_is_one_that_leads_here(reach: str) -> None:
    """Both ways round, by the plain rules, passes and the duty to open among them."""
    game, chance = quinconce.game("seega", reach=reach), random.Random("back")
    kernel = kernel_for(game)
    out, duties = kernel.new_rows(1)[0], 0

    def before(position: Any) -> set[Any]:
        state = kernel.encode(position)
        rows = calls.quiet_predecessors(state, out)
        return {kernel.decode(calls.load(state, out, row)) for row in range(rows)}

    def quiet_after(position: Any) -> set[Any]:
        after = {reply for _text, reply in game.moves(position)}
        return {reply for reply in after if pieces(reply) == pieces(position)}

    for _n in range(60):
        here = random_ending(game, chance)
        for after in quiet_after(here):
            assert here in before(after), game.write(here)
            for twice in quiet_after(after) if after.duty else ():
                assert after in before(twice), game.write(after)
                duties += 1
        for earlier in before(here):
            after = quiet_after(earlier)
            assert not after or here in after, game.write(earlier)
    assert duties > 5


# Says when it has saved something, and does nothing from then on.
SOLVE_AND_STOP = """
import sys
from quinconce import Match, game
from quinconce.core.match import MatchData
from quinconce.solvers.endgames import parallel, rounds
from quinconce.solvers.endgames.layers import Part
from quinconce.solvers.endgames.parallel import PartJob, run_part_job
rounds.SAVE_SECONDS, rounds.ENTRIES_PER_STEP = 0.0, 1 << 6
save = parallel.save_rounds
def save_and_stop(path, game, part, state):
    save(path, game, part, state)
    if state.step.any() and state.possible.any():
        print("saved", flush=True)
        sys.stdin.read()
parallel.save_rounds = save_and_stop
run_part_job(PartJob(MatchData.of(Match(game("seega"))), Part(2, 2), sys.argv[1], True))
"""


def solved_below(folder: Path, layer: int) -> EndgameTable:
    lower = solve_table(SEEGA, layer - 1)
    save_table(lower, folder)
    return lower


@pytest.mark.process
def test_a_part_goes_on_after_a_kill_from_what_was_saved(tmp_path: Path) -> None:
    lower, part = solved_below(tmp_path, 4), Part(2, 2)
    saved = files.rounds_path(tmp_path, SEEGA, part)
    with subprocess.Popen(
        [sys.executable, "-c", SOLVE_AND_STOP, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as first:
        assert first.stdout
        assert first.stdout.readline() == b"saved\n"
        first.kill()
    solver = resume_rounds(saved, SEEGA, part, lower)
    assert solver.rounds.possible.any()
    assert solver.rounds.step.any()
    job = PartJob(MatchData.of(Match(SEEGA)), part, str(tmp_path), compact=True)
    run_part_job(job)
    assert not saved.exists()
    written = files.part_path(tmp_path, SEEGA, part)
    found = written.read_bytes()
    run_part_job(job._replace(compact=False))
    assert written.read_bytes() == found


def test_what_was_saved_is_used_and_nothing_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower, part = solved_below(tmp_path, 4), Part(2, 2)
    monkeypatch.setattr(rounds, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(rounds, "ENTRIES_PER_STEP", 1 << 10)
    saved, kept = files.rounds_path(tmp_path, SEEGA, part), list[tuple[int, ...]]()

    class StopError(Exception):
        pass

    def stop(done: float) -> None:
        if done > rounds.CAPTURES_TIME + 0.1:
            raise StopError

    def save(state: rounds.Rounds) -> None:
        kept.append(tuple(map(int, state.step)))
        parallel.save_rounds(saved, SEEGA, part, state)

    with pytest.raises(StopError):
        resume_rounds(saved, SEEGA, part, lower).run(stop, save)
    again = resume_rounds(saved, SEEGA, part, lower)
    assert tuple(again.rounds.step) == kept[-1]
    assert kept[-1][0] >= 2
    again.run()
    worths = np.concatenate(list(again.stretches_of_worths(lambda _done: None)))
    whole = solve_part(kernel_for(SEEGA), part, lower.distances)
    assert np.array_equal(worths, whole.distances)
    saved.write_bytes(saved.read_bytes()[:-1])
    assert not resume_rounds(saved, SEEGA, part, lower).rounds.step.any()


def test_for_want_of_memory_moves_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def noted(task: PartJob) -> None:
        asked.append(task.compact)
        run_part_job(task)

    monkeypatch.setattr(parallel, "run_part_job", noted)
    frees: list[int | None] = [1 << 40, 1, None]
    for n in range(3):
        monkeypatch.setattr(parallel, "free_memory", partial(frees.__getitem__, n))
        builder = TableBuilder(SEEGA, 2, tmp_path / str(n))
        builder.run(lambda: ThreadPoolExecutor(1), lambda _done, _all: None)
    assert len(asked) == 9
    assert asked == [False] * 3 + [True] * 3 + [False] * 3
    tables = [files.table_path(tmp_path / str(n), SEEGA, 2).read_bytes() for n in range(3)]
    assert len(set(tables)) == 1


@pytest.mark.parametrize("options", [{}, {"reach": "step"}])
def test_nine_and_ten_pawns_fit_in_eight_gigabytes(options: dict[str, str]) -> None:
    kernel = kernel_for(quinconce.game("seega", **options))
    for layer in (9, 10):
        for part in layer_parts(layer):
            assert needs.part_needs(kernel, part, compact=True).memory < 8 * needs.GIGABYTE / 2
            assert part_numbers(kernel, part).size > 0


def test_what_is_needed_is_told_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say, builder = Voice("en"), TableBuilder(SEEGA, 10, tmp_path / "new")
    monkeypatch.setattr(needs, "free_memory", lambda: 1 << 40)
    monkeypatch.setattr(needs, "free_disk", lambda _folder: 1 << 50)
    tell_needs(say, builder, local=True)
    told = capsys.readouterr().out
    for word in ("positions up to symmetry", "GB of memory", "GB of disk", "hours of one core"):
        assert word in told
    tell_needs(say, TableBuilder(SEEGA, 3, tmp_path / "new"), local=True)
    assert capsys.readouterr().out == ""  # it is done at once
    monkeypatch.setattr(needs, "free_disk", lambda _folder: 10**9)
    with pytest.raises(ValueError, match=r"takes [\d.]+ GB of disk, and 1\.0 GB are free"):
        tell_needs(say, builder, local=True)
    monkeypatch.setattr(needs, "free_memory", lambda: 10**9 // 2)
    with pytest.raises(ValueError, match=r"takes [\d.]+ GB of memory, and 0\.5 GB are free"):
        tell_needs(say, builder, local=True)
    tell_needs(say, builder, local=False)  # the memory of a cluster is not this machine's
    assert not (tmp_path / "new").exists()


def test_this_machine_says_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert needs.free_disk(tmp_path / "not" / "there")
    monkeypatch.setattr(needs, "MEMORY_FILE", tmp_path / "memory")
    assert needs.free_memory() is None
    (tmp_path / "memory").write_text("MemTotal: 9 kB\nMemAvailable:   7 kB\n")
    assert needs.free_memory() == 7 * 1024
