"""The command that finds out what is known of the games, and writes it down as data and pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.progress import Progress, TaskID

from quinconce.commands.engine import WIDEST, within
from quinconce.commands.options import bar
from quinconce.core.files import told_by_name, write_whole
from quinconce.core.phrase import Phrase as _
from quinconce.core.registry import find, names
from quinconce.facts.files import Fact, Facts, Kinds, read_facts, write_facts
from quinconce.facts.page import PICTURES, page
from quinconce.facts.questions import Task, answered, facts, tasks
from quinconce.words import LANGUAGES, Voice

FOLDER: Final = Path("docs")
NAME: Final = "what-is-known"
DOING: Final = {
    "whole": _("solving"),
    "certificate": _("checking"),
    "proofs": _("proving"),
    "endings": _("solving"),
    "advantage": _("playing"),
}


@click.command("known", help=_("Find out what is known of the games, and write pages about it."))
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=FOLDER,
    show_default=True,
    help=_("the folder for the data, the pages and the plots"),
)
@click.option("--game", "only", metavar="GAME", help=_("this game only; the others stay"))
@click.option("--quick", is_flag=True, help=_("leave out what takes longer than seconds"))
@click.option("--missing", is_flag=True, help=_("ask only what the data do not answer yet"))
@click.option("--again", is_flag=True, help=_("ask nothing: write the pages from the data"))
@click.option("--jobs", type=int, default=1, help=_("so many matches at a time"))
@click.pass_obj
def known(
    say: Voice,
    output: Path,
    only: str | None,
    quick: bool,
    missing: bool,
    again: bool,
    jobs: int,
) -> None:
    """Every answer is found anew; of a game that is not asked about, the facts stay."""
    within("--jobs", jobs, 1, WIDEST)
    wanted = [find(only).name] if only else names()
    data = output / f"{NAME}.json"
    with told_by_name(output):
        output.mkdir(parents=True, exist_ok=True)
    resumed = (only or missing) and data.exists()
    kept: Facts = read_facts(data) if again or resumed else {}
    if not again:
        with bar() as progress:
            for name in wanted:
                before = kept.get(name, {}) if missing else {}
                for so_far in asked(say, tasks(name, quick, jobs), before, progress):
                    kept[name] = so_far
                    write_facts(data, kept)  # whoever stops it loses one answer at most
    write_pages(output, kept)


def write_pages(output: Path, kept: Facts) -> None:
    """The page in every language, the first under its plain name, and the pictures."""
    pictures = output / PICTURES
    with told_by_name(pictures):
        pictures.mkdir(exist_ok=True)
    for language in LANGUAGES:
        told = page(kept, Voice(language))
        name = f"{NAME}.md" if language == LANGUAGES[0] else f"{NAME}.{language}.md"
        written = {output / name: told.text}
        written |= {pictures / file: drawing(True) for file, drawing in told.pictures.items()}
        for path, content in written.items():
            with told_by_name(path):
                write_whole(path, content)


def asked(say: Voice, questions: list[Task], before: Kinds, progress: Progress) -> Iterator[Kinds]:
    """The facts of one game, growing question by question, with a bar for each."""
    answers: list[tuple[Task, Fact | None]] = []
    for task in progress.track(questions, description=say(_("asking"))):
        part = progress.add_task(f"  {say(DOING[task.kind])} {spelled(task)}", total=1.0)
        answer = answered(task, before) or task.answer(partial(seen, progress, part))
        answers.append((task, answer))
        progress.remove_task(part)
        yield facts(answers)


def seen(progress: Progress, part: TaskID, share: float) -> None:
    """How far a question is."""
    progress.update(part, completed=share)


def spelled(task: Task) -> str:
    """The options of a question, and its numbers, as a bar shows them."""
    options = [f"{key}={value}" for key, value in task.asked["options"].items()]
    numbers = [str(task.asked[key]) for key in ("level", "within") if key in task.asked]
    return " ".join((*options, *numbers))


COMMANDS: Final = (known,)
