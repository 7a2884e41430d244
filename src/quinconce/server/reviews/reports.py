"""A review as it is stored, position by position, and what its reports say when they are joined."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from quinconce.core.match import Match, MatchData
from quinconce.core.move_input import play_typed
from quinconce.server.matches.protocols import ReviewProgress, ReviewState
from quinconce.server.refusals import ReviewMissingError
from quinconce.study.page_report import PageFindings, SearchedPosition, read_findings
from quinconce.study.review import PlyReview, PositionReport, Review, join_reports

LEASE_PREFIX: Final = "review "  # of the name of the lease of the server that makes a review


class StoredReview(NamedTuple):
    """A review of one line of moves by one version of the engine, with what has been found."""

    match: str
    line: str  # a digest of the game and its moves
    engine: str
    positions: int  # that are to be looked at
    state: ReviewState = "open"
    reports: Mapping[int, str] = {}  # by ply and as JSON

    @property
    def progress(self) -> ReviewProgress:
        """How far it is."""
        return ReviewProgress(len(self.reports), self.positions, self.state)

    def with_report(self, ply: int, report: str) -> StoredReview:
        """The same with what was found at one more position; done, if it was the last."""
        reports = {**self.reports, ply: report}
        return self._replace(
            reports=reports, state="done" if len(reports) >= self.positions else "open"
        )


class ReviewStorage(Protocol):
    """Reads and writes reviews; they are deleted with their matches."""

    async def review(self, match: str) -> StoredReview | None:
        """The review of a match with all that has been found, if there is one."""

    async def begin(self, new: StoredReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version.

        One that has failed goes on. ReviewQueueError if as many as may be are under way.
        """

    async def add_report(
        self, review: StoredReview, ply: int, report: str, at: float
    ) -> StoredReview | None:
        """Store what was found at a position; the last one ends the review.

        None, and nothing stored, if the review is no longer wanted.
        """

    async def fail(self, review: StoredReview, at: float) -> StoredReview:
        """Give a review up, until somebody asks for it again."""

    async def drop(self, match: str) -> None:
        """Delete a review: its match has gone on."""

    async def open_reviews(self, now: float) -> list[str]:
        """The matches whose review is under way, and that nobody makes; the oldest first."""


def lease_name(match: str) -> str:
    """The name of the lease of the server that makes the review of a match."""
    return LEASE_PREFIX + match


def line_digest(data: MatchData) -> str:
    """Tells two lines of moves apart: a match may be taken back after its end, and go on."""
    return hashlib.sha256(repr(data).encode()).hexdigest()


class OtherMove(NamedTuple):
    """Another move than the one that was played, with what is known of the positions before it."""

    match: Match[Any]  # up to that move
    reports: Sequence[PositionReport]
    played: str
    searched: SearchedPosition | None = None  # by the page where it was tried

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
    match: Match[Any],
    stored: Mapping[int, str],
    ply: int,
    typed: str,
    found: PageFindings | None = None,
) -> OtherMove:
    """A move that somebody tries as number `ply`, counted from 1, and what their page has found.

    ReviewMissingError if the review is not so far; MoveError if the rules refuse the move;
    ValueError if what was found is nonsense.
    """
    reports = read_reports(stored)
    if ply > len(match.moves) or ply >= len(reports):
        raise ReviewMissingError
    before = first_moves(match, ply - 1)
    play_typed(before, [typed])
    searched = read_findings(before, found) if found else None
    return OtherMove(before, reports[: ply + 1], match.moves[ply - 1], searched)


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
            punished_in=None,
            loses_in=None,
            went_by=None,
        )
    return None


def judge_other_move(attempt: OtherMove, after: str) -> PlyReview:
    """What a move is worth, by the report of the position after it."""
    reports = [*attempt.reports[:-1], read_report(after)]
    return join_reports(attempt.match, reports).plies[-1]
