"""Puzzles: one to be solved, its hints, and what its judge says of a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.move_input import play_typed
from quinconce.core.phrase import _
from quinconce.puzzles.messages import (
    find_hint,
    goal_message,
    is_on_line,
    refutation_message,
    uniqueness_message,
    verdict_message,
)
from quinconce.puzzles.puzzle import (
    Puzzle,
    all_puzzles,
    games_with_puzzles,
    puzzles_by_id,
)
from quinconce.puzzles.themes import themes_of
from quinconce.server.answers.common import AnswerServices
from quinconce.server.engines.fair_play import Subject
from quinconce.server.engines.jobs import AttemptQuestion, judge_attempt
from quinconce.server.errors import RouteError
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.off_loop import run_brief
from quinconce.server.views.match import sits_on_far_side
from quinconce.server.views.position import PositionView, position_view
from quinconce.words import Voice

if TYPE_CHECKING:  # compiled code is slow to load
    from quinconce.puzzles.judge import MoveJudgement


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


def refutation_view(puzzle: Puzzle, answer: MoveJudgement, say: Voice) -> Refutation | None:
    """Why a move misses the goal, if the judge has found it out."""
    words = refutation_message(puzzle, answer)
    if words is None:
        return None
    moves = answer.refutation
    return Refutation(list(moves), say(words), puzzle_position(puzzle, say, moves))


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


def puzzle_entries(name: str) -> list[PuzzleEntry]:
    """The puzzles of a game, from easy to hard for each set of its options."""
    return [
        PuzzleEntry(each.id, dict(each.game.chosen), each.grade, each.goal, each.plies, themes)
        for each, themes in puzzles_with_themes(name)
    ]


def puzzle_view(puzzle: Puzzle, say: Voice) -> PuzzleView:
    """A puzzle with its goal and the position."""
    return PuzzleView(
        puzzle.id,
        puzzle.game.name,
        say(puzzle.game.title),
        dict(puzzle.game.chosen),
        puzzle.game.write(puzzle.position),
        puzzle.grade,
        puzzle.goal,
        puzzle.plies,
        say(goal_message(puzzle)),
        is_flipped(puzzle),
        puzzle_position(puzzle, say),
        distinguishing_options(puzzle.game, say),
    )


async def puzzle_solution(services: AnswerServices, puzzle: Puzzle, say: Voice) -> PuzzleSolution:
    """How a puzzle is solved; FairPlayError if people are at it."""
    await services.engines.fair_play.check(attempt_subject(puzzle))
    return PuzzleSolution(list(puzzle.line), say(uniqueness_message(puzzle)))


async def judge_moves(
    services: AnswerServices, puzzle: Puzzle, attempt: Attempt, say: Voice
) -> Judgement:
    """Whether the last move keeps the goal, and the reply that lasts longest."""
    moves = await run_brief(parse_attempt, puzzle, attempt.moves)
    question, subject = AttemptQuestion(puzzle.id, moves), attempt_subject(puzzle, moves)
    answer = await services.engines.run(judge_attempt, question, subject=subject)
    return Judgement(
        answer.verdict,
        say(verdict_message(puzzle, answer)),
        list(answer.moves),
        await run_brief(puzzle_position, puzzle, say, answer.moves),
        await run_brief(refutation_view, puzzle, answer, say),
    )


async def puzzle_hint(services: AnswerServices, puzzle: Puzzle, sent: HintRequest) -> PuzzleHint:
    """Where the next move begins."""
    moves = await run_brief(parse_attempt, puzzle, sent.moves)
    subject = attempt_subject(puzzle, moves)
    await services.engines.fair_play.check(subject)
    if is_on_line(puzzle, moves):
        move = puzzle.line[len(moves)]
    else:
        move = await services.engines.run(find_hint, puzzle.id, moves, subject=subject)
    return PuzzleHint(sorted(frozenset().union(*puzzle.game.touches(move)[:1])))
