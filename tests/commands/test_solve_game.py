"""`quinconce solve` of a whole game."""

from __future__ import annotations

import pytest
from command_line import run_command

pytestmark = pytest.mark.usefixtures("in_english")


def test_a_whole_game_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(capsys, "solve", "diadema", "--after", "@A @D @1 @E @2 @F")
    assert "2,779,967 positions" in shown
    assert "1,583,603 won, 735,491 drawn, 460,873 lost" in shown
    assert "longest win takes 45 plies, the longest loss 46" in shown
    assert "The start: drawn." in shown
    assert "This position: wins in 1." in shown
    assert "  @C       wins in 1\n" in shown
