"""The command line: what it prints, and how it refuses."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import pexpect
import pytest
from command_line import QUINCONCE, run_command, run_in_french, run_refused
from waiting import PATIENCE

import quinconce.commands.version as installed_versions

pytestmark = pytest.mark.usefixtures("in_english")


@pytest.mark.process
def test_a_full_disk_is_told_on_one_line() -> None:
    command = " ".join(f"'{word}'" for word in [*QUINCONCE, "moves", "diam"])
    full = subprocess.run(
        ["sh", "-c", f"{command} > /dev/full"], capture_output=True, encoding="utf-8", check=False
    )
    assert full.returncode == 2
    assert full.stderr == "quinconce: the disk is full\n"


@pytest.mark.process
@pytest.mark.parametrize("command", ["games", "moves diam", "matches make club diam", "--help"])
def test_closed_standard_output_is_told_on_one_line_before_anything_is_done(
    command: str, tmp_path: Path
) -> None:
    words = " ".join([*(f"'{word}'" for word in QUINCONCE), command])
    closed = subprocess.run(
        ["sh", "-c", f"{words} >&-"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")},
    )
    assert closed.returncode == 2
    assert closed.stderr == (
        "quinconce: standard output is closed: send it to a file or to /dev/null\n"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.process
def test_other_closed_streams_lead_nowhere() -> None:
    words = " ".join(f"'{word}'" for word in [*QUINCONCE, "moves", "diam"])
    shown = subprocess.run(
        ["sh", "-c", f"{words} <&- 2>&-"], capture_output=True, encoding="utf-8", check=False
    )
    assert (shown.returncode, shown.stdout.split()[0]) == (0, "o@1")


def test_alone_it_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(capsys) == run_command(capsys, "--help")


def run_version(capsys: pytest.CaptureFixture[str]) -> str:
    """What `--version` prints."""
    return run_command(capsys, "--version")


def test_the_version_says_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    first, python, libraries, *extras = run_version(capsys).splitlines()
    assert first == f"quinconce, version {version('quinconce')}"
    assert python.startswith(f"Python {platform.python_version()}")
    assert f"click {version('click')}" in libraries
    assert f"[client] httpx {version('httpx')}" in extras
    assert {line.split()[0] for line in extras} >= {"[client]", "[cluster]", "[postgresql]"}
    assert not any("[dev]" in line for line in extras)


def test_the_version_says_what_is_not_installed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {None: ["click"], "dreams": ["httpx", "no-such-library"]}
    monkeypatch.setattr(installed_versions, "required_libraries", lambda: wanted)
    assert run_version(capsys).splitlines()[-1] == "[dreams] is not installed"


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "found"),
    [("mo", "moves"), ("moves --aft", "--after"), ("rules se", "seega"), ("play di", "diam")],
)
def test_a_shell_completes_commands_options_and_games(line: str, found: str) -> None:
    words = f"quinconce {line}"
    asked = {"_QUINCONCE_COMPLETE": "bash_complete", "COMP_WORDS": words}
    completed = subprocess.run(
        [*QUINCONCE],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=os.environ | asked | {"COMP_CWORD": str(len(words.split()) - 1)},
    )
    assert f"plain,{found}" in completed.stdout.split()


@pytest.mark.process
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_completion_is_printed(shell: str) -> None:
    printed = subprocess.run(
        [*QUINCONCE],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=os.environ | {"_QUINCONCE_COMPLETE": f"{shell}_source"},
    )
    assert f"_QUINCONCE_COMPLETE={shell}_complete" in printed.stdout


@pytest.mark.process
def test_help_and_errors_are_in_french_too() -> None:
    helped = run_in_french("--help")
    assert "Commandes" in helped.stdout
    assert "Rejouer une feuille de partie" in helped.stdout
    assert "Afficher ce message" in helped.stdout
    wrong = run_in_french("moves", "diam", "-o", "players=7")
    assert wrong.returncode == 2
    assert wrong.stderr == (
        "quinconce: l’option players ne peut pas être '7'\u00a0: choisissez 2, 3, 4\n"
    )
    assert "Il n’y a pas de commande 'danse'" in run_in_french("danse").stderr
    assert "rouge et orange" in run_in_french("show", "diam").stdout
    assert "# Buts" in run_in_french("rules", "buts").stdout


@pytest.mark.process
def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = " ".join(f"'{word}'" for word in [*QUINCONCE, "moves", "seega", "-o", "size=9"])
    piped = subprocess.run(
        ["sh", "-c", f"{command} | head -n 1"], capture_output=True, encoding="utf-8", check=False
    )
    assert piped.stdout == "@a1+a2\n"
    assert piped.stderr == ""


@pytest.mark.process
def test_colours_where_the_terminal_has_them() -> None:
    environment = os.environ | {"TERM": "xterm-256color", "QUINCONCE_LANG": "en"}
    environment.pop("NO_COLOR", None)
    child = pexpect.spawn(
        QUINCONCE[0],
        [*QUINCONCE[1:], "show", "diam", "--after", "r@1"],
        encoding="utf-8",
        timeout=PATIENCE,
        env=environment,
    )
    child.expect(pexpect.EOF)
    assert "\x1b[" in (child.before or "")


@pytest.mark.process
def test_no_colours_in_a_pipe() -> None:
    plain = subprocess.run(
        [*QUINCONCE, "show", "diam", "--after", "r@1"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert "\x1b" not in plain.stdout
    assert "(r)" in plain.stdout


@pytest.mark.process
def test_a_terminal_without_unicode_gets_letters_and_dots() -> None:
    plain = subprocess.run(
        [*QUINCONCE, "show", "buts"],
        capture_output=True,
        encoding="ascii",
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "QUINCONCE_LANG": "en"},
    )
    assert "(w)" in plain.stdout
    assert " o " in plain.stdout
    french = subprocess.run(
        [*QUINCONCE, "games"],
        capture_output=True,
        encoding="ascii",
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "QUINCONCE_LANG": "fr"},
    )
    assert "d'abord" in french.stdout.replace("?", "'")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["moves"], "Missing argument 'GAME'"),
        (["moves", "chess"], "there is no game 'chess': choose among buts, diadema, diam, seega"),
        (["moves", "diam", "-o", "players=7"], "option players cannot be '7': choose 2, 3, 4"),
        (["moves", "diam", "-o", "players"], "'players' is not like key=value"),
        (["moves", "diam", "-o", "players=2", "-o", "players=3"], "given twice"),
        (["moves", "diam", "-o", "edition=1997", "-o", "players=3"], "no rules for 3 players"),
        (["moves", "diam", "-o", "=3"], "there is no option ''"),
        (["moves", "buts", "-o", "size=3"], "this game has none"),
        (["moves", "diam", "--after", "r@9"], "not a move of this game"),
        (["moves", "diam", "--after", "r@1 r@2"], "the red reserve is not yours"),
        (["moves", "diam", "-o", "self=1"], "there is no option 'self'"),
        (["dance"], "No such command 'dance'"),
        (["moves", "diam", "--loud"], "No such option"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
