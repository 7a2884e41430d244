"""`quinconce learn`: takes the lessons of a game in the terminal, or lists them."""

from __future__ import annotations

import click
from rich.console import Console

from quinconce.commands.options import complete_game
from quinconce.core.phrase import _, quote
from quinconce.study.lesson_files import lessons_of, steps_of, words_of_lessons
from quinconce.terminal.lesson_prompt import LessonPrompt
from quinconce.words import Voice


@click.command("learn", help=_("Learn a game step by step, from its first step or from STEP on."))
@click.argument("name", metavar="GAME", shell_complete=complete_game)
@click.argument("step", metavar="STEP", required=False)
@click.option("--list", "listing", is_flag=True, help=_("list the lessons and their steps instead"))
@click.pass_obj
def learn_command(say: Voice, name: str, step: str | None, listing: bool) -> None:
    """Take or list the lessons of a game."""
    steps = steps_of(name)
    if not steps:
        raise ValueError(
            _("there are no lessons for this game yet: quinconce rules {name}", name=name)
        )
    if step is not None and step not in steps:
        raise ValueError(
            _(
                "there is no step {step}: quinconce learn {name} --list names them",
                step=quote(step),
                name=name,
            )
        )
    if listing:
        print_lessons(say, name)
    else:
        LessonPrompt(name, step or next(iter(steps)), Console(), say).run()


def print_lessons(say: Voice, name: str) -> None:
    """Print every lesson, and below it the ids and titles of its steps."""
    words = words_of_lessons(name, say.language)
    width = max(map(len, words.steps))
    for lesson in lessons_of(name):
        click.echo(words.titles[lesson.id])
        for step in lesson.steps:
            click.echo(f"  {step.id:{width}}  {words.steps[step.id].title}")
