"""Reviews and records: what a match was like, to read and to save."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from msgspec import Meta, Struct

from quinconce.core.match import Match
from quinconce.core.record import Record
from quinconce.engine.page_search import FoundLine
from quinconce.server.answers.analysis import MAX_SCORE, FoundLineBody
from quinconce.server.reviews.reports import StoredReview, partial_review
from quinconce.server.security.auth import Access
from quinconce.study.lookahead import SEEN_PLIES
from quinconce.study.page_report import PageFindings
from quinconce.study.review import REPORT_LINES
from quinconce.study.review_record import reviewed_tree
from quinconce.words import Voice
from quinconce.words.review import accuracy_sentence
from quinconce.words.sentences import player_name


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Review a match; with `again` once more, if an older version of the engine has done so."""

    again: bool = False


class FoundPositionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What a page has found in a position by itself: the searches of `report` in `engine.json`."""

    depth: Annotated[int, Meta(ge=1, le=1000)]
    lines: Annotated[list[FoundLineBody], Meta(min_length=1, max_length=REPORT_LINES)]
    # The scores of searches of 1, 2, … plies.
    seen: Annotated[
        list[Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]],
        Meta(min_length=1, max_length=SEEN_PLIES),
    ]

    @property
    def findings(self) -> PageFindings:
        """The same for the review."""
        lines = tuple(FoundLine(line.states, line.score, line.proved) for line in self.lines)
        return PageFindings(self.depth, lines, tuple(self.seen))


class AttemptRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Try another move than the one that was played as number `ply`, counted from 1.

    A page that has searched the position after it says what it found; the server searches it
    otherwise, and where proofs know more.
    """

    ply: Annotated[int, Meta(ge=1, le=100_000)]
    move: Annotated[str, Meta(min_length=1, max_length=400)]
    found: FoundPositionBody | None = None


def may_start(asker: Access) -> bool:
    """Whether somebody may have a match reviewed."""
    return bool(asker.seats) or asker.maker


def annotate(sheet: Record, match: Match[Any], stored: StoredReview, say: Voice) -> Record:
    """A record with what has been found in a review so far."""
    found = partial_review(match, stored.reports)
    if found is None:
        return sheet
    tree = reviewed_tree(match, found, say)
    tree.root.note = " ".join(
        say(accuracy_sentence(player_name(match, seat, sheet.seats), share))
        for seat, share in enumerate(found.accuracy)
        if share is not None
    )
    return dataclasses.replace(sheet, variations=tree)


def attachment_header(sheet: Record, match: str, suffix: str) -> dict[str, str]:
    """The header by which a browser saves a record under a name."""
    name = f"{sheet.game.name}-{match}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}
