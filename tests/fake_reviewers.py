"""Stand-ins for the engine that reviews positions."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from fake_engines import Gate

from quinconce.core.match import MatchData
from quinconce.study.review import PositionReport


def report_first_move_best(data: MatchData) -> str:
    """A report of a reviewer to whom the first legal move is best, and any other costs 0.3."""
    match = data._replace(moves=()).match()
    sides = len(match.game.sides)
    scores = [1 / sides] * sides
    for text in data.moves:
        side = match.game.side(match.seat)
        if text != min(match.legal()):
            given = min(0.3, scores[side])
            scores = [score + given / (sides - 1) for score in scores]
            scores[side] -= given + given / (sides - 1)
        match.play(text)
    best = min(match.legal(), default=None)
    report = PositionReport(tuple(scores), best, (best,) if best else ())
    return json.dumps(report.json())


def in_one_slice(report: Callable[[MatchData], str]) -> Callable[[str, MatchData], str]:
    """A stand-in that needs one slice for the report of a position."""
    return partial(whole_report, report)


def whole_report(report: Callable[[MatchData], str], _session: str, match: MatchData) -> str:
    return report(match)


class PausingReviewer:
    """A reviewer that notes what it is asked, and waits before some positions until it may go."""

    def __init__(self, stop_before: int = 1000) -> None:
        self.plies: list[int] = []
        self.stop_before = stop_before
        self.gate = Gate()

    def __call__(self, data: MatchData) -> str:
        if len(data.moves) >= self.stop_before:
            self.gate.wait()
        self.plies.append(len(data.moves))
        return report_first_move_best(data)
