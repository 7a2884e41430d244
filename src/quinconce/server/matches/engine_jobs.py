"""What worker processes run: an engine's move, the judge of a puzzle, proved values."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from quinconce.core.match import Match
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import puzzles_by_id

MAX_CACHED_MATCHES: Final = 8  # matches that a process keeps, so that it need not replay them
_match_cache: dict[tuple[object, ...], Match[Any]] = {}


class EngineQuestion(NamedTuple):
    """What an engine is asked: a match as plain data, and how well to play."""

    game: str
    options: dict[str, str | int]
    start: str | None
    moves: tuple[str, ...]
    level: int
    seed: int


def replay_question(question: EngineQuestion) -> Match[Any]:
    """The match; one that was asked about before is played on."""
    key = (question.game, *question.options.items(), question.start)
    match = _match_cache.pop(key, None)
    moves = list(question.moves)
    if match is None or match.moves != moves[: len(match.moves)]:
        rules = game(question.game, **question.options)
        match = Match(rules, None if question.start is None else rules.read(question.start))
    for text in moves[len(match.moves) :]:
        match.play(text)
    _match_cache[key] = match
    if len(_match_cache) > MAX_CACHED_MATCHES:
        del _match_cache[next(iter(_match_cache))]
    return match


def choose_move(question: EngineQuestion) -> str:
    """The engine's move. Numba is slow to load, so only these processes do."""
    from quinconce.engine import choose

    return choose(replay_question(question), level=question.level, seed=question.seed)


def engine_accepts_stop(question: EngineQuestion, seat: int) -> bool:
    """Whether the engine in a seat agrees to stop here."""
    from quinconce.engine.offer import accepts_offer

    return accepts_offer(replay_question(question), seat)


class AttemptQuestion(NamedTuple):
    """What is asked of a process where engines think."""

    id: str
    moves: tuple[str, ...]


def judge_attempt(trial: AttemptQuestion) -> Any:
    """The answer to a move. Numba is slow to load, so only these processes do."""
    from quinconce.puzzles.judge import judge_move

    return judge_move(puzzles_by_id()[trial.id], trial.moves)


ResultName = Literal["win", "draw", "loss"]
PlainValue = tuple[ResultName, int | None]


class PlainValues(NamedTuple):
    """The same as plain data, as it comes from where engines think."""

    positions: list[PlainValue | None]
    played: list[PlainValue | None]
    legal: dict[str, PlainValue]


def find_proven_values(question: EngineQuestion, since: int) -> PlainValues:
    """What engines know without a search; Numba is slow to load, so this is done where they are."""
    from quinconce import engine

    whole = replay_question(question)
    match = Match(whole.game, whole.start)
    found = PlainValues([], [], {})
    for ply, text in enumerate((*question.moves, None)):
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
    return found


def as_plain_value(value: Any) -> PlainValue | None:
    """A value as plain data."""
    return None if value is None else tuple(value)
