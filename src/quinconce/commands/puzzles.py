"""The command about puzzles: solve them in the terminal, list them, and look for new ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from quinconce.commands.options import bar, chosen, ended_at_once_by_ctrl_c, game_options
from quinconce.core.errors import MoveError
from quinconce.core.files import read_text, told_by_name, write_whole
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_input import understood
from quinconce.core.phrase import Phrase as _
from quinconce.puzzles.messages import certain, goal, told
from quinconce.puzzles.puzzle import GRADES, Puzzle, form, forms, puzzles, read, written
from quinconce.terminal.scenes import scene
from quinconce.words import Voice

LONGEST: Final = 10_000_000  # bytes of a file of puzzles
MOST: Final = 100_000  # puzzles that one may look for
OFTEN: Final = 10  # puzzles found between two times that the file is written
HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), retry, solution, next, help, quit"
)


@click.command("puzzles", help=_("Solve puzzles of a game: one move wins, or saves."))
@click.argument("name", metavar="GAME")
@game_options
@click.option("--number", type=int, metavar="N", help=_("the puzzle with this number, from 1"))
@click.option("--grade", type=int, metavar="G", help=_("puzzles of this grade, from 1 to 5"))
@click.option("--seed", type=int, metavar="S", help=_("in an order of chance, which this repeats"))
@click.option("--list", "listing", is_flag=True, help=_("list them instead, with solutions"))
@click.option("--json", "as_json", is_flag=True, help=_("list them as JSON"))
@click.option("--mine", type=int, metavar="N", help=_("look for N new ones in matches of chance"))
@click.option(
    "-O", "--out", "file", type=click.Path(path_type=Path), help=_("the file for what --mine finds")
)
@click.pass_obj
def solve_puzzles(
    say: Voice,
    name: str,
    options: Sequence[str],
    number: int | None,
    grade: int | None,
    seed: int | None,
    listing: bool,
    as_json: bool,
    mine: int | None,
    file: Path | None,
) -> None:
    """One after the other, from easy to hard unless a seed is given."""
    rules = chosen(name, options)
    if (mine is None) != (file is None):
        raise ValueError(_("--mine and --out go together"))
    if mine is not None and file is not None:
        look_for(say, rules, mine, seed or 0, file)
        return
    wanted = selected(rules, number, grade)
    if seed is not None:
        random.Random(seed).shuffle(wanted)
    if as_json:
        click.echo(json.dumps([as_data(n, puzzle) for n, puzzle in wanted], indent=1))
    elif listing:
        for n, puzzle in wanted:
            click.echo(listed(say, n, puzzle))
    else:
        Solving(wanted, Console(), say).run()


def selected(rules: Game[Any], number: int | None, grade: int | None) -> list[tuple[int, Puzzle]]:
    """The puzzles that are asked for, each with its number."""
    every = list(enumerate(puzzles(rules), start=1))
    if not every:
        known = ", ".join(form(other) for other in forms(rules.name)) or "–"
        raise ValueError(
            _("no puzzles for these options; there are some for: {known}", known=known)
        )
    if number is not None and not 1 <= number <= len(every):
        raise ValueError(_("the puzzles go from 1 to {last}", last=len(every)))
    if grade is not None and not 1 <= grade <= GRADES:
        raise ValueError(_("the grades go from 1 to {last}", last=GRADES))
    if number is not None:
        every = every[number - 1 :]
    found = [(n, puzzle) for n, puzzle in every if grade in (None, puzzle.grade)]
    if not found:
        raise ValueError(_("there is no such puzzle"))
    return found


def as_data(n: int, puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle for programs."""
    return {
        "number": n,
        "id": puzzle.id,
        "game": puzzle.game.name,
        "options": puzzle.game.chosen,
        "position": puzzle.game.write(puzzle.position),
        "grade": puzzle.grade,
        "goal": puzzle.goal,
        "plies": puzzle.plies,
        "alone": puzzle.alone,
        "solution": list(puzzle.line),
    }


def listed(say: Voice, n: int, puzzle: Puzzle) -> str:
    """A puzzle on one line."""
    where = puzzle.game.write(puzzle.position)
    return f"{n:4} {puzzle.id} {puzzle.grade} {where}  {say(goal(puzzle))} {' '.join(puzzle.line)}"


