"""The answer to a request that failed: for programs, and as a page that tells people why."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Response
from litestar.exceptions import HTTPException

from quinconce.core.phrase import _
from quinconce.server.answers.pages import fault_page, fault_reason
from quinconce.server.errors import STATUS_MESSAGES, Fault, fault_of, status_fault
from quinconce.server.language import negotiate_voice
from quinconce.server.routes.common import AnyRequest, embed_response, page_response
from quinconce.server.security.middleware import EMBED_PATH

LOG: Final = logging.getLogger("quinconce.server")
# The framework takes this for its own fault.
DISCONNECTED_DETAIL: Final = "client disconnected prematurely"
DEFECT: Final = Fault(500, "broken", _("something went wrong on the server; it is in the log"))


def error_page(request: AnyRequest, error: Exception) -> Response[Any]:
    """The answer to a request that failed: a page for somebody who looks, else as programs want."""
    fault, headers = find_fault(request, error)
    path, say = request.scope["path"], negotiate_voice(request)
    if path.startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        body, status = fault.body(say), fault.status
        return Response(body, status_code=status, headers=headers, media_type="application/json")
    if path.startswith(EMBED_PATH):
        why = fault_reason(fault, say)
        return embed_response(request, "embed_fault.html", fault.status, why=why)
    return page_response(request, fault_page(fault, say), fault.status)


def find_fault(request: AnyRequest, error: Exception) -> tuple[Fault, dict[str, str]]:
    """What is told of an error, with which headers; our own fault is logged, never shown."""
    headers = {"Cache-Control": "no-store"}
    fault = fault_of(error)
    if fault is None and isinstance(error, HTTPException):
        status = 400 if error.detail == DISCONNECTED_DETAIL else error.status_code
        if status < 500 or status in STATUS_MESSAGES:
            return status_fault(status, framework_detail(error)), headers | allowed_methods(error)
    if fault is None:
        LOG.error("%s %r failed", request.method, request.scope["path"], exc_info=error)
        return DEFECT, {}
    if fault.retry_after:
        headers["Retry-After"] = str(int(fault.retry_after) + 1)
    return fault, headers


def allowed_methods(fault: HTTPException) -> dict[str, str]:
    """The header that says which methods an address knows; HEAD goes wherever GET does."""
    found = {k.lower(): v for k, v in (fault.headers or {}).items()}
    return {"Allow": found["allow"].replace("GET", "GET, HEAD")} if "allow" in found else {}


def framework_detail(fault: HTTPException) -> str:
    """What exactly was not understood, as far as the framework knows it."""
    found = fault.extra if isinstance(fault.extra, list) else []
    parts = [f"{part.get('key', '')}: {part['message']}" for part in found if "message" in part]
    return "; ".join(parts) or fault.detail
