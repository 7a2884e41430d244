"""Our own application, asked in this process: what it answers is what the folder shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from litestar import Litestar

from quinconce.core.phrase import _
from quinconce.server.app import application
from quinconce.server.settings import ServerLimits, Settings

HOST: Final = "localhost"
UNLIMITED: Final = 1_000_000_000  # requests a minute: nobody else asks


class Asker:
    """Asks an application that is open."""

    def __init__(self, app: Litestar) -> None:
        self.app = app

    async def page(self, path: str, language: str) -> str:
        """A page in a language; ValueError if there is none at this path."""
        return await self.request("GET", path, language)

    async def request(self, method: str, path: str, language: str, body: str = "") -> str:
        """What the application answers; ValueError if it refuses."""
        received = bytearray()
        status = 0
        sent = asyncio.Event()

        async def receive() -> Any:
            if sent.is_set():
                await asyncio.Event().wait()  # whoever asks neither sends more nor leaves
            sent.set()
            return {"type": "http.request", "body": body.encode(), "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            received.extend(message.get("body", b""))

        await self.app(http_scope(method, path, language, len(body.encode())), receive, send)
        if not 200 <= status < 300:
            raise ValueError(_("{path}: the page could not be made", path=path))
        return received.decode()


def http_scope(method: str, path: str, language: str, size: int) -> Any:
    """A request as a server hands it to an application."""
    url = urlsplit(path)
    headers = {"host": HOST, "accept": "*/*", "accept-language": language}
    if size:
        headers |= {"content-type": "application/json", "content-length": str(size)}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": url.path,
        "raw_path": url.path.encode(),
        "query_string": url.query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": (HOST, 0),
        "server": (HOST, 80),
    }


@asynccontextmanager
async def open_application(folder: Path) -> AsyncIterator[Asker]:
    """The application with a database of its own in a folder, for as long as it is asked."""
    limits = ServerLimits(requests_per_minute=UNLIMITED, moves_per_minute=UNLIMITED)
    settings = Settings(database=f"sqlite:///{folder / 'matches.sqlite'}", limits=limits)
    app = application(settings, pool=ThreadPoolExecutor)
    async with app.lifespan():
        yield Asker(app)
