"""The answer to every request that fails: its HTTP status, and one shape, {error, code, …}."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException

from quinconce.core.errors import MoveError, phrase_of
from quinconce.core.phrase import Phrase, _
from quinconce.server import refusals
from quinconce.server.language import negotiate_voice
from quinconce.server.refusals import RefusalError

LOG: Final = logging.getLogger("quinconce.server")

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
    refusals.StudyNotFoundError: 404,
    refusals.StudyChangedError: 409,
    refusals.StudyTooLargeError: 413,
    refusals.StudyShareError: 429,
    refusals.TooManyKeptError: 507,
    refusals.TagKeyError: 403,
}

# What the framework refuses by itself, in our words.
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
# The framework takes this for its own fault.
DISCONNECTED_DETAIL: Final = "client disconnected prematurely"
MAX_DETAIL_LENGTH: Final = 300  # characters of a detail that the framework gives


class RouteError(RefusalError):
    """A refusal by a route, which knows the status of its answer itself."""

    def __init__(self, status: int, code: str, phrase: Phrase | None = None) -> None:
        self.status = status
        self.code = code
        super().__init__(phrase)


def refusal_status(refusal: RefusalError) -> int:
    """The status of the answer to something that is refused."""
    return refusal.status if isinstance(refusal, RouteError) else STATUSES[type(refusal)]


def error_response(request: Request[Any, Any, Any], fault: Exception) -> Response[dict[str, Any]]:
    """The answer to a request that failed; what is our own fault is logged, never shown."""
    say = negotiate_voice(request)
    headers = {"Cache-Control": "no-store"}
    match fault:
        case RefusalError():
            status, code, more = refusal_status(fault), fault.code, fault.extra
            why = fault.phrase or STATUS_MESSAGES[status][1]
            if fault.retry_after:
                headers["Retry-After"] = str(int(fault.retry_after) + 1)
        case MoveError():
            status, code, why = 422, "move", fault.why
            more = {"position": fault.position}
        case ValueError() if phrase := phrase_of(fault):
            status, code, why, more = 422, "refused", phrase, {}
        case HTTPException():
            status = 400 if fault.detail == DISCONNECTED_DETAIL else fault.status_code
            if status >= 500 and status not in STATUS_MESSAGES:
                return internal_error_response(request, fault)
            code, why = STATUS_MESSAGES.get(status, STATUS_MESSAGES[400])
            headers |= allowed_methods(fault)
            more = {"detail": framework_detail(fault)[:MAX_DETAIL_LENGTH]} if status == 400 else {}
        case _other:
            return internal_error_response(request, fault)
    body = {"error": say(why), "code": code, **more}
    return Response(body, status_code=status, headers=headers, media_type="application/json")


def allowed_methods(fault: HTTPException) -> dict[str, str]:
    """The header that says which methods an address knows; HEAD goes wherever GET does."""
    found = {k.lower(): v for k, v in (fault.headers or {}).items()}
    return {"Allow": found["allow"].replace("GET", "GET, HEAD")} if "allow" in found else {}


def framework_detail(fault: HTTPException) -> str:
    """What exactly was not understood, as far as the framework knows it."""
    found = fault.extra if isinstance(fault.extra, list) else []
    parts = [f"{part.get('key', '')}: {part['message']}" for part in found if "message" in part]
    return "; ".join(parts) or fault.detail


def internal_error_response(
    request: Request[Any, Any, Any], fault: Exception
) -> Response[dict[str, Any]]:
    """The answer when the program itself failed."""
    LOG.error("%s %r failed", request.method, request.scope["path"], exc_info=fault)
    why = _("something went wrong on the server; it is in the log")
    body = {"error": negotiate_voice(request)(why), "code": "broken"}
    return Response(body, status_code=500, media_type="application/json")
