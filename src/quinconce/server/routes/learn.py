"""The routes of lessons: the games to learn, the lessons of each, a step, and its judge."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter

from quinconce.server.answers import learn as answers
from quinconce.server.answers.learn import LessonMove, find_step
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    PathText,
    error_responses,
    page_response,
)
from quinconce.server.views.lessons import (
    LessonJudgement,
    LessonStepView,
    judgement_view,
    step_view,
)
from quinconce.study.lesson import judge_step

GamePath = Annotated[str, PathParameter(description="The game.", max_length=40)]
StepPath = Annotated[str, PathParameter(description="The id of the step.", max_length=60)]


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
    return page_response(request, await run_brief(answers.learn_page, negotiate_voice(request)))


@get("/learn/{name:str}", include_in_schema=False)
async def lessons_page(request: AnyRequest, name: PathText) -> Response[str]:
    """The lessons of a game; the browser marks the steps that are done."""
    return page_response(request, await run_brief(answers.lessons_page, request, name))


@get("/learn/{name:str}/print", include_in_schema=False)
async def lesson_sheet(request: AnyRequest, name: PathText) -> Response[str]:
    """A lesson on paper, the first one unless another is asked for, with what is to be found."""
    return page_response(request, await run_brief(answers.lesson_sheet, request, name))


@get("/learn/{name:str}/{step:str}", include_in_schema=False)
async def step_page(request: AnyRequest, name: PathText, step: PathText) -> Response[str]:
    """A step of a lesson on the board; the browser does the rest."""
    say = negotiate_voice(request)
    return page_response(request, await run_brief(answers.step_page, name, step, say))


ROUTES: Final = [read_step, try_move, learn_page, lessons_page, lesson_sheet, step_page]
