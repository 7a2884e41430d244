"""`quinconce exam`: solved positions put to a level of the engine, or in words to a command."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, Final

import click
from rich.console import Console
from rich.table import Table

from quinconce.bridges.ugi_program import kill_session
from quinconce.commands.options import check_range, game_option, parse_game
from quinconce.core.game import MAX_MOVE_LENGTH
from quinconce.core.match import Match
from quinconce.core.move_input import parse_typed_move
from quinconce.core.phrase import _, quote
from quinconce.engine.levels import LAST_LEVEL, level_by_number
from quinconce.terminal.board import board_text
from quinconce.terminal.progress import progress_bar
from quinconce.words import Voice
from quinconce.words.sentences import seat_name

if TYPE_CHECKING:
    from quinconce.bridges.exam import ExamReport, Question

DEFAULT_SECONDS: Final = 300.0  # that a command may take for one answer
MOST_QUESTIONS: Final = 10_000
MOST_BYTES: Final = 1 << 16  # of what a command writes that are kept, the last ones
END_SECONDS: Final = 2.0  # for what is left of an output once its command has ended


@click.command("exam", help=_("Ask a level, or a command in words, for moves in solved positions."))
@click.argument("name", metavar="GAME")
@game_option
@click.option(
    "--answers",
    "command",
    metavar="COMMAND",
    help=_("a command that reads a question and writes its answer, the move on the last line"),
)
@click.option("--level", type=int, help=_("ask this level of the engine, from 1 to 10"))
@click.option("--questions", "most", type=int, help=_("ask so many of the questions only"))
@click.option(
    "--seconds",
    type=float,
    default=DEFAULT_SECONDS,
    show_default=True,
    help=_("how long a command may think about a question"),
)
@click.option("--json", "as_json", is_flag=True, help=_("as JSON: every answer, and the shares"))
@click.pass_obj
def exam(
    say: Voice,
    name: str,
    options: Sequence[str],
    command: str | None,
    level: int | None,
    most: int | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Put the questions of a game's exam, and print how many moves kept the value."""
    from quinconce.bridges.exam import EXAM_VERSION, ExamReport, ask_player, questions

    check_range("--questions", most, 1, MOST_QUESTIONS)
    check_range("--seconds", seconds, 0.1, 86_400)
    if (command is None) == (level is None):
        raise ValueError(_("give either --answers or --level: somebody has to be asked"))
    asked = spread(questions(parse_game(name, options)), most)
    player = level_player(level or 0) if command is None else command_player(say, command, seconds)
    with progress_bar() as progress:
        rows = progress.track(asked, description=say(_("asking")))
        report = ExamReport(EXAM_VERSION, tuple(ask_player(player, each) for each in rows))
    if as_json:
        click.echo(json.dumps(report_as_json(report)))
    else:
        Console().print(exam_table(say, report))


def exam_table(say: Voice, report: ExamReport) -> Table:
    """The shares of all questions and of each grade, with their intervals."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in (_("questions"), _("asked"), _("value kept"), _("share"), _("interval of 95 %")):
        table.add_column(say(heading))
    table.add_column(say(_("not legal")))
    for name, found in {say(_("all")): report.total, **report.by_grade()}.items():
        share, *ends = (say.number(part, ".0%") for part in (found.share, *found.interval))
        numbers = (found.asked, found.right)
        table.add_row(name, *map(str, numbers), share, " – ".join(ends), str(found.illegal))
    return table


def spread(asked: Sequence[Question], most: int | None) -> Sequence[Question]:
    """Some of the questions, of all grades: they are sorted by them."""
    if most is None or most >= len(asked):
        return asked
    return [asked[n * len(asked) // most] for n in range(most)]


def level_player(level: int) -> Callable[[Match[Any]], str]:
    """A level of the engine; the same every time, but for the last level."""
    level_by_number(level)
    from quinconce.engine.move_choice import choose  # slow to load

    return lambda match: choose(match, level, seed=None if level == LAST_LEVEL else 0)


def command_player(say: Voice, command: str, seconds: float) -> Callable[[Match[Any]], str]:
    """A command that is asked in words, each time anew; ValueError if it cannot be run."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise ValueError(_("{command} is not a command", command=quote(command)))

    def ask(match: Match[Any]) -> str:
        try:
            status, written, errors = run_asked(words, question_text(say, match), seconds)
        except subprocess.TimeoutExpired:
            return ""
        except OSError as error:
            raise ValueError(
                _("{command} cannot be run: {why}", command=quote(words[0]), why=error.strerror)
            ) from None
        if status:
            last = (errors.strip().splitlines() or [str(status)])[-1]
            raise ValueError(_("{command} failed: {why}", command=quote(words[0]), why=quote(last)))
        return parse_answer(match, written)

    return ask


