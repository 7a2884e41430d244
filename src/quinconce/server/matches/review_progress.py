"""The review of a match as it is stored, how far it is, and where it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from quinconce.core.match import MatchData

LEASE_PREFIX: Final = "review "  # of the name of the lease of the server that makes a review

ReviewState = Literal["open", "done", "failed"]


class NewReview(NamedTuple):
    """A review to be made: of one line of moves, by one version of the engine."""

    match: str
    line: str  # a digest of the game and its moves
    engine: str
    positions: int  # that are to be looked at


class ReviewRow(NamedTuple):
    """A review as it is stored."""

    match: str
    line: str
    engine: str
    positions: int
    state: ReviewState


class StoredReview(NamedTuple):
    """A review, and what has been found at its positions so far, by ply and as JSON."""

    row: ReviewRow
    reports: Mapping[int, str]


class ReviewProgress(NamedTuple):
    """How far a review is."""

    done: int  # positions
    of: int
    state: ReviewState


class ReviewStorage(Protocol):
    """Where reviews are kept."""

    async def review(self, match: str) -> StoredReview | None:
        """The review of a match with all that has been found, if there is one."""

    async def begin(self, new: NewReview, at: float, most: int) -> StoredReview:
        """The review of a match, begun if there is none of this line by this version."""

    async def add_report(self, row: ReviewRow, ply: int, report: str, at: float) -> int | None:
        """Store what was found at a position; how many are stored then, or None if unwanted."""

    async def fail(self, row: ReviewRow, done: int, at: float) -> None:
        """Give a review up, until somebody asks for it again."""

    async def drop(self, match: str) -> None:
        """Delete a review: its match has gone on."""

    async def open_reviews(self, now: float) -> Sequence[str]:
        """The matches whose review is under way, and that no server makes."""


def lease_name(match: str) -> str:
    """The name of the lease of the server that makes the review of a match."""
    return LEASE_PREFIX + match


def line_digest(data: MatchData) -> str:
    """Tells two lines of moves apart: a match may be taken back after its end, and go on."""
    return hashlib.sha256(repr(data).encode()).hexdigest()
