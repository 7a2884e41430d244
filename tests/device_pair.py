"""A device beside a server: both are asked the same, and their answers are compared."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import fake_engines
import fake_reviewers
from app_client import TEST_HOST, AppClient, FakeClock, open_app

from quinconce.device.app import Device, DeviceRequest, DeviceStore, MemoryStore

BASE = f"http://{TEST_HOST}"
Json = Any
# What is made by chance, and said only once: it is compared by being there.
SECRETS = {"key", "csrf", "secret", "edit_link"}
# What the framework of the server says of a malformed request, in its own words.
FRAMEWORK_WORDS = {"detail"}
CSRF = re.compile(r'<meta name="csrf" content="[0-9a-f]+">\n')


class DeviceClient:
    """Somebody who asks a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.cookie = ""

    async def ask(
        self, method: str, path: str, body: Json = None, /, **headers: str
    ) -> tuple[int, Any]:
        """The status, and the JSON or the text of the answer."""
        sent = body if isinstance(body, bytes) else b"" if body is None else encode(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = DeviceRequest(
            method, path, {"origin": BASE, "cookie": self.cookie, **named}, sent
        )
        answer = await self.device.answer(request)
        assert isinstance(answer.body, bytes), "a stream"
        self.cookie = answer.headers.get("set-cookie", self.cookie).split(";")[0]
        return answer.status, read_body(answer.headers.get("content-type", ""), answer.body)

    async def ok(self, method: str, path: str, body: Json = None) -> Any:
        status, answer = await self.ask(method, path, body)
        assert status in (200, 201), answer
        return answer

    async def create_match(self, game: str = "diam", **setup: Any) -> str:
        """A match of two at one screen, unless other seats are asked for."""
        seats = setup.pop("seats", [{"kind": "me"}, {"kind": "here"}])
        body = {"game": game, "seats": seats, "order": "given", **setup}
        made: str = (await self.ok("POST", "/api/matches", body))["id"]
        return made

    async def view(self, match: str) -> Json:
        return await self.ok("GET", f"/api/matches/{match}")

    async def act(self, match: str, what: str, **body: Any) -> tuple[int, Any]:
        """Do something in a match, knowing its last event."""
        seq = body.pop("seq", None)
        seq = (await self.view(match))["seq"] if seq is None else seq
        return await self.ask("POST", f"/api/matches/{match}/{what}", {"seq": seq, **body})

    async def play(self, match: str, moves: str) -> Json:
        for move in moves.split():
            status, answer = await self.act(match, "moves", move=move)
            assert status == 200, answer
        return await self.view(match)


@asynccontextmanager
async def open_device(
    store: DeviceStore | None = None,
    now: Callable[[], float] | None = None,
    chooser: Callable[..., str] | None = fake_engines.first_move,
) -> AsyncIterator[DeviceClient]:
    """A device whose engine and reviewer are stand-ins."""
    slicer = fake_reviewers.in_one_slice(fake_reviewers.report_first_move_best)
    device = Device(store or MemoryStore(), now or FakeClock(), chooser, slicer)
    await device.open()
    try:
        yield DeviceClient(device)
    finally:
        await device.close()


class Pair:
    """A server and a device; what is made on both has the server's name in questions."""

    def __init__(self, app: AppClient, device: DeviceClient, clock: FakeClock) -> None:
        self.app = app
        self.device = device
        self.clock = clock
        self.names: dict[str, str] = {}  # of the server -> of the device
        self.asked = 0

    async def ask(self, method: str, path: str, body: Json = None, /, **headers: str) -> Any:
        """What both answer, which has to be the same; with its status."""
        status, answer = await self.ask_server(method, path, body, **headers)
        own_path, own_body = self.translate(path), self.translate(body)
        found = await self.device.ask(method, own_path, own_body, **headers)
        self.note_names(answer, found[1])
        told = (found[0], self.normal(found[1]))
        difference = first_difference(told, (status, self.normal(answer)))
        assert difference is None, f"{method} {path} {body}: {difference}"
        self.asked += 1
        self.clock.now += 0.25  # so that no limit of the server is reached
        return status, answer

    async def ok(self, method: str, path: str, body: Json = None) -> Any:
        status, answer = await self.ask(method, path, body)
        assert status in (200, 201, 204), answer
        return answer

    async def ask_server(
        self, method: str, path: str, body: Json = None, /, **headers: str
    ) -> tuple[int, Any]:
        user = self.app.visitor
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else None if body is None else encode(body)
        if content is not None:
            named.setdefault("content-type", "application/json")
        user.client.cookies.clear()
        answer = await user.client.request(
            method, path, headers=user.headers(named), content=content, follow_redirects=False
        )
        user.cookies |= dict(answer.cookies)
        told = read_body(answer.headers.get("content-type", ""), answer.content)
        if isinstance(told, dict) and told.get("csrf"):
            user.csrf = told["csrf"]
        return answer.status_code, told

    def translate(self, value: Any) -> Any:
        """A question to the server as the device is asked it."""
        if isinstance(value, str):
            for name, own in self.names.items():
                value = value.replace(name, own)
            return value
        if isinstance(value, bytes):
            return self.translate(value.decode("latin-1")).encode("latin-1")
        return value if value is None else json.loads(self.translate(json.dumps(value)))

    def note_names(self, server: Any, device: Any) -> None:
        """Note what is called otherwise on the device."""
        if isinstance(server, dict) and isinstance(device, dict):
            for key in ("id", "rematch", "secret"):
                if isinstance(server.get(key), str) and isinstance(device.get(key), str):
                    self.names[server[key]] = device[key]
            for key in server.keys() & device.keys():
                self.note_names(server[key], device[key])

    def normal(self, answer: Any) -> Any:
        """An answer without what is made by chance."""
        if isinstance(answer, str):
            for name, own in self.names.items():
                answer = answer.replace(own, name)
            return CSRF.sub("", answer)
        if isinstance(answer, list):
            return [self.normal(each) for each in answer]
        if isinstance(answer, dict):
            return {
                key: type(value).__name__ if key in SECRETS else self.normal(value)
                for key, value in answer.items()
                if key not in FRAMEWORK_WORDS
            }
        return answer


def first_difference(device: Any, server: Any, where: str = "") -> str | None:
    """Where two answers differ first, in words."""
    if type(device) is type(server) and isinstance(device, dict | list | tuple):
        of = (
            (lambda each: each)
            if isinstance(device, dict)
            else (lambda each: dict(enumerate(each)))
        )
        ours, theirs = of(device), of(server)
        if ours.keys() == theirs.keys():
            pairs = ((ours[key], theirs[key], f"{where}/{key}") for key in ours)
            return next((found for each in pairs if (found := first_difference(*each))), None)
        return f"{where}: only one has {sorted(map(str, ours.keys() ^ theirs.keys()))}"
    if device == server:
        return None
    first, last = str(device), str(server)
    at = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    begin = max(0, at - 60)
    return f"{where}: {first[begin : at + 60]!r}, not {last[begin : at + 60]!r}"


def encode(body: Json) -> bytes:
    return json.dumps(body).encode()


def read_body(kind: str, body: bytes) -> Any:
    if kind.startswith("application/json") and body:
        return json.loads(body)
    return body.decode()


@asynccontextmanager
async def open_pair(folder: Path) -> AsyncIterator[Pair]:
    """A server and a device with the same clock, the same engine and the same reviewer."""
    clock = FakeClock()
    async with open_app(folder, now=clock) as app, open_device(now=clock) as device:
        yield Pair(app, device, clock)
