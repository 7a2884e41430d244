"""The commands about what is certain: what they print, what they write, and how they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import refused, run
from corpus import DIAM_ENDGAME

from quinconce.cli import main
from quinconce.commands import solve_win
from quinconce.solvers.proofs.prover import Progress
from quinconce.solvers.proofs.shipped import FOLDER
from quinconce.words import Voice

pytestmark = pytest.mark.usefixtures("in_english")


def test_a_whole_game_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "solve", "diadema", "--after", "@A @D @1 @E @2 @F")
    assert "2779967 positions" in shown
    assert "1583603 won, 735491 drawn, 460873 lost" in shown
    assert "longest win takes 45 plies, the longest loss 46" in shown
    assert "The start: drawn." in shown
    assert "This position: wins in 1." in shown
    assert "  @C       wins in 1\n" in shown


def test_a_win_is_proved_certified_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(
        capsys, "solve", "diam", "--after", DIAM_ENDGAME, "--within", "10", "--certificate", "proof"
    )
    assert shown.startswith("Proved. Diam (edition=2003 players=2), from ")
    assert "player 2 wins within 10 plies" in shown
    assert "quinconce verify proof" in shown
    checked = run(capsys, "verify", "proof")
    assert checked.startswith("It holds. Diam")
    assert "Checked with the plain rules" in checked


def test_a_win_that_is_not_there_is_refuted(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("solve", "buts", "--within", "4")
    assert "Refuted: Goals, from the start: player 2 wins" in run(capsys, *asked, "--wide")
    shown = run(capsys, *asked, "--player", "1", "--certificate", "proof")
    assert "Refuted: Goals, from the start: player 1 wins within 4 plies" in shown
    assert not Path("proof").exists()


def test_the_shipped_proof_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "verify", str(FOLDER / "diam-2003-2.txt"))
    assert "from the start: player 2 wins within 20 plies" in shown
    assert "3237 answers" in shown


def test_what_cannot_be_asked_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, why in (
        (("buts",), "too large"),
        (("diadema", "--certificate", "proof"), "--within"),
        (("diam", "--within", "0"), "from 1 to 127"),
        (("diam", "--within", "5", "--player", "3"), "from 1 to 2"),
        (("diam", "--within", "5", "--memory", "0"), "--memory"),
        (("diam", "--within", "5", "--checkpoint", "/"), "folder"),
        (("diam", "--within", "5", "--certificate", "no/such/proof"), "no such file"),
        (("chess",), "no game"),
    ):
        assert why in refused(capsys, "solve", *arguments)


def test_a_file_that_proves_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in refused(capsys, "verify", "nothing")
    whole = (FOLDER / "diam-2003-2.txt").read_text()
    Path("cut").write_text(whole[: whole.rindex("\n", 0, 9000) + 1])
    told = refused(capsys, "verify", "cut")
    assert told.startswith("quinconce: cut: in position «")
    assert "there is no answer" in told


def test_a_search_stopped_by_ctrl_c_can_be_resumed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found out is in the file, and the second run begins with it."""
    asked = ("solve", "diam", "--after", "r@1 m@1", "--within", "18", "--checkpoint", "kept")

    def ctrl_c(say: Voice, progress: Progress) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(solve_win, "told", ctrl_c)
        with pytest.raises(SystemExit) as exit_:
            main(asked)
    assert exit_.value.code == 130
    capsys.readouterr()
    size = Path("kept").stat().st_size
    assert size > 10_000
    assert "Proved. " in run(capsys, *asked)
    assert Path("kept").stat().st_size > size
    assert "another question" in refused(capsys, *asked, "--player", "1")
