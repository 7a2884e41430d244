"""The JSON body of a request: what cannot be read is refused, however it is broken."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.exceptions import ClientException


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body strangers wrote."""

    async def json(self) -> Any:
        """The body; ClientException if it is not UTF-8, or nested deeper than can be read."""
        try:
            return await super().json()
        except UnicodeDecodeError:
            raise ClientException("the body is not UTF-8") from None
        except RecursionError:
            raise ClientException("the body is nested too deep") from None
