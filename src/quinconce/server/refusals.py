"""Every refusal of the server, without HTTP: why somebody does not get what they ask for."""

from __future__ import annotations

from typing import Any, ClassVar

from quinconce.core.phrase import Phrase, _, ngettext


class RefusalError(Exception):
    """A refusal, with a code for programs and a phrase for people.

    Its class decides the status of the answer, in `server/errors.py` alone. A refusal without a
    phrase is told in the words of its status.
    """

    code: str
    default_phrase: ClassVar[Phrase | None] = None

    def __init__(
        self, phrase: Phrase | None = None, *, retry_after: float = 0, **extra: Any
    ) -> None:
        self.phrase = phrase or self.default_phrase
        self.retry_after = retry_after  # seconds
        self.extra = extra  # what the answer says beside code and phrase
        super().__init__(self.phrase or self.code)


# Before or beside any match: who asks, from where, how often.


class UnknownHostError(RefusalError):
    """The request calls the server by a name that is not its own."""

    code = "host"
    default_phrase = _("this server does not go by that name")


class ForeignOriginError(RefusalError):
    """The request comes from a page of another site."""

    code = "origin"
    default_phrase = _("this came from another site")


class CsrfError(RefusalError):
    """The CSRF token is missing or wrong."""

    code = "csrf"
    default_phrase = _("the page is too old: load it again")


class TokenError(RefusalError):
    """The bearer token is malformed, or opens nothing."""

    code = "token"


class WrongLinkError(RefusalError):
    """The secret of a link opens no seat of its match."""

    code = "secret"
    default_phrase = _("this link opens no seat: perhaps there is a newer one")


class NotYourSeatError(RefusalError):
    """The seat belongs to somebody else."""

    code = "seat"
    default_phrase = _("this seat is not yours")


class TooManyRequestsError(RefusalError):
    """An address has sent more requests than it may."""

    code = "rate"


class TooManyMatchesError(RefusalError):
    """An address has made more matches than it may."""

    code = "matches"
    default_phrase = _("too many matches from one address: wait a little")


class BatchTooLargeError(RefusalError):
    """One request asks for more matches than it may."""

    code = "matches"

    def __init__(self, limit: int) -> None:
        super().__init__(
            ngettext(
                "at most {n} match can be made at once",
                "at most {n} matches can be made at once",
                limit,
            )
        )


class TooManyStudiesError(RefusalError):
    """An address has made more studies than it may."""

    code = "studies"
    default_phrase = _("too many studies from one address: wait a little")


class TooManySecretsError(RefusalError):
    """An address has sent too many secrets that open nothing."""

    code = "secrets"
    default_phrase = _("too many wrong links or tokens from one address: wait a little")


class TooManyStreamsError(RefusalError):
    """As many streams are open as may be."""

    code = "streams"
    default_phrase = _("too many streams are open: close one of them")


class StoppingError(RefusalError):
    """The server is about to stop, and begins nothing new."""

    code = "stopping"
    default_phrase = _("this server is about to stop: try again in a few seconds")


class NeedsServerError(RefusalError):
    """A device without a server is asked for something in which others take part."""

    code = "server"
    default_phrase = _("this needs a server: here you play on your own device")


# In a match, beside what the rules refuse.


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


class SeatTakenError(RefusalError):
    """Somebody else sits there already."""

    code = "taken"
    default_phrase = _("this seat has just been taken: choose another")


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


class DatabaseBusyError(StorageError, UnreachableError):
    """All connections to the database are in use, and none has become free in time."""

    code = "busy"
    default_phrase = _("the server is too busy: try again in a moment")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


# Engines, tables and proofs.


class FairPlayError(RefusalError):
    """People are at this game just now: nobody is told what an engine thinks of it."""

    code = "fair_play"
    default_phrase = _("people play this game just now: the engine stays off until it is over")


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


class TooManyAnalysesError(RefusalError):
    """As many analyses are under way as the settings allow, of one address or of all."""

    code = "analyses"
    default_phrase = _("too many analyses are under way: try again in a moment")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


# Reviews.


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


class AddressReviewsError(RefusalError):
    """As many reviews of an address are under way as may be."""

    code = "reviews"
    default_phrase = _("your other reviews have to be done first: try again in a minute")

    def __init__(self) -> None:
        super().__init__(retry_after=60)


class ReviewMissingError(RefusalError):
    """Nobody has had the match reviewed, or not far enough."""

    code = "review"
    default_phrase = _("this move has not been reviewed yet")


# Studies, tags and pictures.


class StudyNotFoundError(RefusalError):
    """There is no such study, or no such board in it."""

    code = "study"
    default_phrase = _("there is no such study: it was deleted, or nobody has opened it for a year")


class StudyChangedError(RefusalError):
    """Somebody else has changed the study since it was read."""

    code = "changed"
    default_phrase = _(
        "this study has been changed elsewhere since you opened it: load it again, or save yours"
        " as a new one"
    )

    def __init__(self, version: int) -> None:
        super().__init__(version=version)


class StudyTooLargeError(RefusalError):
    """A study with more boards or moves than it may have."""

    code = "large"

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(phrase)


class StudyShareError(RefusalError):
    """The server keeps as many studies from an address as it may."""

    code = "studies"
    default_phrase = _(
        "this server keeps as many studies from your address as it can: delete some, or download"
        " yours as a record"
    )

    def __init__(self) -> None:
        super().__init__(retry_after=86_400)  # a day after they were made, unused ones give way


class TooManyKeptError(RefusalError):
    """The server keeps as many studies as it may."""

    code = "full"
    default_phrase = _("this server keeps as many studies as it can: download yours as a record")


class TagKeyError(RefusalError):
    """The tag is somebody's, and its key was not sent."""

    code = "tag"
    default_phrase = _("this tag belongs to somebody: send its key as the token")


class PicturesBusyError(RefusalError):
    """Too many pictures are being made."""

    code = "pictures"
    default_phrase = _("many pictures are being drawn: try again in a moment")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class QueueFullError(RefusalError):
    """Too much slow work waits: of this address, or of all."""

    code = "busy"
    default_phrase = _("too much of yours is waiting here already: try again in a moment")


class AskerGoneError(RefusalError):
    """Somebody has left before the answer to their request was made."""

    code = "gone"


class PictureFailedError(RefusalError):
    """The worker that renders pictures dies again and again."""

    code = "pictures"
    default_phrase = _("the picture could not be drawn: try again later")
