"""The routes of puzzles: a puzzle, hints, and the judge of the moves that are tried in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.move_input import play_typed
from quinconce.core.phrase import _
from quinconce.engine.warmup import Step, form_of
from quinconce.puzzles.messages import (
    find_hint,
    goal_message,
    is_on_line,
    refutation_message,
    uniqueness_message,
    verdict_message,
)
from quinconce.puzzles.puzzle import (
    PUZZLE_ID_LENGTH,
    Puzzle,
    all_puzzles,
    games_with_puzzles,
    puzzles_by_id,
)
from quinconce.puzzles.themes import themes_of
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.jobs import AttemptQuestion, judge_attempt
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    ServicesDep,
    error_responses,
)
from quinconce.server.views.match import sits_on_far_side
from quinconce.server.views.position import PositionView, position_view
from quinconce.words import Voice

if TYPE_CHECKING:  # Numba is slow to load
    from quinconce.puzzles.judge import MoveJudgement

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
    themes: list[str]


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
    rules: str  # what tells its rules from those of the game's other puzzles, in words


class PuzzleSolution(Struct, frozen=True):
    """The moves of the solution against the best defence, and what is known of other moves."""

    moves: list[str]
    words: str


class Attempt(Struct, frozen=True, forbid_unknown_fields=True):
    """The moves since the start of the puzzle, the replies too; the last one is to be judged."""

    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(min_length=1, max_length=128)]


class HintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The moves since the start of the puzzle, the replies too."""

    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=128)] = []


class PuzzleHint(Struct, frozen=True):
    """Where the next move begins: one place, or several that are touched in any order."""

    places: list[str]


class Refutation(Struct, frozen=True):
    """The moves with the one that misses the goal and the reply to it, and what that leads to."""

    moves: list[str]
    words: str
    scene: PositionView


class Judgement(Struct, frozen=True):
    """What became of a move: `right` or `solved`, or else the position before it stands."""

    verdict: str  # right, solved, slow (it wins, but later), late (not in time) or wrong
    words: str
    moves: list[str]
    scene: PositionView
    refutation: Refutation | None  # of a move that misses the goal, where it is known


def puzzles_with_themes(name: str) -> list[tuple[Puzzle, list[str]]]:
    """All puzzles of a game, each with its themes."""
    return [(each, list(themes_of(each))) for each in all_puzzles(name)]


def find_puzzle(id_: str) -> Puzzle:
    """The puzzle of this name."""
    if id_ not in puzzles_by_id():
        raise RouteError(404, "puzzle", _("there is no puzzle of this name"))
    return puzzles_by_id()[id_]


def distinguishing_options(rules: Game[Any], say: Voice) -> str:
    """The options that have several forms of puzzles, on one line."""
    every = [other.chosen for other in games_with_puzzles(rules.name)]
    differ = [key for key in rules.chosen if len({each[key] for each in every}) > 1]
    return " · ".join(say(rules.options[key].describe(rules.chosen[key])) for key in differ)


def puzzle_position(puzzle: Puzzle, say: Voice, moves: tuple[str, ...] = ()) -> PositionView:
    """The position after some moves."""
    return position_view(puzzle.match(moves), say, flipped=is_flipped(puzzle))


def is_flipped(puzzle: Puzzle) -> bool:
    """Whether the board is seen from its far side, which is to solve."""
    return sits_on_far_side(puzzle.game, puzzle.game.seat(puzzle.position))


@get("/api/puzzles", responses=error_responses(422), tags=["puzzles"], operation_id="listPuzzles")
async def list_puzzles(name: GameName) -> list[PuzzleEntry]:
    """The puzzles of a game, from easy to hard for each set of its options."""
    return [
        PuzzleEntry(each.id, dict(each.game.chosen), each.grade, each.goal, each.plies, themes)
        for each, themes in await run_brief(puzzles_with_themes, name)
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
        await run_brief(puzzle_position, one, say),
        await run_brief(distinguishing_options, one.game, say),
    )


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
    one = find_puzzle(puzzle)
    await services.engines.fair_play.check(attempt_subject(one))
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
    moves = await run_brief(parse_attempt, one, data.moves)
    answer = await services.engines.run(
        judge_attempt,
        AttemptQuestion(one.id, moves),
        subject=attempt_subject(one, moves),
        step=Step(form_of(one.game), "puzzles"),
    )
    after = await run_brief(puzzle_position, one, say, answer.moves)
    return Judgement(
        answer.verdict,
        say(verdict_message(one, answer)),
        list(answer.moves),
        after,
        await run_brief(refutation_view, one, answer, say),
    )


def refutation_view(puzzle: Puzzle, answer: MoveJudgement, say: Voice) -> Refutation | None:
    """Why a move misses the goal, if the judge has found it out."""
    words = refutation_message(puzzle, answer)
    if words is None:
        return None
    moves = answer.refutation
    return Refutation(list(moves), say(words), puzzle_position(puzzle, say, moves))


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
    one = find_puzzle(puzzle)
    moves = await run_brief(parse_attempt, one, data.moves)
    subject = attempt_subject(one, moves)
    await services.engines.fair_play.check(subject)
    if is_on_line(one, moves):
        move = one.line[len(moves)]
    else:
        step = Step(form_of(one.game), "puzzles")
        move = await services.engines.run(find_hint, one.id, moves, subject=subject, step=step)
    return PuzzleHint(sorted(frozenset().union(*one.game.touches(move)[:1])))


def parse_attempt(puzzle: Puzzle, moves: list[str]) -> tuple[str, ...]:
    """The moves in their one spelling; an error of the rules before anybody thinks about them."""
    if len(moves) > puzzle.plies:
        raise ValueError(_("the solution is not that long"))
    match = puzzle.match()
    play_typed(match, moves)
    return tuple(match.moves)


def attempt_subject(puzzle: Puzzle, moves: Sequence[str] = ()) -> Subject:
    """What is told of a puzzle, in which people may be just now."""
    match = puzzle.match()
    for text in moves:
        match.play(text)
    return Subject(line=Line.of(match))


ROUTES: Final = [list_puzzles, read_puzzle, read_solution, try_move, give_hint]
