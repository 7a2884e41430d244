"""The routes of lessons: the games to learn, the lessons of each, a step, and its judge."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.core.registry import game_class, names
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.off_loop import run_slow
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    PathText,
    error_responses,
    page_response,
)
from quinconce.server.views.cards import cards
from quinconce.server.views.lessons import (
    LessonJudgement,
    LessonStepView,
    judgement_view,
    lesson_links,
    step_view,
)
from quinconce.study.lesson import LessonStep
from quinconce.study.lesson_files import lessons_of, steps_of
from quinconce.words import Voice

GamePath = Annotated[str, PathParameter(description="The game.", max_length=40)]
StepPath = Annotated[str, PathParameter(description="The id of the step.", max_length=60)]


class LessonMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that is tried in a step."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]


def check_game(name: str) -> None:
    """404 if there is no such game."""
    if name not in names():
        raise RouteError(404, "game", _("there is no game of this name"))


def find_step(name: str, id_: str) -> LessonStep:
    """The step of a game that has this id."""
    check_game(name)
    if id_ not in steps_of(name):
        raise RouteError(404, "step", _("there is no step of this name"))
    return steps_of(name)[id_]


@get(
    "/api/lessons/{name:str}/{step:str}",
    responses=error_responses(),
    tags=["lessons"],
    operation_id="readLessonStep",
)
async def read_step(
    name: GamePath, step: StepPath, request: AnyRequest, language: LanguageQuery
) -> LessonStepView:
    """A step of a lesson: what it says, and the position to play in."""
    return await run_slow(step_view, find_step(name, step), negotiate_voice(request))


@post(
    "/api/lessons/{name:str}/{step:str}/moves",
    status_code=200,
    responses=error_responses(*POST_ERRORS),
    tags=["lessons"],
    operation_id="tryLessonMove",
)
async def try_move(
    name: GamePath,
    step: StepPath,
    data: JSONBody[LessonMove],
    request: AnyRequest,
    language: LanguageQuery,
) -> LessonJudgement:
    """Whether a move does what the step asks, and the reply to it."""
    say = negotiate_voice(request)
    return await run_slow(judgement_view, find_step(name, step), data.move, say)


# The pages.


@get("/learn", include_in_schema=False)
async def learn_page(request: AnyRequest) -> Response[str]:
    """The games to choose from, for people who want to learn one."""
    say = negotiate_voice(request)
    shown = await run_slow(cards, say.language)
    return page_response(
        request,
        "choose.html",
        section="learn",
        heading=say(_("Learn a game")),
        sentence=say(_("Short lessons on the board, move by move, and the rules to read.")),
        games=[(card, learn_links(card.name, say)) for card in shown],
        steps={card.name: list(steps_of(card.name)) for card in shown},
    )


def learn_links(name: str, say: Voice) -> list[tuple[str, str]]:
    """Links to the lessons of a game, if it has some, and to its rules."""
    rules = (say(_("Read the rules")), f"/game/{name}#rules")
    return [(say(_("Lessons")), f"/learn/{name}"), rules] if lessons_of(name) else [rules]


@get("/learn/{name:str}", include_in_schema=False)
async def lessons_page(request: AnyRequest, name: PathText) -> Response[str]:
    """The lessons of a game; the browser marks the steps that are done."""
    check_game(name)
    say, rules = negotiate_voice(request), game_class(name)
    wished = {key: value for key, value in request.query_params.items() if key in rules.options}
    lessons = await run_slow(lesson_links, name, say.language)
    form = rules(**wished)
    fitting = (
        shown
        for shown, lesson in zip(lessons[1:], lessons_of(name)[1:], strict=True)
        if lesson.game == form and lesson.game != lessons_of(name)[0].game
    )
    return page_response(
        request,
        "lessons.html",
        name=name,
        title=say(rules.title),
        summary=say(rules.summary),
        lessons=lessons,
        fitting=next(fitting, None),
        form=form,
        steps=list(steps_of(name)),
        query=f"?{urlencode(wished)}" if wished else "",
    )


@get("/learn/{name:str}/{step:str}", include_in_schema=False)
async def step_page(request: AnyRequest, name: PathText, step: PathText) -> Response[str]:
    """A step of a lesson on the board; the browser does the rest."""
    say, one = negotiate_voice(request), find_step(name, step)
    view = await run_slow(step_view, one, say)
    return page_response(
        request,
        "lesson.html",
        name=name,
        title=say(one.game.title),
        step=view,
        told=msgspec.to_builtins(view),
        lessons=await run_slow(lesson_links, name, say.language),
        how=say(one.game.how_to_write),
    )


ROUTES: Final = [read_step, try_move, learn_page, lessons_page, step_page]
