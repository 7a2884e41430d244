"""Programs that play on a server: `Client` for plain programs, `AsyncClient` for `await`.

It needs the extra `client`: pip install 'quinconce[client]'.
"""

from __future__ import annotations

try:
    import httpx  # noqa: F401
except ImportError as error:
    raise ImportError("quinconce.client needs httpx: pip install 'quinconce[client]'") from error

from quinconce.bridges.bot import play_seat
from quinconce.bridges.client import AsyncClient, AsyncRemoteMatch, NewMatch
from quinconce.bridges.plain_client import Client, RemoteMatch
from quinconce.bridges.requests import NoAnswerError, RefusedError

__all__ = [
    "AsyncClient",
    "AsyncRemoteMatch",
    "Client",
    "NewMatch",
    "NoAnswerError",
    "RefusedError",
    "RemoteMatch",
    "play_seat",
]
