"""`quinconce solve` of a whole game."""

from __future__ import annotations

import pytest
from command_line import run_command

pytestmark = pytest.mark.usefixtures("in_english")


def test_a_whole_game_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(capsys, "solve", "diadema", "--after", "@A @D @1 @E @2 @F")
    assert "2,779,967 positions" in shown
    assert "1,583,603 won, 735,491 drawn, 460,873 lost" in shown
    assert "In moves of the winner, the longest win takes 23 and the longest loss 23." in shown
    assert "The start: drawn." in shown
    assert "This position: Player 1 (light) wins in 1 move." in shown
    assert "  @C       Player 1 (light) wins in 1 move\n" in shown
