"""What can be refused, and the one shape in which every refusal is told: {error, code, …}."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException

from quinconce.core.errors import MoveError
from quinconce.core.phrase import Phrase as _
from quinconce.server.language import voice_of

LOG: Final = logging.getLogger("quinconce.server")

# What the framework refuses by itself, in our words.
STATUSES: Final = {
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
GONE: Final = "client disconnected prematurely"  # which the framework takes for its own fault
LONGEST: Final = 300  # characters of a detail that the framework gives


class RefusalError(Exception):
    """A request that is refused, with its status, a code for programs and a phrase for people."""

    def __init__(
        self, status: int, code: str, why: _ | None = None, wait: float = 0, **more: Any
    ) -> None:
        self.status = status
        self.code = code
        self.why = why or STATUSES[status][1]
        self.wait = wait  # seconds
        self.more = more
        super().__init__(self.why)


def told(request: Request[Any, Any, Any], fault: Exception) -> Response[dict[str, Any]]:
    """The answer to a request that failed; what is our own fault is logged, never shown."""
    say = voice_of(request)
    headers = {"Cache-Control": "no-store"}
    match fault:
        case RefusalError():
            status, code, why, more = fault.status, fault.code, fault.why, fault.more
            if fault.wait:
                headers["Retry-After"] = str(int(fault.wait) + 1)
        case MoveError():
            status, code, why = 422, "move", fault.why
            more = {"position": fault.position}
        case ValueError() if fault.args and isinstance(fault.args[0], _):
            status, code, why, more = 422, "refused", fault.args[0], {}
        case HTTPException():
            status = 400 if fault.detail == GONE else fault.status_code
            if status >= 500 and status not in STATUSES:
                return broken(request, fault)
            code, why = STATUSES.get(status, STATUSES[400])
            headers |= {k: v for k, v in (fault.headers or {}).items() if k.lower() == "allow"}
            more = {"detail": detail_of(fault)[:LONGEST]} if status == 400 else {}
        case _other:
            return broken(request, fault)
    body = {"error": say(why), "code": code, **more}
    return Response(body, status_code=status, headers=headers, media_type="application/json")


def detail_of(fault: HTTPException) -> str:
    """What exactly was not understood, as far as the framework knows it."""
    found = fault.extra if isinstance(fault.extra, list) else []
    parts = [f"{part.get('key', '')}: {part['message']}" for part in found if "message" in part]
    return "; ".join(parts) or fault.detail


def broken(request: Request[Any, Any, Any], fault: Exception) -> Response[dict[str, Any]]:
    """Something went wrong in the house."""
    LOG.error("%s %r failed", request.method, request.url.path, exc_info=fault)
    why = _("something went wrong in the house; it has been written down")
    body = {"error": voice_of(request)(why), "code": "broken"}
    return Response(body, status_code=500, media_type="application/json")
