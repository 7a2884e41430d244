"""`quinconce solve --within`, by one process and by several."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest
from command_line import run_command, run_refused
from corpus import DIAM_ENDGAME
from dask_cluster import ignore_dask_leaks
from waiting import until

from quinconce.cli import main
from quinconce.commands import solve_win, workers
from quinconce.solvers.proofs.parallel import ParallelProgress
from quinconce.solvers.proofs.prover import ProofProgress
from quinconce.words import Voice

pytestmark = pytest.mark.usefixtures("in_english")


def test_a_win_is_proved_certified_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(
        capsys, "solve", "diam", "--after", DIAM_ENDGAME, "--within", "10", "--certificate", "proof"
    )
    assert shown.startswith("Proved. Diam (edition=2003 players=2), from ")
    assert "player 2 wins within 10 plies" in shown
    assert "quinconce verify proof" in shown
    checked = run_command(capsys, "verify", "proof")
    assert checked.startswith("It holds. Diam")
    assert "Checked with the plain rules" in checked


@pytest.mark.slow
def test_a_win_that_is_not_there_is_refuted(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("solve", "buts", "--within", "4")
    assert "Refuted: Goals, from the start: player 2 wins" in run_command(capsys, *asked, "--wide")
    shown = run_command(capsys, *asked, "--player", "1", "--certificate", "proof")
    assert "Refuted: Goals, from the start: player 1 wins within 4 plies" in shown
    assert not Path("proof").exists()


@pytest.mark.slow
def test_a_search_stopped_by_ctrl_c_can_be_resumed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found out is in the file, and the second run begins with it."""
    asked = ("solve", "diam", "--after", "r@1 m@1", "--within", "18", "--checkpoint", "kept")

    def ctrl_c(say: Voice, progress: ProofProgress) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(solve_win, "progress_line", ctrl_c)
        with pytest.raises(SystemExit) as exit_:
            main(asked)
    assert exit_.value.code == 130
    capsys.readouterr()
    size = Path("kept").stat().st_size
    assert size > 10_000
    assert "Proved. " in run_command(capsys, *asked)
    assert Path("kept").stat().st_size > size
    assert "another question" in run_refused(capsys, *asked, "--player", "1")


@pytest.mark.process
def test_a_win_is_proved_by_two_processes_and_certified(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("solve", "diam", "--after", DIAM_ENDGAME, "--within", "10", "--jobs", "2")
    shown = run_command(capsys, *asked, "--certificate", "proof")
    assert shown.startswith("Proved. Diam (edition=2003 players=2), from ")
    assert "positions by one worker" in shown
    assert run_command(capsys, "verify", "proof").startswith("It holds. Diam")


def alive(pid: int) -> bool:
    """Whether there is such a process; asked of the system, because a pool waits for its own."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.process
def test_a_search_by_many_stopped_by_ctrl_c_leaves_nobody_behind_and_can_be_resumed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("solve", "diam", "--after", "r@1 m@1", "--within", "18", "--checkpoint", "kept")
    told, calls = solve_win.parallel_progress_line, 0

    def ctrl_c(say: Voice, progress: ParallelProgress) -> str:
        nonlocal calls
        calls += progress.nodes > 5000
        if calls == 1:
            raise KeyboardInterrupt
        return told(say, progress)

    with monkeypatch.context() as patched:
        patched.setattr(solve_win, "parallel_progress_line", ctrl_c)
        with pytest.raises(SystemExit) as exit_:
            main([*asked, "--jobs", "2"])
    assert exit_.value.code == 130
    assert "The same command goes on from here." in capsys.readouterr().err
    pids = [process.pid or 0 for process in multiprocessing.active_children()]
    until(lambda: not any(map(alive, pids)))
    assert [path.name for path in Path().iterdir()] == ["kept"]
    size = Path("kept").stat().st_size
    assert "different checkpoints" in run_refused(capsys, *asked)
    assert "Proved. " in run_command(capsys, *asked, "--jobs", "2")
    assert Path("kept").stat().st_size > size


@pytest.mark.process
@ignore_dask_leaks
def test_what_cannot_be_shared_out_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "CLUSTER_TIMEOUT", 0.1)
    asked = ("solve", "diam", "--within", "5")
    for arguments, why in (
        (("solve", "diam", "--jobs", "2"), "--within"),
        (("solve", "diadema", "--cluster", "here"), "--within"),
        ((*asked, "--jobs", "0"), "from 1 to 64"),
        ((*asked, "--jobs", "65"), "from 1 to 64"),
        ((*asked, "--jobs", "2", "--folder", "kept"), "--pawns"),
        ((*asked, "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"), "choose"),
        ((*asked, "--cluster", "tcp://127.0.0.1:1"), "no cluster answers"),
        ((*asked, "--jobs", "2", "--checkpoint", "no/such/file"), "no such file"),
        (("solve", "diam", "--within", "128", "--jobs", "2"), "from 1 to 127"),
    ):
        assert why in run_refused(capsys, *arguments)
