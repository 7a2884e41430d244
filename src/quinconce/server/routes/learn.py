"""The routes of lessons: the games to learn, the lessons of each, a step, and its judge."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.registry import game_class
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    PathText,
    check_game,
    error_responses,
    page_response,
)
from quinconce.server.views.cards import cards
from quinconce.server.views.lessons import (
    LessonJudgement,
    LessonLinks,
    LessonStepView,
    judgement_view,
    lesson_links,
    sheet_steps,
    step_ids,
    step_view,
)
from quinconce.study.lesson import LessonStep, judge_step
from quinconce.study.lesson_files import lessons_of, steps_of
from quinconce.words import Voice

GamePath = Annotated[str, PathParameter(description="The game.", max_length=40)]
StepPath = Annotated[str, PathParameter(description="The id of the step.", max_length=60)]


class LessonMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that is tried in a step."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]


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
    one = await run_brief(find_step, name, step)
    return await run_brief(step_view, one, negotiate_voice(request))


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
    one = await run_brief(find_step, name, step)
    answer = await run_brief(judge_step, one, data.move)
    return await run_brief(judgement_view, one, answer, negotiate_voice(request))


# The pages.


@get("/learn", include_in_schema=False)
async def learn_page(request: AnyRequest) -> Response[str]:
    """The games to choose from, for people who want to learn one."""
    say = negotiate_voice(request)
    shown, steps = await run_brief(cards, say.language), await run_brief(step_ids)
    return page_response(
        request,
        "choose.html",
        section="learn",
        heading=say(_("Learn a game")),
        sentence=say(_("Short lessons on the board, move by move, and the rules to read.")),
        games=[(card, learn_links(card.name, steps[card.name], say)) for card in shown],
        steps=steps,
    )


def learn_links(name: str, steps: list[str], say: Voice) -> list[tuple[str, str]]:
    """Links to the lessons of a game, if it has some, and to its rules."""
    rules = (say(_("Read the rules")), f"/game/{name}#rules")
    return [(say(_("Lessons")), f"/learn/{name}"), rules] if steps else [rules]


@get("/learn/{name:str}", include_in_schema=False)
async def lessons_page(request: AnyRequest, name: PathText) -> Response[str]:
    """The lessons of a game; the browser marks the steps that are done."""
    check_game(name)
    say, rules = negotiate_voice(request), game_class(name)
    wished = {key: value for key, value in request.query_params.items() if key in rules.options}
    lessons = await run_brief(lesson_links, name, say.language)
    form = rules(**wished)
    return page_response(
        request,
        "lessons.html",
        name=name,
        title=say(rules.title),
        summary=say(rules.summary),
        lessons=lessons,
        fitting=fitting_lesson(form, lessons),
        form=form,
        steps=list(steps_of(name)),
        query=f"?{urlencode(wished)}" if wished else "",
    )


def fitting_lesson(rules: Game[Any], lessons: list[LessonLinks]) -> LessonLinks | None:
    """The lesson about a form of a game, if it is not the form that the first one teaches."""
    forms = [lesson.game for lesson in lessons_of(rules.name)]
    return None if rules not in forms[1:] or rules == forms[0] else lessons[forms.index(rules)]


@get("/learn/{name:str}/print", include_in_schema=False)
async def lesson_sheet(request: AnyRequest, name: PathText) -> Response[str]:
    """A lesson on paper, the first one unless another is asked for, with what is to be found."""
    check_game(name)
    say = negotiate_voice(request)
    lessons = await run_brief(lessons_of, name)
    asked = request.query_params.get("lesson") or (lessons[0].id if lessons else "")
    lesson = next((one for one in lessons if one.id == asked), None)
    if lesson is None:
        raise RouteError(404, "lesson", _("there is no lesson of this name"))
    links = await run_brief(lesson_links, name, say.language)
    return page_response(
        request,
        "lesson_sheet.html",
        name=name,
        title=say(game_class(name).title),
        lessons=links,
        chosen=asked,
        lesson=next(link.title for link in links if link.id == asked),
        steps=await run_brief(sheet_steps, lesson, say),
    )


@get("/learn/{name:str}/{step:str}", include_in_schema=False)
async def step_page(request: AnyRequest, name: PathText, step: PathText) -> Response[str]:
    """A step of a lesson on the board; the browser does the rest."""
    say, one = negotiate_voice(request), await run_brief(find_step, name, step)
    view = await run_brief(step_view, one, say)
    return page_response(
        request,
        "lesson.html",
        name=name,
        title=say(one.game.title),
        step=view,
        told=msgspec.to_builtins(view),
        lessons=await run_brief(lesson_links, name, say.language),
        how=say(one.game.how_to_write),
    )


ROUTES: Final = [read_step, try_move, learn_page, lessons_page, lesson_sheet, step_page]
