"""The stored reports of a review, joined: what a match was like, and what another move is worth."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quinconce.core.match import Match, MatchData
from quinconce.core.move_input import play_typed
from quinconce.server.matches.errors import ReviewMissingError
from quinconce.study.review import PlyReview, PositionReport, Review, join_reports


class OtherMove(NamedTuple):
    """Another move than the one that was played, with what is known of the positions before it."""

    match: Match[Any]  # up to that move
    reports: Sequence[PositionReport]
    played: str

    @property
    def data(self) -> MatchData:
        """The match as data, to be looked at."""
        return MatchData.of(self.match)


def read_reports(stored: Mapping[int, str]) -> list[PositionReport]:
    """The reports from the start of a match on, up to the first that is missing."""
    reports: list[PositionReport] = []
    while (text := stored.get(len(reports))) is not None:
        reports.append(read_report(text))
    return reports


def read_report(text: str) -> PositionReport:
    """A report as it is stored."""
    return PositionReport.from_json(json.loads(text))


def partial_review(match: Match[Any], stored: Mapping[int, str]) -> Review | None:
    """The review of as many moves as there are reports for, from the first; None without any."""
    reports = read_reports(stored)
    return join_reports(first_moves(match, len(reports) - 1), reports) if reports else None


def first_moves(match: Match[Any], plies: int) -> Match[Any]:
    """The first moves of a match; what was said beside the board is left out."""
    first = Match(match.game, match.start)
    for text in match.moves[:plies]:
        first.play(text)
    return first


def prepare_attempt(
    match: Match[Any], stored: Mapping[int, str], ply: int, typed: str
) -> OtherMove:
    """A move that somebody tries as number `ply`, counted from 1.

    ReviewMissingError if the review is not so far; MoveError if the rules refuse the move.
    """
    reports = read_reports(stored)
    if ply > len(match.moves) or ply >= len(reports):
        raise ReviewMissingError
    before = first_moves(match, ply - 1)
    play_typed(before, [typed])
    return OtherMove(before, reports[: ply + 1], match.moves[ply - 1])


def judge_known(attempt: OtherMove) -> PlyReview | None:
    """What a move is worth that needs no further look: the one played, or the best; else None."""
    match, move = attempt.match, attempt.match.moves[-1]
    played = first_moves(match, len(match.moves) - 1)
    played.play(attempt.played)
    judged = join_reports(played, attempt.reports).plies[-1]
    if move == attempt.played:
        return judged
    if move == judged.best:
        return dataclasses.replace(
            judged,
            move=move,
            score_after=judged.score_before,
            proven_after=judged.proven_before,
            judgement=None,
        )
    return None


def judge_other_move(attempt: OtherMove, after: str) -> PlyReview:
    """What a move is worth, by the report of the position after it."""
    reports = [*attempt.reports[:-1], read_report(after)]
    return join_reports(attempt.match, reports).plies[-1]
