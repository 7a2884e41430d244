"""The answer to every refusal: its HTTP status, and one shape, {error, code, …}."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from quinconce.core.errors import MoveError, phrase_of
from quinconce.core.phrase import Phrase, _
from quinconce.server import refusals
from quinconce.server.refusals import RefusalError
from quinconce.words import Voice

STATUSES: Final[dict[type[RefusalError], int]] = {
    refusals.MatchNotFoundError: 404,
    refusals.StaleError: 409,
    refusals.NotYourTurnError: 409,
    refusals.PlayerPresentError: 409,
    refusals.SeatTakenError: 409,
    refusals.TooLongError: 413,
    refusals.StorageError: 507,
    refusals.UnreachableError: 503,
    refusals.DatabaseBusyError: 503,
    refusals.HintsOffError: 403,
    refusals.TooManyHintsError: 429,
    refusals.BusyError: 429,
    refusals.EngineFailedError: 503,
    refusals.EnginesAwayError: 503,
    refusals.TooManyAnalysesError: 429,
    refusals.FairPlayError: 403,
    refusals.NotOverError: 422,
    refusals.NothingToReviewError: 422,
    refusals.ReviewTooLongError: 413,
    refusals.ReviewQueueError: 429,
    refusals.AddressReviewsError: 429,
    refusals.ReviewMissingError: 404,
    refusals.PicturesBusyError: 429,
    refusals.PictureFailedError: 503,
    refusals.QueueFullError: 429,
    refusals.AskerGoneError: 400,
    refusals.UnknownHostError: 421,
    refusals.ForeignOriginError: 403,
    refusals.CsrfError: 403,
    refusals.TokenError: 401,
    refusals.WrongLinkError: 403,
    refusals.NotYourSeatError: 403,
    refusals.TooManyRequestsError: 429,
    refusals.TooManyMatchesError: 429,
    refusals.BatchTooLargeError: 413,
    refusals.TooManyStudiesError: 429,
    refusals.TooManySecretsError: 429,
    refusals.TooManyStreamsError: 429,
    refusals.StoppingError: 503,
    refusals.NeedsServerError: 403,
    refusals.StudyNotFoundError: 404,
    refusals.StudyChangedError: 409,
    refusals.StudyTooLargeError: 413,
    refusals.StudyShareError: 429,
    refusals.TooManyKeptError: 507,
    refusals.TagKeyError: 403,
}

# What is refused before any answer is looked for, in our words.
STATUS_MESSAGES: Final = {
    400: ("malformed", _("this request cannot be understood")),
    401: ("unknown", _("you have not said who you are")),
    403: ("forbidden", _("this is not allowed")),
    404: ("missing", _("there is nothing here")),
    405: ("method", _("this address does not know that method")),
    413: ("large", _("this is too large")),
    415: ("type", _("send JSON")),
    429: ("many", _("too many requests: wait a little")),
    503: ("busy", _("the server is too busy: try again in a moment")),
}
MAX_DETAIL_LENGTH: Final = 300  # characters of what exactly was not understood


class RouteError(RefusalError):
    """A refusal by a route, which knows the status of its answer itself."""

    def __init__(self, status: int, code: str, phrase: Phrase | None = None) -> None:
        self.status = status
        self.code = code
        super().__init__(phrase)


def refusal_status(refusal: RefusalError) -> int:
    """The status of the answer to something that is refused."""
    return refusal.status if isinstance(refusal, RouteError) else STATUSES[type(refusal)]


class Fault(NamedTuple):
    """Why a request failed, as it is told."""

    status: int
    code: str
    why: Phrase
    more: dict[str, Any] = {}
    retry_after: float = 0  # seconds

    def body(self, say: Voice) -> dict[str, Any]:
        """The one shape of errors."""
        return {"error": say(self.why), "code": self.code, **self.more}


def fault_of(error: Exception) -> Fault | None:
    """What is told of an error; None for a defect of the program."""
    match error:
        case RefusalError():
            status = refusal_status(error)
            why = error.phrase or STATUS_MESSAGES[status][1]
            return Fault(status, error.code, why, error.extra, error.retry_after)
        case MoveError():
            return Fault(422, "move", error.why, {"position": error.position})
        case ValueError() if phrase := phrase_of(error):
            return Fault(422, "refused", phrase)
    return None


def status_fault(status: int, detail: str = "") -> Fault:
    """What is told of a request that is refused before any answer is looked for."""
    code, why = STATUS_MESSAGES.get(status, STATUS_MESSAGES[400])
    more = {"detail": detail[:MAX_DETAIL_LENGTH]} if status == 400 else {}
    return Fault(status, code, why, more)
