"""The `quinconce` command: every room of the house from a terminal."""

from __future__ import annotations

import io
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import click
from rich.console import Console
from rich.markdown import Markdown

from quinconce.commands import engine, known, puzzles, serve, solve
from quinconce.commands.options import (
    arrived,
    bar,
    chosen,
    commands,
    ended_at_once_by_ctrl_c,
    game_options,
    start_position,
    the_position,
    whole_number,
)
from quinconce.core.files import read_text, told_by_name, trouble, write_whole
from quinconce.core.game import Game, perft
from quinconce.core.match import Match
from quinconce.core.move_input import understood
from quinconce.core.option import number
from quinconce.core.phrase import Phrase as _
from quinconce.core.phrase import quoted
from quinconce.core.record import Record, Seat, read_record
from quinconce.core.registry import find
from quinconce.draw import THEMES, picture_of
from quinconce.engine.levels import level_of
from quinconce.terminal.prompt import Sitting
from quinconce.terminal.scenes import leaf_through, scene
from quinconce.terminal.tables import games_table, options_table
from quinconce.words import LANGUAGES, Voice, language
from quinconce.words.sentences import ending

PIXELS: Final = 2  # of a PNG for each of the SVG
DEEPEST: Final = 100  # plies; no count gets that far
LONGEST: Final = 4_000_000  # bytes of a file with a record
USUAL_LEVEL: Final = 5  # of an engine whose level is not given
for command in (
    *engine.COMMANDS,
    *solve.COMMANDS,
    *known.COMMANDS,
    *puzzles.COMMANDS,
    *serve.COMMANDS,
):
    commands.add_command(command)


@commands.command("games", help=_("The games of the house; with GAME, its options explained."))
@click.argument("name", metavar="[GAME]", required=False)
@click.pass_obj
def show_games(say: Voice, name: str | None) -> None:
    """A table of all games, or of the options of one."""
    Console().print(options_table(say, name) if name else games_table(say))


@commands.command("rules", help=_("The rules of a game, to read."))
@click.argument("name", metavar="GAME")
@click.option("--lang", type=click.Choice(LANGUAGES), help=_("the language of the rules"))
@click.pass_obj
def show_rules(say: Voice, name: str, lang: str | None) -> None:
    """Laid out for a terminal, as it is written for a pipe."""
    find(name)
    text = (Voice(lang) if lang else say).rules(name)
    console = Console()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        click.echo(text, nl=False)


