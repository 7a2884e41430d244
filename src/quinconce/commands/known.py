"""`quinconce known`: finds out what is known of the games, and writes data and pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.progress import Progress, TaskID

from quinconce.commands.options import MAX_JOBS, check_range, complete_game
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.option import options_text
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, names
from quinconce.facts.files import Answer, Facts, FactsByKind, read_facts, write_facts
from quinconce.facts.page import PICTURE_FOLDER, facts_page
from quinconce.facts.questions import (
    FactQuestion,
    facts_by_kind,
    find_answer,
    questions_about,
)
from quinconce.kernels.homes import use_native
from quinconce.terminal.progress import progress_bar
from quinconce.words import LANGUAGES, Voice

DOCS_FOLDER: Final = Path("docs")
PAGE_NAME: Final = "what-is-known"
KIND_VERBS: Final = {
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
    default=DOCS_FOLDER,
    show_default=True,
    help=_("the folder for the data, the pages and the plots"),
)
@click.option(
    "--game",
    "only",
    metavar="GAME",
    shell_complete=complete_game,
    help=_("this game only; the others stay"),
)
@click.option("--quick", is_flag=True, help=_("leave out what takes more than some seconds"))
@click.option("--missing", is_flag=True, help=_("ask only what the data do not answer yet"))
@click.option("--again", is_flag=True, help=_("ask nothing: write the pages from the data"))
@click.option("--jobs", type=int, default=1, help=_("this many matches at a time"))
@click.pass_obj
def known_command(
    say: Voice,
    output: Path,
    only: str | None,
    quick: bool,
    missing: bool,
    again: bool,
    jobs: int,
) -> None:
    """Ask every question again; the facts of other games stay."""
    use_native("quinconce known")
    check_range("--jobs", jobs, 1, MAX_JOBS)
    wanted = [game_class(only).name] if only else names()
    data = output / f"{PAGE_NAME}.json"
    with name_file_in_errors(output):
        output.mkdir(parents=True, exist_ok=True)
    resumed = (only or missing) and data.exists()
    kept: Facts = read_facts(data) if again or resumed else {}
    if not again:
        with progress_bar() as progress:
            for name in wanted:
                before = kept.get(name, {}) if missing else {}
                for so_far in ask_questions(
                    say, questions_about(name, quick, jobs), before, progress
                ):
                    kept[name] = so_far
                    write_facts(data, kept)  # Ctrl-C loses one answer at most
    write_pages(output, kept)


def write_pages(output: Path, kept: Facts) -> None:
    """Write the page in every language, the first under its plain name, and the pictures."""
    pictures = output / PICTURE_FOLDER
    with name_file_in_errors(pictures):
        pictures.mkdir(exist_ok=True)
    for language in LANGUAGES:
        page = facts_page(kept, Voice(language))
        name = f"{PAGE_NAME}.md" if language == LANGUAGES[0] else f"{PAGE_NAME}.{language}.md"
        written = {output / name: page.text}
        written |= {pictures / file: drawing(True) for file, drawing in page.pictures.items()}
        for path, content in written.items():
            with name_file_in_errors(path):
                write_atomically(path, content)


def ask_questions(
    say: Voice, questions: list[FactQuestion], before: FactsByKind, progress: Progress
) -> Iterator[FactsByKind]:
    """The facts of one game, growing question by question, with a bar for each."""
    answers: list[tuple[FactQuestion, Answer | None]] = []
    for task in progress.track(questions, description=say(_("asking"))):
        part = progress.add_task(
            f"  {say(KIND_VERBS[task.kind])} {question_label(task)}", total=1.0
        )
        answer = find_answer(task, before) or task.ask(partial(show_progress, progress, part))
        answers.append((task, answer))
        progress.remove_task(part)
        yield facts_by_kind(answers)


def show_progress(progress: Progress, part: TaskID, share: float) -> None:
    """Show how far a question is."""
    progress.update(part, completed=share)


def question_label(task: FactQuestion) -> str:
    """The options of a question, and its numbers, as a bar shows them."""
    options = options_text(task.parameters["options"])
    numbers = [str(task.parameters[key]) for key in ("level", "within") if key in task.parameters]
    return " ".join(filter(None, (options, *numbers)))
