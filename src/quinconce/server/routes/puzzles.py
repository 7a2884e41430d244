"""The routes of puzzles: their page, a puzzle, and the judge of the moves that are tried in it."""

from __future__ import annotations

import asyncio
from importlib import import_module
from itertools import groupby
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlencode

from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.move_input import understood
from quinconce.core.phrase import Phrase as _
from quinconce.core.registry import find, game, names
from quinconce.puzzles.messages import certain, goal, told
from quinconce.puzzles.puzzle import ID_LENGTH, Puzzle, by_id, forms, puzzles, puzzles_of
from quinconce.server.errors import RefusalError
from quinconce.server.language import voice_of
from quinconce.server.routes.common import POSTED, Language, TheHouse, faults
from quinconce.server.routes.pages import Asked, Word, page
from quinconce.server.views.position import Scene, scene
from quinconce.words import Voice

JUDGE: Final = "quinconce.puzzles.judge"
PuzzleId = Annotated[
    str,
    PathParameter(description="The id of the puzzle.", pattern=f"^[a-z2-7]{{{ID_LENGTH}}}$"),
]
GameName = Annotated[str, QueryParameter(name="game", description="The game.", max_length=40)]


class PuzzleEntry(Struct, frozen=True):
    """A puzzle in a list."""

    id: str
    options: dict[str, str | int]
    grade: int
    goal: str
    plies: int


class PuzzleView(Struct, frozen=True):
    """A puzzle to be solved, its goal in words and the position with its legal moves."""

    id: str
    game: str
    title: str
    options: dict[str, str | int]
    position: str
    grade: int
    goal: str
    plies: int
    words: str
    flipped: bool  # whether it is seen from the other side
    scene: Scene


class PuzzleSolution(Struct, frozen=True):
    """The moves of the solution against the best defence, and what is known of other moves."""

    moves: list[str]
    words: str


class Attempt(Struct, frozen=True, forbid_unknown_fields=True):
    """The moves since the start of the puzzle, the replies too; the last one is to be judged."""

    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(min_length=1, max_length=128)]


class Judgement(Struct, frozen=True):
    """What became of a move: `right` or `solved`, or else the position before it stands."""

    verdict: str  # right, solved, slow (it wins, but later), late (not in time) or wrong
    words: str
    moves: list[str]
    scene: Scene


class Trial(NamedTuple):
    """What is asked of a process where engines think."""

    id: str
    moves: tuple[str, ...]


def judge(trial: Trial) -> Any:
    """The answer to a move. Numba is slow to load, so only these processes do."""
    return import_module(JUDGE).judged(by_id()[trial.id], trial.moves)


def found(id_: str) -> Puzzle:
    """The puzzle of this name."""
    if id_ not in by_id():
        raise RefusalError(404, "puzzle", _("there is no puzzle of this name"))
    return by_id()[id_]


def flipped(puzzle: Puzzle) -> bool:
    """Whoever plays the second of two sides sees the board from there."""
    return puzzle.side == 1 and puzzle.game.seats == 2


def shown(puzzle: Puzzle, say: Voice, moves: tuple[str, ...] = ()) -> Scene:
    """The position after some moves."""
    return scene(puzzle.match(moves), say, flipped=flipped(puzzle))


@get("/api/puzzles", responses=faults(422), tags=["puzzles"], operation_id="listPuzzles")
async def listed(name: GameName) -> list[PuzzleEntry]:
    """The puzzles of a game, from easy to hard for each set of its options."""
    return [
        PuzzleEntry(each.id, dict(each.game.chosen), each.grade, each.goal, each.plies)
        for each in await asyncio.to_thread(puzzles_of, name)
    ]


