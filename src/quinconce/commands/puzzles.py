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

from quinconce.commands.options import game_option, kill_on_ctrl_c, parse_game, progress_bar
from quinconce.core.errors import MoveError
from quinconce.core.files import name_file_in_errors, read_text, write_atomically
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_input import parse_typed_move
from quinconce.core.option import options_text
from quinconce.core.phrase import Phrase, _
from quinconce.puzzles.messages import goal_message, uniqueness_message, verdict_message
from quinconce.puzzles.puzzle import (
    GRADES,
    Puzzle,
    format_puzzles,
    games_with_puzzles,
    parse_puzzles,
    puzzles_for,
)
from quinconce.terminal.scenes import render_match
from quinconce.words import Voice

MAX_PUZZLE_FILE_BYTES: Final = 10_000_000  # bytes of a file of puzzles
MAX_NEW_PUZZLES: Final = 100_000  # puzzles that one may look for
PUZZLES_PER_WRITE: Final = 10  # puzzles found between two times that the file is written
PUZZLE_HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), retry, solution, next, help, quit"
)


@click.command("puzzles", help=_("Solve puzzles of a game: one move wins, or saves."))
@click.argument("name", metavar="GAME")
@game_option
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
def puzzles_command(
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
    rules = parse_game(name, options)
    if (mine is None) != (file is None):
        raise ValueError(_("--mine and --out go together"))
    if mine is not None and file is not None:
        mine_puzzles(say, rules, mine, seed or 0, file)
        return
    wanted = select_puzzles(rules, number, grade)
    if seed is not None:
        random.Random(seed).shuffle(wanted)
    if as_json:
        click.echo(json.dumps([puzzle_data(n, puzzle) for n, puzzle in wanted], indent=1))
    elif listing:
        for n, puzzle in wanted:
            click.echo(puzzle_line(say, n, puzzle))
    else:
        PuzzlePrompt(wanted, Console(), say).run()


def select_puzzles(
    rules: Game[Any], number: int | None, grade: int | None
) -> list[tuple[int, Puzzle]]:
    """The puzzles that are asked for, each with its number."""
    every = list(enumerate(puzzles_for(rules), start=1))
    if not every:
        known = (
            ", ".join(options_text(other.chosen) for other in games_with_puzzles(rules.name)) or "–"
        )
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


def puzzle_data(n: int, puzzle: Puzzle) -> dict[str, Any]:
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


def puzzle_line(say: Voice, n: int, puzzle: Puzzle) -> str:
    """A puzzle on one line."""
    where = puzzle.game.write(puzzle.position)
    goal, line = say(goal_message(puzzle)), " ".join(puzzle.line)
    return f"{n:4} {puzzle.id} {puzzle.grade} {where}  {goal} {line}"


def mine_puzzles(say: Voice, rules: Game[Any], wanted: int, seed: int, file: Path) -> None:
    """Look for puzzles, and put them into a file in place of what it has for this form."""
    if not 1 <= wanted <= MAX_NEW_PUZZLES:
        raise ValueError(
            _(
                "{name} goes from {first:g} to {last:g}",
                name="--mine",
                first=1,
                last=MAX_NEW_PUZZLES,
            )
        )
    others: list[Puzzle] = []
    with name_file_in_errors(file):
        file.parent.resolve(strict=True)
        if file.exists():
            every = parse_puzzles(rules.name, read_text(file, MAX_PUZZLE_FILE_BYTES))
            others = [puzzle for puzzle in every if puzzle.game != rules]
    from quinconce.puzzles.miner import Miner  # Numba is slow to load

    found = Miner(rules, wanted, seed)
    with kill_on_ctrl_c(), progress_bar() as progress:
        task = progress.add_task(say(_("looking for puzzles")), total=wanted)
        for n, _puzzle in enumerate(found.mine(), start=1):
            progress.advance(task)
            if n % PUZZLES_PER_WRITE == 0 or n == wanted:  # whoever stops it keeps what was found
                with name_file_in_errors(file):
                    write_atomically(file, format_puzzles([*others, *found.by_difficulty()]))
    click.echo(say(_("{file}: {n} puzzles.", file=file, n=wanted)))


class PuzzlePrompt:
    """Somebody who solves puzzles at the keyboard."""

    def __init__(self, wanted: list[tuple[int, Puzzle]], console: Console, say: Voice) -> None:
        self.wanted = wanted
        self.console = console
        self.say = say
        self.index = 0
        self.moves: tuple[str, ...] = ()
        self.commands: dict[str, Callable[[], bool | None]] = {
            "?": self.list_moves,
            _("moves"): self.list_moves,
            _("show"): self.show,
            _("retry"): self.show_puzzle,
            _("solution"): self.print_solution,
            _("next"): self.next_puzzle,
            _("help"): lambda: self.print_phrase(PUZZLE_HELP),
            _("quit"): lambda: True,
        }

    @property
    def puzzle(self) -> Puzzle:
        """The one on the table."""
        return self.wanted[self.index][1]

    def run(self) -> None:
        """Ask for moves until all are solved or somebody leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401 (arrow keys and history at the prompt)
        self.print_phrase(PUZZLE_HELP)
        self.show_puzzle()
        with suppress(EOFError, KeyboardInterrupt):
            while not self.handle_input(self.ask()):
                pass

    def ask(self) -> str:
        """What is typed."""
        try:
            return input(self.say(_("your move > "))).strip()
        except RuntimeError:  # there is no standard input at all
            raise EOFError from None

    def handle_input(self, typed: str) -> bool | None:
        """Do what was typed; true to leave."""
        for command, act in self.commands.items():
            if typed.casefold() in (str(command), self.say(command)):
                return act()
        return self.play(typed) if typed else None

    def play(self, typed: str) -> bool | None:
        """A move, judged and replied to."""
        from quinconce.puzzles.judge import judge_move  # Numba is slow to load

        try:
            move = parse_typed_move(self.puzzle.game, self.match().position, typed)
            answer = judge_move(self.puzzle, (*self.moves, move))
        except MoveError as error:
            self.print_phrase(_("No: {why}", why=error.why))
            return None
        except ValueError as error:
            self.print_phrase(error.args[0])
            return None
        self.moves = answer.moves
        if answer.verdict in ("right", "solved"):
            self.show()
        self.print_phrase(verdict_message(self.puzzle, answer))
        return self.next_puzzle() if answer.verdict == "solved" else None

    def match(self) -> Match[Any]:
        """The match as it stands."""
        return self.puzzle.match(self.moves)

    def show_puzzle(self) -> None:
        """The puzzle from its start."""
        self.moves = ()
        n, puzzle = self.wanted[self.index]
        self.print_phrase(
            _("Puzzle {n}, grade {grade} ({id})", n=n, grade=puzzle.grade, id=puzzle.id)
        )
        self.show()
        self.print_phrase(goal_message(puzzle))

    def next_puzzle(self) -> bool:
        """The next puzzle, if there is one."""
        self.index += 1
        if self.index == len(self.wanted):
            self.print_phrase(_("That was the last puzzle."))
            return True
        self.show_puzzle()
        return False

    def show(self) -> None:
        """The board."""
        self.console.print(render_match(self.match(), self.say, self.console))

    def list_moves(self) -> None:
        """All legal moves."""
        self.console.print(Text("  ".join(sorted(self.match().legal()))))

    def print_solution(self) -> None:
        """The moves against the best defence."""
        self.print_phrase(_("The solution: {moves}.", moves=" ".join(self.puzzle.line)))
        self.print_phrase(uniqueness_message(self.puzzle))

    def print_phrase(self, phrase: Phrase) -> None:
        """Say something on a line of its own."""
        self.console.print(Text(self.say(phrase)))


COMMANDS: Final = (puzzles_command,)
