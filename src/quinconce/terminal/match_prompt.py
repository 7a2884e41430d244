"""The prompt at which people around one keyboard, and the engine, play a match."""

from __future__ import annotations

import os
import shlex
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.console import Console
from rich.status import Status
from rich.text import Text

from quinconce.bridges.time_control import MatchClock, TimeControl
from quinconce.bridges.ugi_program import UgiProgram
from quinconce.core.files import describe_error, make_new
from quinconce.core.game import PASS
from quinconce.core.match import NOBODY_RESIGNS, Match
from quinconce.core.move_input import parse_typed_move
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import Outcome
from quinconce.core.record import Record
from quinconce.engine.match_runner import ForfeitError
from quinconce.terminal.opponent import Opponent
from quinconce.terminal.prompt import Prompt, enable_line_editing
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name

# A program has a second a move, as the last level of the engine; people wait this much longer.
PROGRAM_TIME: Final = TimeControl(1.0, lag=20.0)
MATCH_HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), hint, undo, "
    "save [FILE], resign, draw (agree to stop), help, quit"
)


class MatchPrompt(Prompt):
    """Plays a match, and saves its record in a file; every move at once if there is a path."""

    def __init__(
        self,
        match: Match[Any],
        record: Record,
        path: Path | None,
        console: Console,
        say: Voice,
        programs: Mapping[int, UgiProgram] = {},
        given: Mapping[int, str] = {},
    ) -> None:
        super().__init__(match, console, say)
        self.record = record
        self.seats = record.seats
        self.path = path
        self.saved_state = self.savable_state()  # what the file holds
        self.engines = {n: seat for n, seat in enumerate(record.seats) if seat.level is not None}
        self.programs = programs  # by their seats
        self.given = given  # to the seats, as it was typed: ugi:COMMAND for a program
        self.machines = self.engines.keys() | programs.keys()
        self.mine = frozenset(range(match.game.seats)) - self.machines
        self.opponent = Opponent(match.game) if self.engines else None
        self.commands |= {
            _("hint"): self.hint,
            _("undo"): self.undo,
            _("save"): self.save_as,
            _("resign"): self.resign,
            _("draw"): self.draw,
            _("pass"): lambda _rest: self.play_move(PASS),
        }

    def run(self) -> None:
        """Ask for moves until the match is over or the people leave; nothing played is lost."""
        enable_line_editing()
        self.print_phrase(MATCH_HELP)
        self.show()
        leaving: bool | None = False
        try:
            with interrupt_on_signals():
                while not leaving and not self.match.outcome():
                    if self.match.seat in self.programs:
                        self.play_program_move(self.programs[self.match.seat])
                    elif self.match.seat in self.engines:
                        self.play_move(self.engine_move())
                    elif self.must_pass():
                        self.play_move(PASS)  # the line that says what to do has said why
                    else:
                        leaving = self.handle_input(
                            self.ask(_("{player} > ", player=self.player_to_move()))
                        )
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        finally:
            self.save_on_exit()

    def must_pass(self) -> bool:
        """Whether the player to move has no other move."""
        first = next(self.match.game.moves(self.match.position), None)
        return first is not None and first[0] == PASS

    def save_on_exit(self) -> None:
        """Save what is not in the file yet; if that fails, in a folder for temporary files."""
        if self.savable_state() != self.saved_state:
            self.save(self.path or self.new_path(Path()))
        if self.savable_state() != self.saved_state:
            self.save(self.new_path(Path(tempfile.gettempdir())))
        if self.savable_state() == self.saved_state and self.path and self.match.moves:
            self.print_where_saved(self.path)

    def engine(self) -> Opponent:
        """The engine, which begins to load what is proved when it is first needed."""
        self.opponent = self.opponent or Opponent(self.match.game)
        return self.opponent

    def status(self, text: Phrase) -> Status:
        """A line that goes away when the engine has answered."""
        return self.console.status(Text(self.say(text)))

    def engine_move(self) -> str:
        """The move of the engine whose turn it is."""
        with self.status(_("{player} is thinking…", player=self.player_to_move())):
            return self.engine().move(self.match, self.engines[self.match.seat])

    def play_program_move(self, program: UgiProgram) -> None:
        """Play the move of a program; where it fails it has lost, and what it did is told."""
        try:
            with self.status(_("{player} is thinking…", player=self.player_to_move())):
                move = program.move(self.match, MatchClock(PROGRAM_TIME))
        except ForfeitError as error:
            error.end(self.match)
            self.print_phrase(_("{why}.", why=error.why))
            self.save_and_show()
        else:
            self.play_move(move)

    def hint(self, _rest: str) -> None:
        """Print what the engine would play."""
        with self.status(_("The engine is looking…")):
            move = self.engine().hint(self.match)
        self.print_phrase(_("The engine would play {move}.", move=move))

    def engine_would_stop(self, seat: int) -> bool:
        """Whether the engine in a seat agrees to stop."""
        with self.status(_("The engine is looking…")):
            return self.engine().would_stop(self.match, seat)

    def player_to_move(self) -> Phrase:
        """Whose turn it is."""
        return player_name(self.match, self.match.seat, self.seats)

    def play_move(self, typed: str) -> None:
        """Play the move that was typed, or print why not."""
        try:
            self.match.play(parse_typed_move(self.match.game, self.match.position, typed))
        except ValueError as error:
            self.print_refusal(error)
        else:
            self.save_and_show()

    def save_and_show(self) -> None:
        """Update the file, if there is one, and show the board."""
        if self.path:
            self.save(self.path)
        self.show()

    def savable_state(self) -> tuple[list[str], Outcome | None]:
        """What of the match a file can hold."""
        return self.match.moves.copy(), self.match.outcome()

    def undo(self, _rest: str) -> None:
        """Take back the last move that a person chose, and everything since."""
        try:
            self.print_phrase(_("Taken back: {move}", move=self.match.undo()))
            while self.match.moves and (self.match.seat in self.machines or self.must_pass()):
                self.print_phrase(_("Taken back: {move}", move=self.match.undo()))
        except ValueError as error:
            self.print_phrase(error.args[0])
        else:
            self.save_and_show()

    def save_as(self, rest: str) -> None:
        """Save where it is kept, or in the file that is named."""
        if rest:
            path = Path(os.path.expanduser(rest))  # noqa: PTH111 (leaves ~nobody as it is)
            taken = path != self.path and os.path.isfile(path)  # noqa: PTH113 (never fails)
            if taken and not self.confirm(_("{file} exists. Overwrite it?", file=path)):
                return
        else:
            path = self.path or self.new_path(Path())
        if self.save(path):
            self.print_where_saved(path)

    def save(self, path: Path) -> bool:
        """Write the record to a file, which is its own from then on; tell if that fails."""
        moves, outcome = self.savable_state()
        try:
            self.record.continued(moves, outcome).save(path)
        except (OSError, ValueError) as error:
            self.print_phrase(_("Not saved in {file}: {why}", file=path, why=describe_error(error)))
            return False
        self.path, self.saved_state = path, (moves, outcome)
        return True

    def print_where_saved(self, path: Path) -> None:
        """Print where the match is saved."""
        if self.match.outcome():
            self.print_phrase(_("Saved in {file}.", file=path))
        else:
            words = ["quinconce", "play", "--resume", str(path)]
            for seat in self.programs:  # of which the record has the name alone
                words += ["--seat", f"{seat + 1}={self.given[seat]}"]
            self.print_phrase(_("Saved. Resume with: {command}", command=shlex.join(words)))

    def new_path(self, folder: Path) -> Path:
        """A file that is not there yet, named by the game and the moment."""
        path = folder / f"{self.match.game.name}-{datetime.now():%Y%m%d-%H%M%S}.quinconce"
        with suppress(OSError):  # saving will say why
            return make_new(path, lambda path: path.touch(exist_ok=False))
        return path

    def resign(self, _rest: str) -> None:
        """End the match as lost for the side to move, if all its players agree."""
        game = self.match.game
        if len(game.sides) > 2:
            self.print_phrase(NOBODY_RESIGNS)
            return
        side = game.sides[game.side(self.match.seat)]
        self.end_by_consent(
            self.match.resign, side, lambda who: _("Do you resign, {player}?", player=who)
        )

    def draw(self, _rest: str) -> None:
        """End the match if everybody agrees to stop."""
        everybody = range(self.match.game.seats)
        self.end_by_consent(
            self.match.agree,
            everybody,
            lambda who: _("Do you agree to stop, {player}?", player=who),
        )

    def end_by_consent(
        self,
        do: Callable[[int], Outcome | None],
        seats: Iterable[int],
        question: Callable[[Phrase], Phrase],
    ) -> None:
        """Ask every one of these seats, and end the match if all say yes."""
        for seat in seats:
            if seat in self.programs:
                agreed = do == self.match.resign  # UGI knows no other way to stop
            elif seat in self.engines:
                # An engine resigns with its partner; to stop it has to think that it is not better.
                agreed = do == self.match.resign or self.engine_would_stop(seat)
            else:
                agreed = self.confirm(question(player_name(self.match, seat, self.seats)))
            if not agreed:
                self.match.withdraw()
                self.print_phrase(_("The game goes on."))
                return
            do(seat)
        if outcome := self.match.outcome():
            self.print_phrase(outcome_sentence(self.match, outcome, self.seats, self.mine))

    def confirm(self, question: Phrase) -> bool:
        """Whether the answer is yes; anything else is no."""
        answer = self.ask(_("{question} [y/n] ", question=question)).casefold()
        return answer in ("y", "yes", self.say(_("y")), self.say(_("yes")))

    def help(self, _rest: str = "") -> None:
        """Print what can be typed, and how moves are written."""
        self.print_phrase(MATCH_HELP)
        self.print_phrase(self.match.game.how_to_write)


@contextmanager
def interrupt_on_signals() -> Iterator[None]:
    """Let a closed terminal or a SIGTERM end the prompt as Ctrl-C does: saved."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    names = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
