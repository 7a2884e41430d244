"""The pages of puzzles: by game, in a mixed run, of the day, and on paper."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.response import Redirect

from quinconce.server.answers import puzzle_pages as answers
from quinconce.server.answers.explore import DRAWING_COST
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import AnyRequest, PathText, ServicesDep, page_response
from quinconce.server.routes.table import run_charged


@get("/puzzles", include_in_schema=False)
async def puzzle_games_page(request: AnyRequest) -> Response[str]:
    """The games that have puzzles, to choose from."""
    page = await run_brief(answers.puzzle_games_page, negotiate_voice(request))
    return page_response(request, page)


@get("/puzzles/run", include_in_schema=False)
async def mixed_run_page(request: AnyRequest) -> Response[str]:
    """Puzzles of all games, one after the other; the browser chooses them."""
    return page_response(request, await run_brief(answers.mixed_run_page, negotiate_voice(request)))


@get("/puzzles/{name:str}", include_in_schema=False)
async def puzzles_page(request: AnyRequest, name: PathText) -> Response[str]:
    """The puzzles of a game by their grades; the browser does the rest."""
    return page_response(request, await run_brief(answers.puzzles_page, request, name))


@get("/puzzles/{name:str}/run", include_in_schema=False)
async def run_page(request: AnyRequest, name: PathText) -> Response[str]:
    """The puzzles of a game, one after the other; the browser chooses them."""
    return page_response(request, await run_brief(answers.run_page, request, name))


@get("/puzzles/{name:str}/today", include_in_schema=False)
async def today_page(request: AnyRequest, name: PathText) -> Redirect:
    """The puzzle of the day, among the puzzles of its game."""
    address = await run_brief(answers.daily_address, request, name)
    return Redirect(address, headers={"Cache-Control": "no-store"})


@get("/puzzles/{name:str}/print", include_in_schema=False)
async def puzzle_sheet(request: AnyRequest, name: PathText, services: ServicesDep) -> Response[str]:
    """Puzzles of a game on paper, and their solutions on a sheet of their own."""
    moves = DRAWING_COST * answers.sheet_length(request)
    page = await run_charged(services, request, moves, answers.puzzle_sheet, request, name)
    return page_response(request, page)


ROUTES: Final = [
    puzzle_games_page,
    mixed_run_page,
    puzzles_page,
    run_page,
    today_page,
    puzzle_sheet,
]
