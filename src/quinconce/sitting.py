"""A sitting: people around one keyboard who play a match in the terminal."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from quinconce.core.errors import MoveError
from quinconce.core.match import Match
from quinconce.core.outcome import Outcome
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Record, Seat
from quinconce.core.spelling import understood
from quinconce.scenes import ending, player, scene
from quinconce.words import Voice

HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), undo, save [FILE], resign, "
    "draw (agree to stop), help, quit"
)


class Sitting:
    """The match, who plays it, and the file it is kept in."""

    def __init__(
        self,
        match: Match[Any],
        seats: tuple[Seat, ...],
        path: Path | None,
        console: Console,
        say: Voice,
    ) -> None:
        self.match = match
        self.seats = seats
        self.path = path
        self.console = console
        self.say = say
        self.saved = self.state()  # what is safe in the file
        self.commands: dict[str, Callable[[str], bool | None]] = {
            "?": self.list_moves,
            _("moves"): self.list_moves,
            _("show"): self.show,
            _("undo"): self.undo,
            _("save"): self.save,
            _("resign"): self.resign,
            _("draw"): self.draw,
            _("help"): self.help,
            _("quit"): self.quit,
        }

    def play(self) -> None:
        """Ask for moves until the match is over or the people leave; nothing played is lost."""
        with suppress(ImportError):
            import readline  # noqa: F401 (arrow keys and history at the prompt)
        self.tell(HELP)
        self.show()
        leaving: bool | None = False
        while not leaving and not self.match.outcome():
            try:
                leaving = self.answer(self.console.input(self.prompt()).strip())
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                break
        if outcome := self.match.outcome():
            self.tell(ending(self.match, outcome, self.seats))
        if self.state() != self.saved:
            self.save("")
        if self.state() != self.saved:  # better in an odd place than lost
            self.save(str(Path(tempfile.gettempdir()) / self.new_path()))

    def state(self) -> tuple[list[str], Outcome | None]:
        """What would be lost."""
        return self.match.moves.copy(), self.match.outcome()

    def prompt(self) -> Text:
        """Whose turn it is."""
        return Text(self.say(_("{player} > ", player=self.name(self.match.seat))))

    def name(self, seat: int) -> _:
        """A player as people call him."""
        return player(self.match, seat, self.seats)

    def answer(self, typed: str) -> bool | None:
        """Do what was typed; True to leave."""
        word, _space, rest = typed.partition(" ")
        for command, do in self.commands.items():
            if word.casefold() in (str(command), self.say(command)):
                return do(rest.strip())
        if not typed:
            return False
        try:
            self.match.play(understood(self.match.game, self.match.position, typed))
        except MoveError as error:
            self.tell(_("No: {why}", why=error.why))
        except ValueError as error:
            self.tell(error.args[0])
        else:
            self.show()
        return False

    def tell(self, phrase: _) -> None:
        """Say something on a line of its own."""
        self.console.print(Text(self.say(phrase)))

    def list_moves(self, _rest: str = "") -> None:
        """All legal moves."""
        self.console.print(Text("  ".join(sorted(self.match.legal()))))

    def show(self, _rest: str = "") -> None:
        """The board after the last move, and the reserves."""
        last = self.match.moves[-1] if self.match.moves else None
        self.console.print(scene(self.match, self.say, self.console, last, self.seats))

    def undo(self, _rest: str) -> None:
        """Take back a move."""
        try:
            self.tell(_("Taken back: {move}", move=self.match.undo()))
        except ValueError as error:
            self.tell(error.args[0])
            return
        self.show()

    def save(self, rest: str) -> None:
        """Write the record to the file that is named, or the one it came from, or a new one."""
        path = Path(rest).expanduser() if rest else self.path or self.new_path()
        try:
            Record.of(self.match, self.seats, datetime.now().date()).save(path)
        except OSError as error:
            self.tell(_("Not saved in {file}: {why}", file=path, why=error.strerror or error))
            return
        self.path, self.saved = path, self.state()
        self.tell(_("Saved. Resume with: quinconce play --resume {file}", file=path))

    def new_path(self) -> Path:
        """A file of this moment in the current folder."""
        return Path(f"{self.match.game.name}-{datetime.now():%Y%m%d-%H%M%S}.quinconce")

    def resign(self, _rest: str) -> None:
        """The side to move gives up, if all its players agree."""
        side = self.match.game.sides[self.match.game.side(self.match.seat)]
        self.end(self.match.resign, side, lambda who: _("Do you resign, {player}?", player=who))

    def draw(self, _rest: str) -> None:
        """Everybody agrees to stop."""
        everybody = range(self.match.game.seats)
        self.end(
            self.match.agree,
            everybody,
            lambda who: _("Do you agree to stop, {player}?", player=who),
        )

    def end(
        self,
        do: Callable[[int], Outcome | None],
        seats: Iterable[int],
        question: Callable[[_], _],
    ) -> None:
        """Ask every one of these seats, and end the match if all say yes."""
        try:
            for seat in seats:
                if not self.confirmed(question(self.name(seat))):
                    self.match.withdraw()
                    self.tell(_("The game goes on."))
                    return
                do(seat)
        except ValueError as error:
            self.tell(error.args[0])

    def confirmed(self, question: _) -> bool:
        """Whether the answer is yes; anything else is no."""
        asked = _("{question} [y/n] ", question=question)
        answer = self.console.input(Text(self.say(asked))).strip().casefold()
        return answer in ("y", "yes", self.say(_("y")), self.say(_("yes")))

    def help(self, _rest: str) -> None:
        """What can be typed."""
        self.tell(HELP)
        self.tell(self.match.game.how_to_write)

    def quit(self, _rest: str) -> bool:
        """Leave; the match is saved."""
        return True
