"""The answer to every request that fails: its HTTP status, and one shape, {error, code, …}."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException

from quinconce.core.errors import MoveError, phrase_of
from quinconce.core.phrase import Phrase, _
from quinconce.server.clubs.tags import TagKeyError
from quinconce.server.engines import errors as engines
from quinconce.server.engines.fair_play import FairPlayError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches import errors as matches
from quinconce.server.refusals import RefusalError
from quinconce.server.reviews import errors as reviews
from quinconce.server.security import errors as security
from quinconce.server.studies import errors as studies
from quinconce.server.views.picture_pool import PictureFailedError, PicturesBusyError

LOG: Final = logging.getLogger("quinconce.server")

STATUSES: Final[dict[type[RefusalError], int]] = {
    matches.MatchNotFoundError: 404,
    matches.StaleError: 409,
    matches.NotYourTurnError: 409,
    matches.PlayerPresentError: 409,
    matches.TooLongError: 413,
    matches.StorageError: 507,
    matches.UnreachableError: 503,
    engines.HintsOffError: 403,
    engines.TooManyHintsError: 429,
    engines.BusyError: 429,
    engines.EngineFailedError: 503,
    engines.EnginesAwayError: 503,
    engines.TooManyAnalysesError: 429,
    FairPlayError: 403,
    reviews.NotOverError: 422,
    reviews.NothingToReviewError: 422,
    reviews.ReviewTooLongError: 413,
    reviews.ReviewQueueError: 429,
    reviews.ReviewMissingError: 404,
    PicturesBusyError: 429,
    PictureFailedError: 503,
    security.UnknownHostError: 421,
    security.ForeignOriginError: 403,
    security.CsrfError: 403,
    security.TokenError: 401,
    security.WrongLinkError: 403,
    security.NotYourSeatError: 403,
    security.TooManyRequestsError: 429,
    security.TooManyMatchesError: 429,
    security.BatchTooLargeError: 413,
    security.TooManyStudiesError: 429,
    security.TooManySecretsError: 429,
    security.TooManyStreamsError: 429,
    security.StoppingError: 503,
    studies.StudyNotFoundError: 404,
    studies.StudyChangedError: 409,
    studies.StudyTooLargeError: 413,
    studies.TooManyKeptError: 507,
    TagKeyError: 403,
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
DISCONNECTED_DETAIL: Final = (
    "client disconnected prematurely"  # which the framework takes for its own fault
)
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
