"""What workers run, here or elsewhere: an engine's move, a remark, a puzzle's judge, a slice.

The engine is slow to load, so that only these processes load it. A worker keeps the searches that
it has begun by their names. Every slice comes with its question, so that a worker who has forgotten
it, or is new, begins again.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

import msgspec

from quinconce.core.errors import NoHostError
from quinconce.core.game import Game
from quinconce.core.match import Match, MatchData
from quinconce.core.phrase import Phrase
from quinconce.core.registry import game_forms, menu_names
from quinconce.engine.slices import NOTHING_YET, AnalysisReport, bytes_in_use
from quinconce.server.caches import BoundedCache

if TYPE_CHECKING:
    from quinconce.engine.slices import SlicedSearch
    from quinconce.puzzles.judge import MoveJudgement
    from quinconce.study.page_report import SearchedPosition
    from quinconce.study.review import PositionReport, SlicedReport

MAX_CACHED_MATCHES: Final = 8  # matches that a process keeps, so that it need not replay them
SLICE_SECONDS: Final = 0.08  # that a worker thinks before others have their turn: 100 ms at most
FIRST_SLICE_SECONDS: Final = 0.02  # so that many who come at once soon see something
# Searches that a worker keeps; of more, the one that was asked for longest ago goes.
MAX_SEARCHES: Final = 40
MAX_SEARCH_BYTES: Final = 1 << 30  # of them all; some have tables of endings
MAX_FORGOTTEN: Final = 1000  # names of searches that are not begun again
ResultName = Literal["win", "draw", "loss"]
PlainValue = tuple[ResultName, int | None]
T = TypeVar("T")

MoveChooser = Callable[["EngineQuestion"], str]
Slicer = Callable[["SearchQuestion"], AnalysisReport]

_matches: Final[BoundedCache[MatchData, Match[Any]]] = BoundedCache(MAX_CACHED_MATCHES)


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
    # Of positions without a value: how far endings are solved, and can be; whether it is a jam.
    reaches: list[tuple[int, int, bool] | None]


def replay_cached(data: MatchData) -> Match[Any]:
    """The match; one that was asked about before is played on."""
    key = data._replace(moves=())
    match = _matches.pop(key)
    if match is None or tuple(match.moves) != data.moves[: len(match.moves)]:
        match = key.match()
    for text in data.moves[len(match.moves) :]:
        match.play(text)
    _matches[key] = match
    return match


def load_engine() -> None:
    """Load the engine; then, while questions may come already, what every game needs of it."""
    from quinconce.engine import move_choice

    assert move_choice
    load_games([game_forms(name)[0] for name in menu_names()])


def load_proofs(form: MatchData) -> None:
    """Load all that a form of a game needs at full strength, while questions may come already."""
    load_games([form.rules()], informed=True)


def load_games(games: Sequence[Game[Any]], *, informed: bool = False) -> None:
    """Begin to load what some games need."""
    from quinconce.engine.preparation import prepare

    def load() -> None:
        with suppress(NoHostError):  # whoever asks is told
            for game in games:
                prepare(game, informed=informed)

    threading.Thread(target=load, daemon=True, name="loading").start()


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


def find_proven_values(data: MatchData, since: int) -> PlainValues:
    """What engines know without a search of a match, from the ply `since` on."""
    from quinconce import engine
    from quinconce.engine.move_values import known_moves
    from quinconce.engine.solved import endgame_reach

    match = data._replace(moves=()).match()
    found = PlainValues([], [], {}, [], [])
    for ply, text in enumerate((*data.moves, None)):
        if ply >= since:
            moves = engine.proved_moves(match)
            value = engine.proved_value(match, moves)
            found.positions.append(as_plain_value(value))
            reach = endgame_reach(match) if value is None and not match.outcome() else None
            found.reaches.append(
                None if reach is None else (reach.solved, reach.solvable, reach.jam)
            )
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


# Slices of search sessions.


class SearchQuestion(NamedTuple):
    """What is searched for long: a match, and how many lines."""

    id: str
    match: MatchData
    lines: int

    def begin(self) -> SlicedSearch:
        """The search, made ready, however long that takes."""
        from quinconce.engine.slices import SlicedSearch

        return SlicedSearch(self.match.match(), lines=self.lines)


def begin_report(match: MatchData) -> SlicedReport:
    """The report of a position of a review, made ready to be searched for."""
    from quinconce.study.review import SlicedReport

    return SlicedReport(match.match())


_lock: Final = threading.Lock()
_searches: Final[BoundedCache[str, Future[Any]]] = BoundedCache(MAX_SEARCHES)
_forgotten: Final[BoundedCache[str, bool]] = BoundedCache(MAX_FORGOTTEN)


def think_slice(question: SearchQuestion) -> AnalysisReport:
    """Search on for a slice; without lines if what it needs is not loaded yet."""
    search: SlicedSearch | None = find_search(question.id, question.begin)
    if search is None:
        return NOTHING_YET
    return search.run(SLICE_SECONDS if search.report.lines else FIRST_SLICE_SECONDS)


def report_slice(id_: str, match: MatchData) -> str | None:
    """Search on for the report of a position, for a slice; the report as JSON once it is done."""
    search: SlicedReport | None = find_search(id_, partial(begin_report, match))
    report = None if search is None else search.run(SLICE_SECONDS)
    return None if report is None else encode_report(report)


def encode_report(report: PositionReport) -> str:
    """A report as it is stored."""
    return msgspec.json.encode(report.json()).decode()


def report_findings(match: MatchData, searched: SearchedPosition) -> str | None:
    """The report of a position that a page has searched, as JSON; None where that is not enough."""
    from quinconce.study.page_report import report_searched

    report = report_searched(replay_cached(match), searched)
    return None if report is None else encode_report(report)


def find_search(id_: str, begin: Callable[[], Any]) -> Any:
    """The search; None if it is not ready within a slice, or nobody wants it any more."""
    with _lock:
        if id_ in _forgotten:
            return None
        making = _searches.get(id_)
        if is_new := making is None:
            making = _searches[id_] = Future()
    if is_new:
        # Proofs and endings may have to be loaded, which takes longer than a slice may.
        threading.Thread(target=make_search, args=(id_, begin, making), daemon=True).start()
    try:
        return making.result(SLICE_SECONDS)
    except TimeoutError:
        return None


def make_search(id_: str, begin: Callable[[], Any], making: Future[Any]) -> None:
    """Make a search ready to begin, however long that takes."""
    try:
        made = begin()
    except BaseException as error:
        forget_search(id_, again=True)
        making.set_exception(error)
    else:
        making.set_result(made)
        make_room(id_)


def make_room(id_: str) -> None:
    """Let go of the searches asked for longest ago, but of this one, while all need too much."""
    for other in kept_searches():
        if bytes_in_use() <= MAX_SEARCH_BYTES:
            return
        if other != id_:
            forget_search(other, again=True)


def forget_search(id_: str, *, again: bool = False) -> None:
    """Let go of a search and its memory; it is not begun `again`, unless it may be."""
    with _lock:
        _searches.pop(id_)
        if not again:
            _forgotten[id_] = True


def kept_searches() -> list[str]:
    """The names of the searches that are kept here."""
    return _searches.keys()
