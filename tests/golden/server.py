"""A server without a network, at a moment that stands still, on a database that is given."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from litestar import Litestar
from waiting import PATIENCE

from quinconce.server.app import application
from quinconce.server.matches.engine_jobs import EngineQuestion
from quinconce.server.settings import Settings

HOST = "testserver.local"
MADE = 1_000_000.0  # when the golden matches were made, in seconds since 1970


class Moment:
    """A clock that goes when it is set."""

    def __init__(self, now: float = MADE) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def first_move(question: EngineQuestion) -> str:
    """The first legal move, in the place of the engine's."""
    return min(question.match.match().legal())


class Server:
    """Answers requests."""

    def __init__(self, app: Litestar) -> None:
        self.app = app
        transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
        self.client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """The answer to a request without cookies but those in its headers."""
        self.client.cookies.clear()
        sent = {} if body is None else {"json": body}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await self.client.request(method, path, headers=named, **sent)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer

    async def get(self, path: str, **headers: str) -> Any:
        """What is there, data or text."""
        answer = await self.ask("GET", path, **headers)
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    async def follow(self, path: str, accept: str) -> str:
        """What a stream says until it tells who is present; after that it only waits."""
        chunks: list[bytes] = []
        enough = asyncio.Event()

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            chunks.append(message.get("body", b""))
            if b'"presence"' in chunks[-1]:
                enough.set()

        headers = {"host": HOST, "accept": accept}
        scope: Any = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": (HOST, 80),
        }
        listening = asyncio.create_task(self.app(scope, receive, send))
        await asyncio.wait_for(enough.wait(), PATIENCE)
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        return b"".join(chunks).decode()

    async def events(self, match: str) -> list[Any]:
        """Every event of a match, as a program is told it."""
        told = await self.follow(f"/api/matches/{match}/events", "application/x-ndjson")
        return [json.loads(line) for line in told.splitlines()[:-1]]


@asynccontextmanager
async def serve(database: Path, moment: Moment) -> AsyncIterator[Server]:
    """A server that is open while one asks; its engine plays the first legal move."""
    settings = Settings(
        database=f"sqlite:///{database}",
        allowed_hosts=frozenset([HOST]),
        now=moment,
        monotonic=moment,
        lend_after=60.0,
    )
    app = application(settings, first_move, ThreadPoolExecutor)
    async with app.lifespan():
        yield Server(app)
