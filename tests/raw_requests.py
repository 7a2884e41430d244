"""A request as ASGI has it, from any address, whose sender may leave or stop to read."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from app_client import TEST_HOST


class RawRequest:
    """A request that is made where the server runs; the test says when its sender leaves."""

    def __init__(self, method: str, path: str, body: Any = None, address: str = "9.9.9.9") -> None:
        self.body = b"" if body is None else json.dumps(body).encode()
        self.left = asyncio.Event()
        self.reads: asyncio.Semaphore | None = None  # a permit for each message that is read
        self.status = 0
        self.headers: dict[str, str] = {}
        self.parts: list[bytes] = []
        path, _mark, query = path.partition("?")
        headers = {"host": TEST_HOST, "content-type": "application/json"}
        self.scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
            "client": (address, 1),
            "server": (TEST_HOST, 80),
        }
        self._sent = False

    async def receive(self) -> dict[str, Any]:
        if not self._sent:
            self._sent = True
            return {"type": "http.request", "body": self.body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode(): v.decode() for k, v in message["headers"]}
        else:
            self.parts.append(message.get("body", b""))
        if self.reads:
            await self.reads.acquire()

    async def run(self, app: Any) -> RawRequest:
        """Make the request, and return once it is answered."""
        await app(self.scope, self.receive, self.send)
        return self

    def json(self) -> Any:
        return json.loads(b"".join(self.parts))
