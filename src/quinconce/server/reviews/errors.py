"""Why a match is not reviewed."""

from __future__ import annotations

from quinconce.core.phrase import _, ngettext
from quinconce.server.refusals import RefusalError


class NotOverError(RefusalError):
    """The match goes on: nobody is told yet what was good in it."""

    code = "running"
    default_phrase = _("a game is reviewed once it is over")


class NothingToReviewError(RefusalError):
    """No move has been played in the match."""

    code = "review"
    default_phrase = _("no move has been played in this game")


class ReviewTooLongError(RefusalError):
    """The match has more moves than a review may have."""

    code = "length"

    def __init__(self, limit: int) -> None:
        super().__init__(
            ngettext(
                "games of more than {n} move are not reviewed here",
                "games of more than {n} moves are not reviewed here",
                limit,
            )
        )


class ReviewQueueError(RefusalError):
    """As many reviews are under way as the settings allow."""

    code = "reviews"
    default_phrase = _("many games are being reviewed: try again in a minute")

    def __init__(self) -> None:
        super().__init__(retry_after=60)


class ReviewMissingError(RefusalError):
    """Nobody has had the match reviewed, or not far enough."""

    code = "review"
    default_phrase = _("this move has not been reviewed yet")
