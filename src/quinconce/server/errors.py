"""What can be refused, and the one shape in which every refusal is told: {error, code, …}."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException

from quinconce.core.errors import MoveError
from quinconce.core.phrase import Phrase, _
from quinconce.server.language import negotiate_voice

LOG: Final = logging.getLogger("quinconce.server")

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
    503: ("busy", _("the house is too busy: try again in a moment")),
}
DISCONNECTED_DETAIL: Final = (
    "client disconnected prematurely"  # which the framework takes for its own fault
)
MAX_DETAIL_LENGTH: Final = 300  # characters of a detail that the framework gives


class RefusalError(Exception):
    """A request that is refused, with its status, a code for programs and a phrase for people."""

    def __init__(
        self, status: int, code: str, why: Phrase | None = None, wait: float = 0, **more: Any
    ) -> None:
        self.status = status
        self.code = code
        self.why = why or STATUS_MESSAGES[status][1]
        self.retry_after = wait  # seconds
        self.extra = more
        super().__init__(self.why)


def error_response(request: Request[Any, Any, Any], fault: Exception) -> Response[dict[str, Any]]:
    """The answer to a request that failed; what is our own fault is logged, never shown."""
    say = negotiate_voice(request)
    headers = {"Cache-Control": "no-store"}
    match fault:
        case RefusalError():
            status, code, why, more = fault.status, fault.code, fault.why, fault.extra
            if fault.retry_after:
                headers["Retry-After"] = str(int(fault.retry_after) + 1)
        case MoveError():
            status, code, why = 422, "move", fault.why
            more = {"position": fault.position}
        case ValueError() if fault.args and isinstance(fault.args[0], Phrase):
            status, code, why, more = 422, "refused", fault.args[0], {}
        case HTTPException():
            status = 400 if fault.detail == DISCONNECTED_DETAIL else fault.status_code
            if status >= 500 and status not in STATUS_MESSAGES:
                return internal_error_response(request, fault)
            code, why = STATUS_MESSAGES.get(status, STATUS_MESSAGES[400])
            headers |= {k: v for k, v in (fault.headers or {}).items() if k.lower() == "allow"}
            more = {"detail": framework_detail(fault)[:MAX_DETAIL_LENGTH]} if status == 400 else {}
        case _other:
            return internal_error_response(request, fault)
    body = {"error": say(why), "code": code, **more}
    return Response(body, status_code=status, headers=headers, media_type="application/json")


def framework_detail(fault: HTTPException) -> str:
    """What exactly was not understood, as far as the framework knows it."""
    found = fault.extra if isinstance(fault.extra, list) else []
    parts = [f"{part.get('key', '')}: {part['message']}" for part in found if "message" in part]
    return "; ".join(parts) or fault.detail


def internal_error_response(
    request: Request[Any, Any, Any], fault: Exception
) -> Response[dict[str, Any]]:
    """The answer when the program itself failed."""
    LOG.error("%s %r failed", request.method, request.url.path, exc_info=fault)
    why = _("something went wrong in the house; it has been written down")
    body = {"error": negotiate_voice(request)(why), "code": "broken"}
    return Response(body, status_code=500, media_type="application/json")