def look_for(say: Voice, rules: Game[Any], wanted: int, seed: int, file: Path) -> None:
    """Look for puzzles, and put them into a file in place of what it has for this form."""
    if not 1 <= wanted <= MOST:
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name="--mine", first=1, last=MOST)
        )
    others: list[Puzzle] = []
    with told_by_name(file):
        file.parent.resolve(strict=True)
        if file.exists():
            every = read(rules.name, read_text(file, LONGEST))
            others = [puzzle for puzzle in every if puzzle.game != rules]
    from quinconce.puzzles.miner import Mine  # Numba is slow to load

    found = Mine(rules, wanted, seed)
    with ended_at_once_by_ctrl_c(), bar() as progress:
        task = progress.add_task(say(_("looking for puzzles")), total=wanted)
        for n, _puzzle in enumerate(found.dig(), start=1):
            progress.advance(task)
            if n % OFTEN == 0 or n == wanted:  # whoever stops it keeps what was found
                with told_by_name(file):
                    write_whole(file, written([*others, *found.puzzles()]))
    click.echo(say(_("{file}: {n} puzzles.", file=file, n=wanted)))


class Solving:
    """Somebody who solves puzzles at the keyboard."""

    def __init__(self, wanted: list[tuple[int, Puzzle]], console: Console, say: Voice) -> None:
        self.wanted = wanted
        self.console = console
        self.say = say
        self.at = 0
        self.moves: tuple[str, ...] = ()
        self.commands: dict[str, Callable[[], bool | None]] = {
            "?": self.list_moves,
            _("moves"): self.list_moves,
            _("show"): self.show,
            _("retry"): self.begin,
            _("solution"): self.tell_solution,
            _("next"): self.go_on,
            _("help"): lambda: self.tell(HELP),
            _("quit"): lambda: True,
        }

    @property
    def puzzle(self) -> Puzzle:
        """The one on the table."""
        return self.wanted[self.at][1]

    def run(self) -> None:
        """Ask for moves until all are solved or somebody leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401 (arrow keys and history at the prompt)
        self.tell(HELP)
        self.begin()
        with suppress(EOFError, KeyboardInterrupt):
            while not self.answer(self.ask()):
                pass

    def ask(self) -> str:
        """What is typed."""
        try:
            return input(self.say(_("your move > "))).strip()
        except RuntimeError:  # there is no standard input at all
            raise EOFError from None

    def answer(self, typed: str) -> bool | None:
        """Do what was typed; true to leave."""
        for command, act in self.commands.items():
            if typed.casefold() in (str(command), self.say(command)):
                return act()
        return self.play(typed) if typed else None

    def play(self, typed: str) -> bool | None:
        """A move, judged and replied to."""
        from quinconce.puzzles.judge import judged  # Numba is slow to load

        try:
            move = understood(self.puzzle.game, self.match().position, typed)
            answer = judged(self.puzzle, (*self.moves, move))
        except MoveError as error:
            self.tell(_("No: {why}", why=error.why))
            return None
        except ValueError as error:
            self.tell(error.args[0])
            return None
        self.moves = answer.moves
        if answer.verdict in ("right", "solved"):
            self.show()
        self.tell(told(self.puzzle, answer))
        return self.go_on() if answer.verdict == "solved" else None

    def match(self) -> Match[Any]:
        """The match as it stands."""
        return self.puzzle.match(self.moves)

    def begin(self) -> None:
        """The puzzle from its start."""
        self.moves = ()
        n, puzzle = self.wanted[self.at]
        self.tell(_("Puzzle {n}, grade {grade} ({id})", n=n, grade=puzzle.grade, id=puzzle.id))
        self.show()
        self.tell(goal(puzzle))

    def go_on(self) -> bool:
        """The next puzzle, if there is one."""
        self.at += 1
        if self.at == len(self.wanted):
            self.tell(_("That was the last puzzle."))
            return True
        self.begin()
        return False

    def show(self) -> None:
        """The board."""
        self.console.print(scene(self.match(), self.say, self.console))

    def list_moves(self) -> None:
        """All legal moves."""
        self.console.print(Text("  ".join(sorted(self.match().legal()))))

    def tell_solution(self) -> None:
        """The moves against the best defence."""
        self.tell(_("The solution: {moves}.", moves=" ".join(self.puzzle.line)))
        self.tell(certain(self.puzzle))

    def tell(self, phrase: _) -> None:
        """Say something on a line of its own."""
        self.console.print(Text(self.say(phrase)))


COMMANDS: Final = (solve_puzzles,)