def run_asked(words: Sequence[str], question: str, seconds: float) -> tuple[int, str, str]:
    """A command's exit status and the ends of its output and errors; it leaves nothing running.

    TimeoutExpired if it takes too long, OSError if it cannot be started.
    """
    process = subprocess.Popen(  # noqa: S603 - the user's own command
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    ends = bytearray(), bytearray()
    threads = [
        Thread(target=write_question, args=(process.stdin, question.encode()), daemon=True),
        Thread(target=keep_end, args=(process.stdout, ends[0]), daemon=True),
        Thread(target=keep_end, args=(process.stderr, ends[1]), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        status = process.wait(seconds)
    finally:
        kill_session(process)
        for thread in threads:
            thread.join(END_SECONDS)
    written, errors = (end.decode(errors="replace") for end in ends)
    return status, written, errors


def write_question(stream: IO[bytes], question: bytes) -> None:
    """Write all of a question, as far as anybody reads it."""
    with suppress(OSError), stream:
        stream.write(question)


def keep_end(stream: IO[bytes], end: bytearray) -> None:
    """Read a stream to its end and keep the last bytes: an answer is there, however long it is."""
    with stream:
        while found := stream.read1(MOST_BYTES):  # type: ignore[attr-defined]
            end += found
            del end[:-MOST_BYTES]


def question_text(say: Voice, match: Match[Any]) -> str:
    """A question in words: the rules, the position as text and as a drawing, and no legal moves."""
    game, position = match.game, match.position
    chosen = ", ".join(f"{name}={value}" for name, value in game.chosen.items())
    lines = [
        say.rules_text(game.name),
        say(_("Options of this game: {options}", options=chosen)) if chosen else "",
        say(_("The position: {position}", position=game.write(position))),
        board_text(game, position, fine=False).plain,
        say(_("It is the turn of {player}.", player=seat_name(game, match.seat))),
        say(
            _(
                "Which move is best? Think as long as you like, and write the move alone on the"
                " last line, in the notation of the rules."
            )
        ),
    ]
    return "\n\n".join(line for line in lines if line) + "\n"


def parse_answer(match: Match[Any], text: str) -> str:
    """The move on the last line that says anything; as it was written if it is none."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    written = lines[-1].strip("`*_. «»\"'")[:MAX_MOVE_LENGTH] if lines else ""
    try:
        return parse_typed_move(match.game, match.position, written)
    except ValueError:  # it could mean several moves
        return written


def report_as_json(report: ExamReport) -> dict[str, Any]:
    """The report, with every question and what was answered."""

    def share(found: Any) -> dict[str, Any]:
        return {**found._asdict(), "share": found.share, "interval": found.interval}

    return {
        "version": report.version,
        "total": share(report.total),
        "grades": {name: share(found) for name, found in report.by_grade().items()},
        "answers": [
            {
                "position": answer.question.game.write(answer.question.position),
                "value": answer.question.value,
                "plies": answer.question.plies,
                "right": sorted(answer.question.right),
                "answer": answer.move,
                "legal": answer.legal,
                "keeps_value": answer.keeps_value,
            }
            for answer in report.answers
        ],
    }
