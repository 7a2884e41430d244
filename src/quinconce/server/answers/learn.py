"""Lessons: a step and its judge, and the pages on which one learns."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.registry import game_class
from quinconce.server.answers.common import Page, check_game
from quinconce.server.answers.pages import asked_form
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.request import IncomingRequest
from quinconce.server.views.cards import cards
from quinconce.server.views.lessons import (
    LessonLinks,
    lesson_links,
    sheet_steps,
    step_ids,
    step_view,
)
from quinconce.study.lesson import LessonStep
from quinconce.study.lesson_files import lessons_of, steps_of
from quinconce.words import Voice


class LessonMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that is tried in a step."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]


def find_step(name: str, id_: str) -> LessonStep:
    """The step of a game that has this id."""
    check_game(name)
    if id_ not in steps_of(name):
        raise RouteError(404, "step", _("there is no step of this name"))
    return steps_of(name)[id_]


def learn_links(name: str, steps: list[str], say: Voice) -> list[tuple[str, str]]:
    """Links to the lessons of a game, if it has some, and to its rules."""
    rules = (say(_("Read the rules")), f"/game/{name}#rules")
    return [(say(_("Lessons")), f"/learn/{name}"), rules] if steps else [rules]


def fitting_lesson(rules: Game[Any], lessons: list[LessonLinks]) -> LessonLinks | None:
    """The lesson about a form of a game, if it is not the form that the first one teaches."""
    forms = [lesson.game for lesson in lessons_of(rules.name)]
    return None if rules not in forms[1:] or rules == forms[0] else lessons[forms.index(rules)]


def learn_page(say: Voice) -> Page:
    """The games to choose from, for people who want to learn one."""
    steps = step_ids()
    return Page(
        "choose.html",
        {
            "section": "learn",
            "heading": say(_("Learn a game")),
            "sentence": say(_("Short lessons on the board, move by move, and the rules to read.")),
            "games": [
                (card, learn_links(card.name, steps[card.name], say))
                for card in cards(say.language)
            ],
            "steps": steps,
        },
    )


def lessons_page(request: IncomingRequest, name: str) -> Page:
    """The lessons of a game; the browser marks the steps that are done."""
    wished, form = asked_form(request, name)
    say = negotiate_voice(request)
    lessons = lesson_links(name, say.language)
    return Page(
        "lessons.html",
        {
            "name": name,
            "title": say(form.title),
            "summary": say(form.summary),
            "lessons": lessons,
            "fitting": fitting_lesson(form, lessons),
            "form": form,
            "steps": list(steps_of(name)),
            "query": f"?{urlencode(wished)}" if wished else "",
        },
    )


def lesson_sheet(request: IncomingRequest, name: str) -> Page:
    """A lesson on paper, the first one unless another is asked for, with what is to be found."""
    check_game(name)
    say, lessons = negotiate_voice(request), lessons_of(name)
    asked = request.query_params.get("lesson") or (lessons[0].id if lessons else "")
    lesson = next((one for one in lessons if one.id == asked), None)
    if lesson is None:
        raise RouteError(404, "lesson", _("there is no lesson of this name"))
    links = lesson_links(name, say.language)
    return Page(
        "lesson_sheet.html",
        {
            "name": name,
            "title": say(game_class(name).title),
            "lessons": links,
            "chosen": asked,
            "lesson": next(link.title for link in links if link.id == asked),
            "steps": sheet_steps(lesson, say),
        },
    )


def step_page(name: str, id_: str, say: Voice) -> Page:
    """A step of a lesson on the board; the browser does the rest."""
    step = find_step(name, id_)
    view = step_view(step, say)
    return Page(
        "lesson.html",
        {
            "name": name,
            "title": say(step.game.title),
            "step": view,
            "told": msgspec.to_builtins(view),
            "lessons": lesson_links(name, say.language),
            "how": say(step.game.how_to_write),
        },
    )
