"""A sitting: people around one keyboard, and the engine, who play a match in the terminal."""

from __future__ import annotations

import os
import shlex
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.console import Console
from rich.text import Text

from quinconce.core.errors import MoveError
from quinconce.core.files import trouble
from quinconce.core.game import PASS
from quinconce.core.match import NOBODY_RESIGNS, Match
from quinconce.core.move_input import understood
from quinconce.core.outcome import Outcome
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Record
from quinconce.terminal.opponent import Opponent
from quinconce.terminal.scenes import scene
from quinconce.words import Voice
from quinconce.words.sentences import ending, player

HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), hint, undo, save [FILE], resign, "
    "draw (agree to stop), help, quit"
)
PATIENCE: Final = 0.3  # seconds after which people want to know what they are waiting for


class Sitting:
    """The match, the record it is kept as, and the file, if it has one yet."""

    def __init__(
        self, match: Match[Any], record: Record, path: Path | None, console: Console, say: Voice
    ) -> None:
        self.match = match
        self.record = record
        self.path = path
        self.console = console
        self.say = say
        self.saved = self.state()  # what is safe in the file
        self.engines = {n: seat for n, seat in enumerate(record.seats) if seat.level is not None}
        self.opponent = Opponent(match.game) if self.engines else None
        self.commands: dict[str, Callable[[str], bool | None]] = {
            "?": self.list_moves,
            _("moves"): self.list_moves,
            _("show"): self.show,
            _("hint"): self.hint,
            _("undo"): self.undo,
            _("save"): self.save_as,
            _("resign"): self.resign,
            _("draw"): self.draw,
            _("help"): self.help,
            _("quit"): self.quit,
            _("pass"): lambda _rest: self.play_move(PASS),
        }

    def play(self) -> None:
        """Ask for moves until the match is over or the people leave; nothing played is lost."""
        with suppress(ImportError):
            import readline  # noqa: F401 (arrow keys and history at the prompt)
        self.tell(HELP)
        self.show()
        leaving: bool | None = False
        try:
            with interrupted_by_signals():
                while not leaving and not self.match.outcome():
                    if self.match.seat in self.engines:
                        self.play_move(
                            self.engine().move(self.match, self.engines[self.match.seat])
                        )
                    else:
                        leaving = self.answer(self.ask(_("{player} > ", player=self.to_move())))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        finally:
            self.leave()

    def leave(self) -> None:
        """Save what is not safe yet: where it belongs, or else somewhere."""
        if self.state() != self.saved:
            self.save(self.path or self.new_path(Path()))
        if self.state() != self.saved:
            self.save(self.new_path(Path(tempfile.gettempdir())))
        if self.state() == self.saved and self.path and self.match.moves:
            self.tell_where(self.path)

    def ask(self, question: _) -> str:
        """What is typed after a question; the line editor has to know it."""
        try:
            return input(self.say(question)).strip()
        except RuntimeError:  # there is no standard input at all
            raise EOFError from None

    def engine(self) -> Opponent:
        """The engine, once it is ready."""
        self.opponent = self.opponent or Opponent(self.match.game)
        if not self.opponent.ready(PATIENCE):
            self.tell(_("The engine is compiled for this game, once: some seconds…"))
            while not self.opponent.ready(PATIENCE):
                pass
        return self.opponent

    def hint(self, _rest: str) -> None:
        """What the engine would play."""
        self.tell(_("The engine would play {move}.", move=self.engine().hint(self.match)))

    def to_move(self) -> _:
        """Whose turn it is."""
        return player(self.match, self.match.seat, self.record.seats)

    def answer(self, typed: str) -> bool | None:
        """Do what was typed; True to leave."""
        word, _space, rest = typed.partition(" ")
        for command, do in self.commands.items():
            if word.casefold() in (str(command), self.say(command)):
                return do(rest.strip())
        if typed:
            self.play_move(typed)
        return False

    def play_move(self, typed: str) -> None:
        """Play what was meant, or say why not."""
        try:
            self.match.play(understood(self.match.game, self.match.position, typed))
        except MoveError as error:
            self.tell(_("No: {why}", why=error.why))
        except ValueError as error:
            self.tell(error.args[0])
        else:
            self.changed()

    def changed(self) -> None:
        """Show the board, and keep the file up to date, if there is one."""
        if self.path:
            self.save(self.path)
        self.show()

    def state(self) -> tuple[list[str], Outcome | None]:
        """What would be lost."""
        return self.match.moves.copy(), self.match.outcome()

    def tell(self, phrase: _) -> None:
        """Say something on a line of its own."""
        self.console.print(Text(self.say(phrase)))

    def list_moves(self, _rest: str = "") -> None:
        """All legal moves."""
        self.console.print(Text("  ".join(sorted(self.match.legal()))))

    def show(self, _rest: str = "") -> None:
        """The board, the reserves, whose turn it is or how it ended."""
        self.console.print(scene(self.match, self.say, self.console, self.record.seats))

    def undo(self, _rest: str) -> None:
        """Take back a move, and what engines played since a person's last."""
        try:
            self.tell(_("Taken back: {move}", move=self.match.undo()))
            while self.match.seat in self.engines and self.match.moves:
                self.tell(_("Taken back: {move}", move=self.match.undo()))
        except ValueError as error:
            self.tell(error.args[0])
        else:
            self.changed()

    def save_as(self, rest: str) -> None:
        """Save where it is kept, or in the file that is named."""
        if rest:
            path = Path(os.path.expanduser(rest))  # noqa: PTH111 (leaves ~nobody as it is)
            taken = path != self.path and os.path.isfile(path)  # noqa: PTH113 (never fails)
            if taken and not self.confirmed(_("{file} exists. Overwrite it?", file=path)):
                return
        else:
            path = self.path or self.new_path(Path())
        if self.save(path):
            self.tell_where(path)

    def save(self, path: Path) -> bool:
        """Write the record to a file, which is its own from then on; tell if that fails."""
        moves, outcome = self.state()
        try:
            replace(self.record, moves=tuple(moves), outcome=outcome).save(path)
        except (OSError, ValueError) as error:
            self.tell(_("Not saved in {file}: {why}", file=path, why=trouble(error)))
            return False
        self.path, self.saved = path, (moves, outcome)
        return True

    def tell_where(self, path: Path) -> None:
        """Say where the match is kept."""
        if self.match.outcome():
            self.tell(_("Saved in {file}.", file=path))
        else:
            command = shlex.join(["quinconce", "play", "--resume", str(path)])
            self.tell(_("Saved. Resume with: {command}", command=command))

    def new_path(self, folder: Path) -> Path:
        """A file that is not there yet, named by the game and the moment."""
        stem = f"{self.match.game.name}-{datetime.now():%Y%m%d-%H%M%S}"
        path = folder / f"{stem}.quinconce"
        n = 1
        while True:
            try:
                path.touch(exist_ok=False)  # so that a sitting beside ours takes another
            except FileExistsError:
                n += 1
                path = folder / f"{stem}-{n}.quinconce"
                continue
            except OSError:
                pass  # saving will tell
            return path

    def resign(self, _rest: str) -> None:
        """The side to move gives up, if all its players agree."""
        game = self.match.game
        if len(game.sides) > 2:
            self.tell(NOBODY_RESIGNS)
            return
        side = game.sides[game.side(self.match.seat)]
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
        for seat in seats:
            if seat in self.engines:
                # An engine resigns with its partner; to stop it has to think that it is not better.
                agreed = do == self.match.resign or self.engine().would_stop(self.match, seat)
            else:
                agreed = self.confirmed(question(player(self.match, seat, self.record.seats)))
            if not agreed:
                self.match.withdraw()
                self.tell(_("The game goes on."))
                return
            do(seat)
        if outcome := self.match.outcome():
            self.tell(ending(self.match, outcome, self.record.seats))

    def confirmed(self, question: _) -> bool:
        """Whether the answer is yes; anything else is no."""
        answer = self.ask(_("{question} [y/n] ", question=question)).casefold()
        return answer in ("y", "yes", self.say(_("y")), self.say(_("yes")))

    def help(self, _rest: str) -> None:
        """What can be typed."""
        self.tell(HELP)
        self.tell(self.match.game.how_to_write)

    def quit(self, _rest: str) -> bool:
        """Leave; the match is saved."""
        return True


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """A closed terminal or a polite kill ends the sitting as Ctrl-C does: saved."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    names = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
