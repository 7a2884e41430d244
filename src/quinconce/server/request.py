"""A request as answers read it, whichever way it came: headers, cookies, query and path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class IncomingRequest(Protocol):
    """What is read of a request; names of headers are in lower case."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""

    @property
    def cookies(self) -> Mapping[str, str]:
        """The cookies, by name."""

    @property
    def query_params(self) -> Mapping[str, Any]:
        """What stands in the address after the question mark; of equal names, the last."""

    @property
    def scope(self) -> Any:
        """Its `method`, `path`, `scheme` and `query_string` among others, as ASGI has them."""


def wants_flipped(request: IncomingRequest) -> bool:
    """Whether somebody wants to see the board from its other side: `?flip=1`."""
    return request.query_params.get("flip") == "1"
