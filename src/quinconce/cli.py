"""The `quinconce` command: every room of the house from a terminal."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress

from quinconce.core.files import read_text, told_by_name, trouble, write_whole
from quinconce.core.game import Game, perft
from quinconce.core.match import Match
from quinconce.core.option import number
from quinconce.core.phrase import Phrase as _
from quinconce.core.phrase import quoted
from quinconce.core.record import Record, Seat, read_record
from quinconce.core.registry import find, game, names
from quinconce.core.spelling import understood
from quinconce.hosting import COMMANDS
from quinconce.scenes import leaf_through, scene
from quinconce.sitting import Sitting
from quinconce.tables import figures_table, games_table, options_table
from quinconce.words import LANGUAGES, Voice, language
from quinconce.words.told import ending

DEEPEST: Final = 100  # plies; no count gets that far
LONGEST: Final = 4_000_000  # bytes of a file with a record


@click.group(
    help=_("A house for abstract strategy games: play, replay, write down, count."),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="quinconce")
def commands() -> None:
    """The group of all commands; each is handed the voice it speaks with."""


game_options = click.option(
    "-o", "options", multiple=True, metavar="KEY=VALUE", help=_("set an option of the game")
)
start_position = click.option(
    "--position", "start", metavar="TEXT", help=_("start from this position")
)


def the_position(command: Callable[..., None]) -> Callable[..., None]:
    """GAME with its options, and how to come to a position of it."""
    after = click.option("--after", default="", metavar="MOVES", help=_("play these moves first"))
    name = click.argument("name", metavar="GAME")
    return name(game_options(start_position(after(command))))


def chosen(name: str, options: Sequence[str]) -> Game[Any]:
    """The game that was named, with its options."""
    settings: dict[str, object] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise ValueError(_("{option} is not like key=value", option=quoted(option)))
        if key in settings:
            raise ValueError(_("the option {name} is given twice", name=quoted(key)))
        settings[key] = value
    return game(name, **settings)


def arrived(name: str, options: Sequence[str], start: str | None, after: str) -> Match[Any]:
    """The match that was described."""
    rules = chosen(name, options)
    match = Match(rules, None if start is None else rules.read(start))
    for typed in after.split():
        match.play(understood(rules, match.position, typed))
    return match


def whole_number(name: str, text: str, last: int) -> int:
    """A number from 0 to `last` that was typed."""
    found = number(text)
    if found is None or found > last:
        wrong = quoted(text)
        raise ValueError(
            _("{name} is a number from 0 to {last}, not {wrong}", name=name, last=last, wrong=wrong)
        )
    return found


def bar() -> Progress:
    """A progress bar on standard error, if somebody is watching."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


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


@commands.command("show", help=_("Draw the position."))
@the_position
@click.pass_obj
def draw(say: Voice, name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """In colour where the terminal has it."""
    console = Console()
    console.print(scene(arrived(name, options, start, after), say, console))


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
        from quinconce.kernels.protocol import kernel  # Numba is slow to load

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


@contextmanager
def ended_at_once_by_ctrl_c() -> Iterator[None]:
    """Compiled code does not look for an interrupt, so the system has to act on it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@commands.command("play", help=_("Play in the terminal, two or more people at one keyboard."))
@click.argument("name", metavar="[GAME]", required=False)
@game_options
@start_position
@click.option("--seat", "people", multiple=True, metavar="N=NAME", help=_("name player N"))
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
    resume: Path | None,
    save: Path | None,
) -> None:
    """A match from the start, from a position, or from a record."""
    if resume:
        if name or options or start or people:
            raise ValueError(_("--resume takes everything from the record: give nothing else"))
        record, match = read_file(resume)
    elif name:
        match = arrived(name, options, start, "")
        record = Record.of(match, named(match.game, people), date.today())
    else:
        raise ValueError(_("name a game, or a record to --resume"))
    if save and save.exists():
        raise ValueError(_("{file}: there is a file already", file=save))
    Sitting(match, record, save or resume, Console(), say).play()


def named(rules: Game[Any], people: Sequence[str]) -> tuple[Seat, ...]:
    """The seats with the names that were given as N=NAME, N from 1."""
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
        given[seat] = Seat(name)
    return tuple(given.get(seat, Seat()) for seat in known) if given else ()


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


@commands.command("bench", help=_("Measure the speed of the games on this machine."))
@click.option("--game", "only", metavar="GAME", help=_("measure this game only"))
@click.option(
    "--seconds",
    type=float,
    default=1.0,
    show_default=True,
    help=_("how long each figure is measured"),
)
@click.option("--json", "file", type=click.Path(path_type=Path), help=_("write the figures here"))
@click.pass_obj
def bench(say: Voice, only: str | None, seconds: float, file: Path | None) -> None:
    """What is measured stands in the folder of benchmarks, beside the sources."""
    if not 0.01 <= seconds <= 60:
        raise ValueError(_("--seconds goes from 0.01 to 60"))
    if only:
        find(only)
    root = Path(__file__).parents[2]
    if not (root / "benchmarks").is_dir():
        raise ValueError(_("the benchmarks come with the sources of the house, not with a package"))
    sys.path.insert(0, str(root))
    speed = import_module("benchmarks.speed")
    figures: dict[str, dict[str, float]] = {}
    with bar() as progress:
        subjects = speed.subjects([only] if only else names())
        for subject in progress.track(subjects, description=say(_("measuring"))):
            figures[subject.name] = speed.measured(subject, seconds)
    Console().print(figures_table(say, figures))
    if file:
        with told_by_name(file):
            write_whole(file, json.dumps(figures, indent=2) + "\n")


for hosted in COMMANDS:
    commands.add_command(hosted)


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
