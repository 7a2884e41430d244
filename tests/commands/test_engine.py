"""`quinconce levels` and `quinconce warmup`."""

from __future__ import annotations

import pytest
from command_line import run_command, run_refused

pytestmark = pytest.mark.usefixtures("in_english")


def test_levels_have_names_in_both_languages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    english = run_command(capsys, "levels").splitlines()
    monkeypatch.setenv("QUINCONCE_LANG", "fr")
    french = run_command(capsys, "levels").splitlines()
    assert len(english) == len(french) == 10
    assert english[0] == " 1 beginner"
    assert french[0] == " 1 débutant"


def test_warmup_makes_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(capsys, "warmup", "diadema") == "The engine is ready.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["warmup", "chess"], "there is no game 'chess'"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
