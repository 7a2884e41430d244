"""The routes of puzzles: their page, a puzzle, and the judge of the moves that are tried in it."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.move_input import play_typed
from quinconce.core.phrase import _, ngettext
from quinconce.core.registry import game, game_class, names
from quinconce.engine.warmup import Step, form_of
from quinconce.puzzles.messages import goal_message, uniqueness_message, verdict_message
from quinconce.puzzles.puzzle import (
    PUZZLE_ID_LENGTH,
    Puzzle,
    all_puzzles,
    games_with_puzzles,
    puzzles_by_id,
    puzzles_for,
)
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.engine_jobs import AttemptQuestion, judge_attempt
from quinconce.server.matches.off_loop import run_slow
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    PathText,
    ServicesDep,
    error_responses,
    page_response,
)
from quinconce.server.views.cards import Card, cards
from quinconce.server.views.match import plays_on_far_side
from quinconce.server.views.position import PositionView, position_view
from quinconce.words import Voice

PuzzleId = Annotated[
    str,
    PathParameter(description="The id of the puzzle.", pattern=f"^[a-z2-7]{{{PUZZLE_ID_LENGTH}}}$"),
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
    scene: PositionView


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
    scene: PositionView


def find_puzzle(id_: str) -> Puzzle:
    """The puzzle of this name."""
    if id_ not in puzzles_by_id():
        raise RouteError(404, "puzzle", _("there is no puzzle of this name"))
    return puzzles_by_id()[id_]


def is_flipped(puzzle: Puzzle) -> bool:
    """Whether the board is seen from its far side, which is to solve."""
    return plays_on_far_side(puzzle.game, frozenset((puzzle.game.seat(puzzle.position),)))


def puzzle_position(puzzle: Puzzle, say: Voice, moves: tuple[str, ...] = ()) -> PositionView:
    """The position after some moves."""
    return position_view(puzzle.match(moves), say, flipped=is_flipped(puzzle))


@get("/api/puzzles", responses=error_responses(422), tags=["puzzles"], operation_id="listPuzzles")
async def list_puzzles(name: GameName) -> list[PuzzleEntry]:
    """The puzzles of a game, from easy to hard for each set of its options."""
    return [
        PuzzleEntry(each.id, dict(each.game.chosen), each.grade, each.goal, each.plies)
        for each in await run_slow(all_puzzles, name)
    ]


@get(
    "/api/puzzles/{puzzle:str}",
    responses=error_responses(),
    tags=["puzzles"],
    operation_id="readPuzzle",
)
async def read_puzzle(puzzle: PuzzleId, request: AnyRequest, language: LanguageQuery) -> PuzzleView:
    """A puzzle with its goal and the position."""
    say, one = negotiate_voice(request), find_puzzle(puzzle)
    return PuzzleView(
        one.id,
        one.game.name,
        say(one.game.title),
        dict(one.game.chosen),
        one.game.write(one.position),
        one.grade,
        one.goal,
        one.plies,
        say(goal_message(one)),
        is_flipped(one),
        await run_slow(puzzle_position, one, say),
    )


@get(
    "/api/puzzles/{puzzle:str}/solution",
    responses=error_responses(),
    tags=["puzzles"],
    operation_id="readSolution",
)
async def read_solution(
    puzzle: PuzzleId, request: AnyRequest, language: LanguageQuery
) -> PuzzleSolution:
    """How a puzzle is solved."""
    one = find_puzzle(puzzle)
    return PuzzleSolution(list(one.line), negotiate_voice(request)(uniqueness_message(one)))


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
    one, say = find_puzzle(puzzle), negotiate_voice(request)
    moves = await run_slow(parse_attempt, one, data.moves)
    answer = await services.engines.run(
        judge_attempt, AttemptQuestion(one.id, moves), step=Step(form_of(one.game), "puzzles")
    )
    after = await run_slow(puzzle_position, one, say, answer.moves)
    return Judgement(answer.verdict, say(verdict_message(one, answer)), list(answer.moves), after)


def parse_attempt(puzzle: Puzzle, moves: list[str]) -> tuple[str, ...]:
    """The moves in their one spelling; an error of the rules before anybody thinks about them."""
    if len(moves) > puzzle.plies:
        raise ValueError(_("the solution is not that long"))
    match = puzzle.match()
    play_typed(match, moves)
    return tuple(match.moves)


@get("/puzzles", include_in_schema=False)
async def puzzle_games_page(request: AnyRequest) -> Response[str]:
    """The games that have puzzles, to choose from."""
    say = negotiate_voice(request)
    shown = await run_slow(cards, say.language)
    games = [(card, await run_slow(puzzle_links, card, say)) for card in shown]
    return page_response(
        request,
        "choose.html",
        section="puzzles",
        heading=say(_("Puzzles")),
        sentence=say(_("A position from a game, and one move that wins or saves it: find it.")),
        games=[(card, links) for card, links in games if links],
    )


def puzzle_links(card: Card, say: Voice) -> list[tuple[str, str]]:
    """Links to the puzzles of each edition of a game, saying how many there are."""
    links = []
    every = [puzzle.game.chosen for puzzle in all_puzzles(card.name)]
    for edition in card.editions:
        n = sum(edition.options.items() <= chosen.items() for chosen in every)
        label = say(ngettext("{n} puzzle", "{n} puzzles", n))
        if edition.short_title:
            label = f"{edition.short_title} · {label}"
        if n:
            links.append((label, f"/puzzles/{card.name}{edition.query}"))
    return links


@get("/puzzles/{name:str}", include_in_schema=False)
async def puzzles_page(request: AnyRequest, name: PathText, services: ServicesDep) -> Response[str]:
    """The puzzles of a game by their grades; the browser does the rest."""
    if name not in names():
        raise RouteError(404, "game", _("there is no game of this name"))
    say, options = negotiate_voice(request), game_class(name).options
    wished = {key: value for key, value in request.query_params.items() if key in options}
    every = await run_slow(games_with_puzzles, name)
    rules = choose_form(name, wished, every)
    services.engine_turns.expect(rules, "puzzles")
    numbered = list(enumerate(puzzles_for(rules), start=1))
    grades = {
        grade: [{"number": n, "id": each.id} for n, each in group]
        for grade, group in groupby(numbered, key=lambda pair: pair[1].grade)
    }
    return page_response(
        request,
        "puzzles.html",
        name=name,
        title=say(rules.title),
        query=urlencode(rules.chosen),
        facts=distinguishing_options(rules, say),
        grades=grades,
        others=[(urlencode(other.chosen), distinguishing_options(other, say)) for other in every],
        told=[each.id for _n, each in numbered],
        how=say(rules.how_to_write),
    )


def choose_form(name: str, wished: dict[str, str], every: tuple[Game[Any], ...]) -> Game[Any]:
    """The form that was asked for, or the first with puzzles that agrees with what was asked."""
    rules = game(name, **wished)
    asked = {key: rules.chosen[key] for key in wished}
    fitting = [other for other in every if asked.items() <= other.chosen.items()]
    return rules if rules in every or not fitting else fitting[0]


def distinguishing_options(rules: Game[Any], say: Voice) -> str:
    """The options that have several forms of puzzles, on one line."""
    every = [other.chosen for other in games_with_puzzles(rules.name)]
    differ = [key for key in rules.chosen if len({each[key] for each in every}) > 1]
    return " · ".join(say(rules.options[key].describe(rules.chosen[key])) for key in differ)


ROUTES: Final = [
    list_puzzles,
    read_puzzle,
    read_solution,
    try_move,
    puzzle_games_page,
    puzzles_page,
]
