"""The routes of puzzles: a puzzle, hints, and the judge of the moves that are tried in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from quinconce.puzzles.puzzle import (
    PUZZLE_ID_LENGTH,
)
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    ServicesDep,
    error_responses,
)

if TYPE_CHECKING:  # compiled code is slow to load
    pass
from quinconce.server.answers.puzzles import (
    Attempt,
    HintRequest,
    Judgement,
    PuzzleEntry,
    PuzzleHint,
    PuzzleSolution,
    PuzzleView,
    find_puzzle,
    judge_moves,
    puzzle_entries,
    puzzle_hint,
    puzzle_solution,
    puzzle_view,
)

PuzzleId = Annotated[
    str,
    PathParameter(description="The id of the puzzle.", pattern=f"^[a-z2-7]{{{PUZZLE_ID_LENGTH}}}$"),
]
GameName = Annotated[str, QueryParameter(name="game", description="The game.", max_length=40)]


@get("/api/puzzles", responses=error_responses(422), tags=["puzzles"], operation_id="listPuzzles")
async def list_puzzles(name: GameName) -> list[PuzzleEntry]:
    """The puzzles of a game, from easy to hard for each set of its options."""
    return await run_brief(puzzle_entries, name)


@get(
    "/api/puzzles/{puzzle:str}",
    responses=error_responses(),
    tags=["puzzles"],
    operation_id="readPuzzle",
)
async def read_puzzle(puzzle: PuzzleId, request: AnyRequest, language: LanguageQuery) -> PuzzleView:
    """A puzzle with its goal and the position."""
    return await run_brief(puzzle_view, find_puzzle(puzzle), negotiate_voice(request))


@get(
    "/api/puzzles/{puzzle:str}/solution",
    responses=error_responses(),
    tags=["puzzles"],
    operation_id="readSolution",
)
async def read_solution(
    puzzle: PuzzleId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> PuzzleSolution:
    """How a puzzle is solved."""
    return await puzzle_solution(services, find_puzzle(puzzle), negotiate_voice(request))


@post(
    "/api/puzzles/{puzzle:str}/moves",
    status_code=200,
    responses=error_responses(503, *POST_ERRORS),
    tags=["puzzles"],
    operation_id="tryMove",
)
async def try_move(
    puzzle: PuzzleId,
    data: JSONBody[Attempt],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> Judgement:
    """Whether the last move keeps the goal, and the reply that lasts longest."""
    return await judge_moves(services, find_puzzle(puzzle), data, negotiate_voice(request))


@post(
    "/api/puzzles/{puzzle:str}/hints",
    status_code=200,
    responses=error_responses(503, *POST_ERRORS),
    tags=["puzzles"],
    operation_id="puzzleHint",
)
async def give_hint(
    puzzle: PuzzleId,
    data: JSONBody[HintRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> PuzzleHint:
    """Where the next move begins."""
    return await puzzle_hint(services, find_puzzle(puzzle), data)


ROUTES: Final = [list_puzzles, read_puzzle, read_solution, try_move, give_hint]
