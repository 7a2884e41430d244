"""`quinconce games` and `quinconce rules`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_command, run_refused

import quinconce
from quinconce import words

pytestmark = pytest.mark.usefixtures("in_english")


def test_games_shows_every_game_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_command(capsys, "games")
    for name in quinconce.names():
        assert name in shown
        for option in quinconce.game(name).options:
            assert f"{option}=" in shown


def test_games_explains_the_options_of_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")  # so that no meaning is broken into lines
    shown = run_command(capsys, "games", "seega")
    for option in quinconce.game("seega").options.values():
        for meaning in option.meanings.values():
            assert meaning in shown


def test_rules_are_shown_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for name in quinconce.names():
        english = run_command(capsys, "rules", name)
        french = run_command(capsys, "rules", name, "--lang", "fr")
        assert english != french
        folder = Path(words.__file__).parent / "rules"
        assert english == (folder / f"{name}.en.md").read_text(encoding="utf-8")
        assert french == (folder / f"{name}.fr.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rules", "diam", "--lang", "de"], "Invalid value for '--lang'"),
        (["rules", "../rules/diam"], "there is no game"),
        (["games", "chess"], "there is no game 'chess'"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
