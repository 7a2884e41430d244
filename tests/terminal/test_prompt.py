"""The prompt that matches and puzzles share: its words in two languages, what it reads."""

from __future__ import annotations

import builtins
from io import StringIO

import pytest
from command_line import type_lines
from rich.console import Console

import quinconce
from quinconce import Match
from quinconce.core.phrase import Phrase
from quinconce.terminal.prompt import Prompt
from quinconce.words import Voice


class Recorder(Prompt):
    """Remembers what it was told to play."""

    def __init__(self, language: str = "en") -> None:
        self.screen = StringIO()
        self.played: list[str] = []
        match = Match(quinconce.game("diadema"))
        super().__init__(match, Console(file=self.screen, width=100), Voice(language))

    def help(self, rest: str = "") -> None:
        self.print_phrase(Phrase(f"helped with {rest}"))

    def play_move(self, typed: str) -> None:
        self.played.append(typed)


@pytest.mark.parametrize(
    ("language", "typed"),
    [("en", "quit"), ("en", "QUIT now"), ("fr", "quit"), ("fr", "quitter")],
)
def test_a_command_is_known_in_english_and_in_the_language_of_the_user(
    language: str, typed: str
) -> None:
    prompt = Recorder(language)
    assert prompt.handle_input(typed) is True
    assert prompt.played == []


def test_a_word_that_is_no_command_is_a_move() -> None:
    prompt = Recorder()
    for typed in ("@A", "quitter", "a - b", ""):
        assert not prompt.handle_input(typed)
    assert prompt.played == ["@A", "quitter", "a - b"]


def test_a_command_is_given_the_rest_of_its_line() -> None:
    prompt = Recorder()
    prompt.handle_input("help  me [bold]please ")
    assert prompt.screen.getvalue() == "helped with me [bold]please\n"


def test_the_moves_and_the_board_are_shown() -> None:
    prompt = Recorder()
    prompt.handle_input("?")
    assert "@1  @2  @3" in prompt.screen.getvalue()
    prompt.handle_input("show")
    assert "Player 1 (light) to move." in prompt.screen.getvalue()


def test_without_a_keyboard_nothing_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = Recorder()
    type_lines(monkeypatch, " a line ")
    assert prompt.ask(Phrase("> ")) == "a line"
    with pytest.raises(EOFError):
        prompt.ask(Phrase("> "))

    def lost(_prompt: str) -> str:
        raise RuntimeError("input(): lost sys.stdin")

    monkeypatch.setattr(builtins, "input", lost)
    with pytest.raises(EOFError):
        prompt.ask(Phrase("> "))
