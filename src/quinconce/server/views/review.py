"""What a page or a program is told of the review of a match."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Seat
from quinconce.server.reviews.reports import StoredReview, partial_review
from quinconce.server.views.position import touch_steps
from quinconce.study.review import PlyReview
from quinconce.study.review_record import review_curve
from quinconce.words import Voice
from quinconce.words.review import MARKS, Judgement, attempt_sentence, is_better, judgement_sentence

ResultName = Literal["win", "draw", "loss"]


class PlyView(Struct, frozen=True):
    """A move as the review sees it; scores from 0 to 1, for the player who made it."""

    ply: int
    seat: int
    move: str
    best: str | None
    line: list[str]  # how it might have gone on, from the best move
    score_before: float
    score_after: float
    proven_before: ResultName | None
    proven_after: ResultName | None
    judgement: Judgement | None
    only_move: bool
    missed_win: bool
    saved: bool
    punished_in: int | None  # plies after the move in which one sees that it was an error
    win_in: int | None  # the plies of a proved win that was near
    loses_in: int | None  # the plies after the move of a proved loss that is near
    went_by: ResultName | None  # what was proved and is no more, too far ahead to be an error
    mark: str | None  # ?!, ? or ??; none where something went by
    words: str
    touches: list[list[str]]  # of the move, as those of a legal move
    best_touches: list[list[str]]


class ReviewView(Struct, frozen=True):
    """The review of a match, as far as it is.

    `state` is `none` before anybody has asked for it, then `open`, at last `done` or `failed`.
    """

    state: Literal["none", "open", "done", "failed"]
    done: int  # moves
    of: int
    engine: str | None  # the version that makes it
    outdated: bool  # whether that is another version than this server's
    may_start: bool  # whether the reader may ask for it
    plies: list[PlyView]
    accuracy: list[float | None]  # by seat, from 0 to 100
    curve: list[list[float]]  # for each position, what each side may expect, from 0 to 1


class AttemptView(Struct, frozen=True):
    """What is said of a move that somebody would rather have played."""

    move: str
    good: bool
    words: str
    judgement: Judgement | None
    score_before: float
    score_after: float
    proven_before: ResultName | None
    proven_after: ResultName | None


def review_view(
    match: Match[Any], stored: StoredReview | None, say: Voice, may_start: bool, engine: str
) -> ReviewView:
    """The view of a review for somebody who may ask for it or not, by a version of the engine."""
    length = len(match.moves)
    if stored is None:
        return ReviewView("none", 0, length, None, False, may_start, [], [], [])
    found = partial_review(match, stored.reports)
    return ReviewView(
        stored.state,
        min(len(stored.reports), length),
        length,
        stored.engine,
        stored.engine != engine,
        may_start,
        [ply_view(match, ply, say) for ply in found.plies] if found else [],
        [None if one is None else round(one, 1) for one in found.accuracy] if found else [],
        [[round(score, 4) for score in scores] for scores in found.curve] if found else [],
    )


def curve_picture(
    match: Match[Any],
    stored: StoredReview,
    seats: tuple[Seat, ...],
    say: Voice,
    theme: str,
    side: int,
) -> str:
    """The curve of a review that is done, as SVG, as one side sees it."""
    if side >= len(match.game.sides):
        raise ValueError(_("this game has no such side"))
    found = partial_review(match, stored.reports)
    assert found
    return review_curve(match, found, seats, say, theme, side)


def ply_view(match: Match[Any], ply: PlyReview, say: Voice) -> PlyView:
    """One move."""
    fields = ply.json()
    fields.pop("proven")
    return PlyView(
        **fields,
        mark=MARKS.get(ply.judgement or ""),
        words=say(judgement_sentence(ply)),
        touches=touch_steps(match.game.touches(ply.move)),
        best_touches=touch_steps(match.game.touches(ply.best)) if ply.best else [],
    )


def attempt_view(judged: PlyReview, played: str, say: Voice) -> AttemptView:
    """What is said of a move that was tried."""
    return AttemptView(
        judged.move,
        is_better(judged, played),
        say(attempt_sentence(judged, played)),
        judged.judgement,
        round(judged.score_before, 4),
        round(judged.score_after, 4),
        judged.proven_before,
        judged.proven_after,
    )
