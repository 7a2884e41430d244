"""What workers run, here or elsewhere: an engine's move, a remark, a puzzle's judge, proved values.

Numba is slow to load, so that only these processes load it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from quinconce.core.match import Match, MatchData
from quinconce.core.phrase import Phrase
from quinconce.engine.warmup import Step, is_done, keep_gauge, mark_puzzles, show_progress
from quinconce.engine.warmup import compile_step as compile_engine_step

if TYPE_CHECKING:
    from quinconce.puzzles.judge import MoveJudgement

MAX_CACHED_MATCHES: Final = 8  # matches that a process keeps, so that it need not replay them
ResultName = Literal["win", "draw", "loss"]
PlainValue = tuple[ResultName, int | None]
T = TypeVar("T")

_match_cache: dict[MatchData, Match[Any]] = {}


class EngineQuestion(NamedTuple):
    """What an engine is asked: a match, and how well to play."""

    match: MatchData
    level: int
    seed: int


class AttemptQuestion(NamedTuple):
    """What the judge of puzzles is asked: a puzzle, and the moves tried in it."""

    id: str
    moves: tuple[str, ...]


class FoundRemark(NamedTuple):
    """A remark, by its kind and in words."""

    kind: str
    words: Phrase


class PlainMove(NamedTuple):
    """A legal move, and what is known of it: its result, its length, turns to the next capture."""

    move: str
    result: ResultName | None
    plies: int | None
    capture_turns: int | None


class PlainValues(NamedTuple):
    """What is proved of each position, of the move after it, and of the last legal moves."""

    positions: list[PlainValue | None]
    played: list[PlainValue | None]
    legal: dict[str, PlainValue]
    moves: list[PlainMove]  # every legal one, the best first


def replay_cached(data: MatchData) -> Match[Any]:
    """The match; one that was asked about before is played on."""
    key = data._replace(moves=())
    match = _match_cache.pop(key, None)
    if match is None or tuple(match.moves) != data.moves[: len(match.moves)]:
        match = key.match()
    for text in data.moves[len(match.moves) :]:
        match.play(text)
    _match_cache[key] = match
    if len(_match_cache) > MAX_CACHED_MATCHES:
        del _match_cache[next(iter(_match_cache))]
    return match


def load_engine(forms: Sequence[MatchData] = (), *, informed: bool = False) -> None:
    """Load the engine; then, while questions may come already, what some games need of it."""
    from quinconce.engine import move_choice, preparation

    assert move_choice

    def load_forms() -> None:
        for form in forms:
            preparation.prepare(form.rules(), informed=informed)

    if forms:
        threading.Thread(target=load_forms, daemon=True, name="loading").start()


def load_proofs(forms: Sequence[MatchData]) -> None:
    """Load what full strength needs, too."""
    load_engine(forms, informed=True)


def choose_move(question: EngineQuestion) -> str:
    """The engine's move."""
    from quinconce.engine import choose

    return choose(replay_cached(question.match), level=question.level, seed=question.seed)


def engine_accepts_stop(match: MatchData, seat: int) -> bool:
    """Whether the engine in a seat agrees to stop here."""
    from quinconce.engine.move_choice import accepts_offer

    return accepts_offer(replay_cached(match), seat)


def judge_attempt(attempt: AttemptQuestion) -> MoveJudgement:
    """What the judge says of the last move of an attempt."""
    from quinconce.puzzles.judge import judge_move
    from quinconce.puzzles.puzzle import puzzles_by_id

    return judge_move(puzzles_by_id()[attempt.id], attempt.moves)


def find_remark(data: MatchData, seat: int) -> FoundRemark | None:
    """What a seat is told in a first game; at its end, when it was lost or won."""
    from quinconce.study.remarks import remark_for
    from quinconce.study.turning_point import turning_point, turning_point_words

    match = replay_cached(data)
    if match.outcome():
        point = turning_point(match)
        return point and FoundRemark("end", turning_point_words(match, point, seat))
    remark = remark_for(match, seat)
    return remark and FoundRemark(remark.kind, remark.words)


def compile_step(step: Step) -> None:
    """Compile what a step of the warm-up needs; for puzzles, by judging the first of them."""
    if step.stage != "puzzles":
        return compile_engine_step(step)
    from quinconce.puzzles.judge import judge_move
    from quinconce.puzzles.puzzle import puzzles_for

    with show_progress():
        for puzzle in puzzles_for(step.form.rules())[:1]:
            judge_move(puzzle, puzzle.line[:1])
    return mark_puzzles(step.form)


def compile_missing(step: Step) -> None:
    """Compile what a step needs, unless it lies in the cache, on a machine that nobody watches."""
    if not is_done(step):
        keep_gauge([0])
        compile_step(step)


def find_proven_values(data: MatchData, since: int) -> PlainValues:
    """What engines know without a search of a match, from the ply `since` on."""
    from quinconce import engine
    from quinconce.engine.move_values import known_moves

    match = data._replace(moves=()).match()
    found = PlainValues([], [], {}, [])
    for ply, text in enumerate((*data.moves, None)):
        if ply >= since:
            moves = engine.proved_moves(match)
            found.positions.append(as_plain_value(engine.proved_value(match, moves)))
            if text is None:
                found.legal.update(
                    {move: (value.result, value.plies) for move, value in moves.items()}
                )
            else:
                found.played.append(as_plain_value(moves.get(text)))
        if text is not None:
            match.play(text)
    found.moves.extend(PlainMove(*known) for known in known_moves(match))
    return found


def as_plain_value(value: Any) -> PlainValue | None:
    """A value as plain data."""
    return None if value is None else tuple(value)


# On a cluster.


class Versions(NamedTuple):
    """What has to be the same where engines think as on the server that asks them."""

    quinconce: str | None
    python: str | None  # its major and minor number
    distributed: str | None

    @classmethod
    def of(cls, packages: Mapping[str, str | None]) -> Versions:
        """The versions by name of a package, as Dask tells them."""
        python = ".".join((packages["python"] or "").split(".")[:2])
        return cls(packages["quinconce"], python, packages["distributed"])

    def __str__(self) -> str:
        return (
            f"Quinconce {self.quinconce or '(none)'}, Python {self.python},"
            f" distributed {self.distributed}"
        )


class OtherVersionError(Exception):
    """A worker was asked by a server of other versions."""


@cache
def own_versions() -> Versions:
    """The versions here; PackageNotFoundError without Dask's package."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Versions(version("quinconce"), python, version("distributed"))


def answer_same_version(versions: Versions, do: Callable[..., T], about: tuple[object, ...]) -> T:
    """What `do` answers, for a server of the same versions only."""
    if versions != own_versions():
        raise OtherVersionError
    return do(*about)
