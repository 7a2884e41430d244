"""`quinconce puzzles`: solves puzzles in the terminal, lists them, and looks for new ones."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from quinconce.commands.options import (
    check_output_file,
    check_range,
    complete_game,
    game_option,
    kill_on_ctrl_c,
    parse_game,
)
from quinconce.core.files import name_file_in_errors, read_text, write_atomically
from quinconce.core.game import Game
from quinconce.core.option import options_text
from quinconce.core.phrase import _, ngettext
from quinconce.puzzles.messages import goal_message
from quinconce.puzzles.puzzle import (
    GRADES,
    Puzzle,
    daily_puzzle,
    format_puzzles,
    games_with_puzzles,
    parse_puzzles,
    puzzles_for,
    today,
)
from quinconce.puzzles.themes import THEMES, themes_of
from quinconce.terminal.progress import progress_bar
from quinconce.terminal.puzzle_prompt import PuzzlePrompt
from quinconce.words import Voice

MAX_PUZZLE_FILE_BYTES: Final = 10_000_000
MAX_NEW_PUZZLES: Final = 100_000
PUZZLES_PER_WRITE: Final = 10  # puzzles found between two times that the file is written


@click.command("puzzles", help=_("Solve puzzles of a game: one move wins, or saves."))
@click.argument("name", metavar="GAME", shell_complete=complete_game)
@game_option
@click.option("--number", type=int, metavar="N", help=_("the puzzle with this number, from 1"))
@click.option("--grade", type=int, metavar="G", help=_("puzzles of this grade, from 1 to 5"))
@click.option(
    "--seed", type=int, metavar="S", help=_("in random order; the same number repeats it")
)
@click.option("--today", "of_today", is_flag=True, help=_("the puzzle of the day, by the UTC date"))
@click.option(
    "--theme", type=click.Choice(list(THEMES)), metavar="T", help=_("puzzles with this theme")
)
@click.option("--list", "listing", is_flag=True, help=_("list them instead, with solutions"))
@click.option("--json", "as_json", is_flag=True, help=_("list them as JSON"))
@click.option("--mine", type=int, metavar="N", help=_("look for N new ones in random matches"))
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
    of_today: bool,
    theme: str | None,
    listing: bool,
    as_json: bool,
    mine: int | None,
    file: Path | None,
) -> None:
    """Solve or list puzzles, from easy to hard unless a seed is given, or look for new ones."""
    rules = parse_game(name, options)
    if (mine is None) != (file is None):
        raise ValueError(_("--mine and --out go together"))
    if mine is not None and file is not None:
        mine_puzzles(say, rules, mine, seed or 0, file)
        return
    wanted = select_puzzles(rules, number, grade)
    if of_today:
        wanted = select_today(rules, number, grade, theme)
    elif theme is not None:
        wanted = select_theme(wanted, theme)
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
    """The puzzles from a number on, or of a grade, each with its number."""
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


def select_today(
    rules: Game[Any], number: int | None, grade: int | None, theme: str | None
) -> list[tuple[int, Puzzle]]:
    """The puzzle of the day, with its number."""
    if (number, grade, theme) != (None, None, None):
        raise ValueError(_("--today stands alone: it is one puzzle for everybody"))
    daily = daily_puzzle(rules, today())
    return [(n, each) for n, each in enumerate(puzzles_for(rules), start=1) if each == daily]


def select_theme(numbered: list[tuple[int, Puzzle]], theme: str) -> list[tuple[int, Puzzle]]:
    """Those of these puzzles that have a theme."""
    found = [(n, puzzle) for n, puzzle in numbered if theme in themes_of(puzzle)]
    if not found:
        raise ValueError(_("there is no such puzzle"))
    return found


def puzzle_data(n: int, puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as JSON."""
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
    """Look for puzzles, and replace those of the same game and options in a file."""
    check_range("--mine", wanted, 1, MAX_NEW_PUZZLES)
    check_output_file(file)
    others: list[Puzzle] = []
    with name_file_in_errors(file):
        if file.exists():
            every = parse_puzzles(rules.name, read_text(file, MAX_PUZZLE_FILE_BYTES))
            others = [puzzle for puzzle in every if puzzle.game != rules]
    from quinconce.puzzles.miner import Miner  # compiled code is slow to load

    miner = Miner(rules, wanted, seed)
    with kill_on_ctrl_c(), progress_bar() as progress:
        task = progress.add_task(say(_("looking for puzzles")), total=wanted)
        for n, _puzzle in enumerate(miner.mine(), start=1):
            progress.advance(task)
            if n % PUZZLES_PER_WRITE == 0 or n == wanted:  # Ctrl-C keeps what was found
                with name_file_in_errors(file):
                    write_atomically(file, format_puzzles([*others, *miner.by_difficulty()]))
    click.echo(say(ngettext("{file}: {n} puzzle.", "{file}: {n} puzzles.", wanted, file=file)))