@commands.command("moves", help=_("The legal moves, one a line; none when the game is over."))
@the_position
def list_moves(name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """Sorted by plain character order."""
    for text in sorted(arrived(name, options, start, after).legal()):
        click.echo(text)


@commands.command("result", help=_("Whether the game is over, who won and why, as JSON."))
@the_position
def show_result(name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """Seats are counted from 0."""
    outcome = arrived(name, options, start, after).outcome()
    winners, reason = (list(outcome.winners), outcome.reason) if outcome else ([], None)
    click.echo(json.dumps({"over": outcome is not None, "winners": winners, "reason": reason}))


@commands.command("position", help=_("The position as one line of text."))
@the_position
def show_position(name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """What `--position` reads back."""
    match = arrived(name, options, start, after)
    click.echo(match.game.write(match.position))


@commands.command("show", help=_("Show the position in the terminal."))
@the_position
@click.pass_obj
def show(say: Voice, name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """In colour where the terminal has it."""
    console = Console()
    console.print(scene(arrived(name, options, start, after), say, console))


@commands.command("draw", help=_("Draw the position as a picture."))
@the_position
@click.option(
    "-O",
    "--out",
    "file",
    type=click.Path(path_type=Path),
    help=_("the file to write, .svg or .png; without it, SVG is printed"),
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    help=_("the colours; a browser chooses by itself if not told"),
)
@click.option("--flip", is_flag=True, help=_("seen from the other side of the board"))
@click.pass_obj
def draw(
    say: Voice,
    name: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    file: Path | None,
    theme: str | None,
    flip: bool,
) -> None:
    """Nothing moves in it and nothing can be touched: it is for looking at and printing."""
    kind = file.suffix.lower() if file else ".svg"
    if kind not in (".svg", ".png"):
        raise ValueError(_("{file}: a picture is written to .svg or .png", file=file))
    if kind == ".png" and theme is None:
        theme = THEMES[0]
    match = arrived(name, options, start, after)
    svg = picture_of(match, say=say, theme=theme, flipped=flip, still=True, touchable=False).svg
    if file is None:
        click.echo(svg)
        return
    with told_by_name(file):
        write_whole(file, as_png(svg) if kind == ".png" else f"{svg}\n")


def as_png(svg: str) -> bytes:
    """A picture whose colours are settled, as pixels."""
    from resvg_py import svg_to_bytes  # nothing else needs it

    return bytes(svg_to_bytes(svg_string=svg, zoom=PIXELS))


@commands.command("perft", help=_("Count the sequences of exactly DEPTH moves."))
@the_position
@click.argument("depth")
@click.option(
    "--rules", "by_rules", is_flag=True, help=_("by the plain rules instead of the kernel")
)
@click.option("--split", is_flag=True, help=_("show the count after each first move"))
def count(
    name: str,
    depth: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    by_rules: bool,
    split: bool,
) -> None:
    """Repetition, quiet turns and passing all round are ignored, also in the moves before."""
    rules = chosen(name, options)
    position = rules.start() if start is None else rules.read(start)
    for typed in after.split():
        position = rules.after(position, understood(rules, position, typed))
    plies = whole_number("DEPTH", depth, DEEPEST)
    if plies == 0:
        click.echo(1)
        return
    leaves: Callable[[Any, int], int] = partial(perft, rules)
    if not by_rules:
        from quinconce.kernels.kernel import kernel  # Numba is slow to load

        leaves = kernel(rules).perft
    counts: dict[str, int] = {}
    with bar() as progress, ended_at_once_by_ctrl_c():
        moves = sorted(rules.moves(position))
        for text, following in progress.track(moves, description="perft"):
            counts[text] = leaves(following, plies - 1)
    if split:
        for text, total in counts.items():
            click.echo(f"{text} {total}")
    click.echo(sum(counts.values()))


@commands.command("play", help=_("Play in the terminal, with people at one keyboard or engines."))
@click.argument("name", metavar="[GAME]", required=False)
@game_options
@start_position
@click.option(
    "--seat",
    "people",
    multiple=True,
    metavar="N=NAME",
    help=_("name player N, or give the seat to the engine: N=engine:LEVEL"),
)
@click.option("--seed", type=int, help=_("of all that is left to chance"))
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help=_("go on with a record, and save it there"),
)
@click.option(
    "--save", type=click.Path(path_type=Path), help=_("the file in which the match is kept")
)
@click.pass_obj
def play(
    say: Voice,
    name: str | None,
    options: Sequence[str],
    start: str | None,
    people: Sequence[str],
    seed: int | None,
    resume: Path | None,
    save: Path | None,
) -> None:
    """A match from the start, from a position, or from a record."""
    if resume:
        if name or options or start or people or seed is not None:
            raise ValueError(_("--resume takes everything from the record: give nothing else"))
        record, match = read_file(resume)
    elif name:
        match = arrived(name, options, start, "")
        record = Record.of(match, named(match.game, people, seed, say), date.today())
    else:
        raise ValueError(_("name a game, or a record to --resume"))
    if save and save.exists():
        raise ValueError(_("{file}: there is a file already", file=save))
    Sitting(match, record, save or resume, Console(), say).play()


def named(
    rules: Game[Any], people: Sequence[str], seed: int | None, say: Voice
) -> tuple[Seat, ...]:
    """The seats with the names that were given as N=NAME, N from 1; an engine by its level."""
    known = [str(seat + 1) for seat in range(rules.seats)]
    given: dict[str, Seat] = {}
    for person in people:
        seat, _equals, name = person.partition("=")
        if seat not in known or not name:
            seats, wrong = ", ".join(known), quoted(person)
            raise ValueError(
                _("{wrong} is not like N=NAME with N among {seats}", wrong=wrong, seats=seats)
            )
        if seat in given:
            raise ValueError(_("player {seat} is named twice", seat=seat))
        given[seat] = engine_seat(name, seed, say) or Seat(name)
    return tuple(given.get(seat, Seat()) for seat in known) if given else ()


def engine_seat(name: str, seed: int | None, say: Voice) -> Seat | None:
    """The seat of an engine, if that is what was asked for: `engine` or `engine:LEVEL`."""
    word, colon, level = name.partition(":")
    if word not in ("engine", say(_("engine"))):
        return None
    wanted = number(level) if colon else USUAL_LEVEL
    level_of(level if wanted is None else wanted)
    return Seat(level=wanted, seed=random.getrandbits(32) if seed is None else seed)


def read_file(path: Path) -> tuple[Record, Match[Any]]:
    """A record from a file."""
    with told_by_name(path):
        return read_record(read_text(path, LONGEST))


@commands.command("replay", help=_("Show a recorded match move by move."))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", metavar="N", help=_("only the position after N moves"))
@click.pass_obj
def replay(say: Voice, file: Path, at: str | None) -> None:
    """At a terminal one steps through it; in a pipe every position is drawn."""
    record, match = read_file(file)
    console = Console()
    if at is not None:
        ply = whole_number("--at", at, len(match.moves))
        console.print(scene(match, say, console, record.seats, ply))
    elif console.is_terminal and sys.stdin.isatty():
        leaf_through(match, record.seats, say, console)
    else:
        for ply in range(len(match.moves) + 1):
            console.print(scene(match, say, console, record.seats, ply))
            console.print()


@commands.command("check", help=_("Replay a record, and say whether it holds."))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help=_("print the record as JSON"))
@click.option("--text", "as_text", is_flag=True, help=_("print the record as text"))
@click.pass_obj
def check(say: Voice, file: Path, as_json: bool, as_text: bool) -> None:
    """Text or JSON is read; either can be printed."""
    record, match = read_file(file)
    if as_json and as_text:
        raise ValueError(_("choose --json or --text"))
    if as_json:
        click.echo(record.json_text(), nl=False)
    elif as_text:
        click.echo(record.text(), nl=False)
    else:
        outcome, title, n = match.outcome(), match.game.title, len(record.moves)
        state = ending(match, outcome, record.seats) if outcome else _("The match goes on.")
        click.echo(
            say(_("{game}: all moves are legal ({n}). {state}", game=title, n=n, state=state))
        )


def translate(command: click.Command, say: Voice) -> None:
    """Let the help of a command, its options and the commands in it speak a language."""
    command.help = say.catalogue.gettext(command.help or "")
    for option in command.params:
        if isinstance(option, click.Option) and option.help:
            option.help = say.catalogue.gettext(option.help)
    if isinstance(command, click.Group):
        for part in command.commands.values():
            translate(part, say)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. What a user got wrong is told on one line, with exit code 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # better a ? than no answer
    say = Voice(language())
    say.speak_everywhere()
    translate(commands, say)
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        commands.main(given or ["--help"], "quinconce", standalone_mode=False, obj=say)
        sys.stdout.flush()
    except click.ClickException as error:
        fail(error.format_message())
    except click.Abort:
        sys.exit(130)
    except OSError as error:
        # Whoever read our output has left, or the disk is full: nothing more can be written.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)
        fail(say(trouble(error)))
    except ValueError as error:
        if not (error.args and isinstance(error.args[0], _)):
            raise
        fail(say(error.args[0]))


def fail(message: str) -> NoReturn:
    """One line on standard error, and exit code 2."""
    click.echo(f"quinconce: {' '.join(message.splitlines())}", err=True)
    sys.exit(2)
