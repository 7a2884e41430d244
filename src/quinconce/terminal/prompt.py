"""A prompt at which people type moves, and words that are commands, in two languages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.text import Text

from quinconce.core.errors import MoveError, TooManyMovesError
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Seat
from quinconce.terminal.scenes import render_match
from quinconce.words import Voice


class Prompt(ABC):
    """Reads lines from the keyboard: a command, or else a move of the match."""

    seats: tuple[Seat, ...] = ()  # their names stand beside the board
    mine: frozenset[int] = frozenset()  # the seats of people who are told what to do

    def __init__(self, match: Match[Any], console: Console, say: Voice) -> None:
        self.match = match
        self.console = console
        self.say = say
        # A command is given the rest of its line; it returns True to leave.
        self.commands: dict[str, Callable[[str], bool | None]] = {
            "?": self.list_moves,
            _("moves"): self.list_moves,
            _("show"): self.show,
            _("help"): self.help,
            _("quit"): self.quit,
        }

    @abstractmethod
    def help(self, _rest: str = "") -> None:
        """Print what can be typed."""

    @abstractmethod
    def play_move(self, typed: str) -> bool | None:
        """Play the move that was typed, or print why not; True to leave."""

    def handle_input(self, typed: str) -> bool | None:
        """Do what was typed; True to leave."""
        word, _space, rest = typed.partition(" ")
        for command, do in self.commands.items():
            if word.casefold() in (str(command), self.say(command)):
                return do(rest.strip())
        return self.play_move(typed) if typed else None

    def ask(self, question: Phrase) -> str:
        """What is typed after a question; EOFError if nobody can answer."""
        try:
            return input(self.say(question)).strip()
        except RuntimeError:  # there is no standard input at all
            raise EOFError from None

    def print_phrase(self, phrase: Phrase) -> None:
        """Print a phrase on a line of its own."""
        self.console.print(Text(self.say(phrase)))

    def print_refusal(self, error: ValueError) -> None:
        """Print why a move was refused."""
        if isinstance(error, MoveError):
            self.print_phrase(_("No: {why}", why=error.why))
        else:
            self.print_phrase(error.args[0])

    def list_moves(self, _rest: str = "") -> None:
        """Print all legal moves, or that they are too many."""
        try:
            self.console.print(Text("  ".join(sorted(self.match.legal()))))
        except TooManyMovesError as error:
            self.print_phrase(error.args[0])

    def show(self, _rest: str = "") -> None:
        """Print the board, the reserves, whose turn it is or how the match ended."""
        self.console.print(
            render_match(self.match, self.say, self.console, self.seats, mine=self.mine)
        )

    def quit(self, _rest: str) -> bool:
        """Leave."""
        return True


def enable_line_editing() -> None:
    """Have arrow keys and a history at the prompt, where Python has them."""
    with suppress(ImportError):
        import readline  # noqa: F401