@get("/api/puzzles/{puzzle:str}", responses=faults(), tags=["puzzles"], operation_id="readPuzzle")
async def look(puzzle: PuzzleId, request: Asked, language: Language) -> PuzzleView:
    """A puzzle with its goal and the position."""
    say, one = voice_of(request), found(puzzle)
    return PuzzleView(
        one.id,
        one.game.name,
        say(one.game.title),
        dict(one.game.chosen),
        one.game.write(one.position),
        one.grade,
        one.goal,
        one.plies,
        say(goal(one)),
        flipped(one),
        await asyncio.to_thread(shown, one, say),
    )


@get(
    "/api/puzzles/{puzzle:str}/solution",
    responses=faults(),
    tags=["puzzles"],
    operation_id="readSolution",
)
async def solution(puzzle: PuzzleId, request: Asked, language: Language) -> PuzzleSolution:
    """How a puzzle is solved."""
    one = found(puzzle)
    return PuzzleSolution(list(one.line), voice_of(request)(certain(one)))


@post(
    "/api/puzzles/{puzzle:str}/moves",
    status_code=200,
    responses=faults(503, *POSTED),
    tags=["puzzles"],
    operation_id="tryMove",
)
async def attempt(
    puzzle: PuzzleId,
    data: JSONBody[Attempt],
    request: Request[Any, Any, Any],
    house: TheHouse,
    language: Language,
) -> Judgement:
    """Whether the last move keeps the goal, and the reply that lasts longest."""
    one, say = found(puzzle), voice_of(request)
    moves = await asyncio.to_thread(meant, one, data.moves)
    answer = await house.engines.ask(judge, Trial(one.id, moves), hint=True)
    after = await asyncio.to_thread(shown, one, say, answer.moves)
    return Judgement(answer.verdict, say(told(one, answer)), list(answer.moves), after)


def meant(puzzle: Puzzle, moves: list[str]) -> tuple[str, ...]:
    """The moves in their one spelling; an error of the rules before anybody thinks about them."""
    if len(moves) > puzzle.plies:
        raise ValueError(_("the solution is not that long"))
    match = puzzle.match()
    for text in moves:
        match.play(understood(puzzle.game, match.position, text))
    return tuple(match.moves)


@get("/puzzles/{name:str}", include_in_schema=False)
async def puzzles_page(request: Asked, name: Word) -> Response[str]:
    """The puzzles of a game by their grades; the browser does the rest."""
    if name not in names():
        raise RefusalError(404, "game", _("there is no game of this name in the house"))
    say, options = voice_of(request), find(name).options
    wished = {key: value for key, value in request.query_params.items() if key in options}
    every = await asyncio.to_thread(forms, name)
    rules = chosen(name, wished, every)
    numbered = list(enumerate(puzzles(rules), start=1))
    grades = {
        grade: [{"number": n, "id": each.id} for n, each in group]
        for grade, group in groupby(numbered, key=lambda pair: pair[1].grade)
    }
    return page(
        request,
        "puzzles.html",
        name=name,
        title=say(rules.title),
        query=urlencode(rules.chosen),
        facts=unusual(rules, say),
        grades=grades,
        others=[(urlencode(other.chosen), unusual(other, say)) for other in every],
        told=[each.id for _n, each in numbered],
        how=say(rules.how_to_write),
    )


def chosen(name: str, wished: dict[str, str], every: tuple[Game[Any], ...]) -> Game[Any]:
    """The form that was asked for, or the first with puzzles that agrees with what was asked."""
    rules = game(name, **wished)
    asked = {key: rules.chosen[key] for key in wished}
    fitting = [other for other in every if asked.items() <= other.chosen.items()]
    return rules if rules in every or not fitting else fitting[0]


def unusual(rules: Game[Any], say: Voice) -> str:
    """The options that have several forms of puzzles, on one line."""
    every = [other.chosen for other in forms(rules.name)]
    differ = [key for key in rules.chosen if len({each[key] for each in every}) > 1]
    return " · ".join(f"{say(rules.options[key].label)} {rules.chosen[key]}" for key in differ)


ROUTES: Final = [listed, look, solution, attempt, puzzles_page]
