"""Why something cannot be done in a match, beside what the rules refuse."""

from __future__ import annotations

from quinconce.core.phrase import _, ngettext
from quinconce.server.refusals import RefusalError


class MatchNotFoundError(RefusalError):
    """There is no match with this id, or no longer."""

    code = "match"
    default_phrase = _("there is no such match; perhaps it has expired")


class StaleError(RefusalError):
    """The match has gone on since the event that the sender knows."""

    code = "stale"
    default_phrase = _("the match has gone on: look at it again")

    def __init__(self, seq: int) -> None:
        super().__init__(seq=seq)


class NotYourTurnError(RefusalError):
    """Another seat is to move."""

    code = "turn"
    default_phrase = _("it is not your turn")


class TooLongError(RefusalError):
    """The match has as many moves or events as the settings allow."""

    code = "length"
    default_phrase = _("this match is as long as the server allows")


class PlayerPresentError(RefusalError):
    """The seat cannot be lent to the engine: its player is there, or was a moment ago."""

    code = "present"
    default_phrase = _("that player is here, or was a moment ago: wait a little")


class StorageError(RefusalError):
    """The database cannot be written: its disk is full, or gone, or may only be read."""

    code = "storage"
    default_phrase = _("the server cannot save now, so this was not taken: try again later")


class UnreachableError(RefusalError):
    """The database does not answer."""

    code = "unreachable"
    default_phrase = _("the server cannot reach its database: try again in a moment")


class HintsOffError(RefusalError):
    """People play against each other and have not all agreed to hints."""

    code = "hints"
    default_phrase = _("hints are off between people, unless all agree")


class TooManyHintsError(RefusalError):
    """The match has had as many hints as the settings allow."""

    code = "hints"

    def __init__(self, limit: int) -> None:
        super().__init__(
            ngettext(
                "this match has had {n} hint: enough", "this match has had {n} hints: enough", limit
            )
        )


class BusyError(RefusalError):
    """Too many questions wait for the engines."""

    code = "thinking"
    default_phrase = _("the engines are busy")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class EngineFailedError(RefusalError):
    """The engine has died or kept silent each time it was asked."""

    code = "engine"
    default_phrase = _("the engine does not answer")


class EnginesAwayError(RefusalError):
    """The cluster on which engines think is away."""

    code = "engine"
    default_phrase = _("the engine’s computers cannot be reached: try again later")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


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


class PicturesBusyError(RefusalError):
    """Too many pictures are being made."""

    code = "pictures"
    default_phrase = _("many pictures are being drawn: try again in a moment")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class PictureFailedError(RefusalError):
    """The worker that renders pictures dies again and again."""

    code = "pictures"
    default_phrase = _("the picture could not be drawn: try again later")


class TooManyAnalysesError(RefusalError):
    """As many analyses are under way as the settings allow, of one address or of all."""

    code = "analyses"
    default_phrase = _("too many analyses are under way: try again in a moment")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class FairPlayError(RefusalError):
    """People are at this game just now: nobody is told what an engine thinks of it."""

    code = "fair_play"
    default_phrase = _("people play this game just now: the engine stays off until it is over")
