"""`quinconce verify`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_command, run_refused

from quinconce.solvers.proofs.shipped_certificates import CERTIFICATE_FOLDER

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.mark.slow
def test_the_shipped_proof_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(capsys, "verify", str(CERTIFICATE_FOLDER / "diam-2003-2.txt"))
    assert "from the start: player 2 wins within 20 plies" in shown
    assert "3,237 answers" in shown


def test_a_file_that_proves_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in run_refused(capsys, "verify", "nothing")
    whole = (CERTIFICATE_FOLDER / "diam-2003-2.txt").read_text()
    Path("cut").write_text(whole[: whole.rindex("\n", 0, 9000) + 1])
    told = run_refused(capsys, "verify", "cut")
    assert told.startswith("quinconce: cut: in position «")
    assert "there is no answer" in told
