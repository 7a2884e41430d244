"""What the tests of the server share: a server with its own clock, and people who play there."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import fake_engines
import fake_reviewers
from litestar import Litestar
from litestar.testing import AsyncTestClient
from postgresql_server import database_for
from waiting import until_true

from quinconce.server.app import empty_application
from quinconce.server.services import Services
from quinconce.server.settings import ServerLimits, Settings

TEST_HOST = "testserver.local"
TWO_FRIENDS = [{"kind": "friend"}, {"kind": "friend"}]
Body = dict[str, Any]
# Those that no test uses, by the longest body: making one costs more than most tests do.
IDLE_APPLICATIONS: defaultdict[int, list[Litestar]] = defaultdict(list)


class FakeClock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class ApiUser:
    """Somebody who asks: with a token, or with the cookies of a browser of their own."""

    def __init__(self, client: Any, token: str | None = None) -> None:
        self.client = client
        self.token = token
        self.cookies: dict[str, str] = {}
        self.csrf: str | None = None

    def headers(self, more: dict[str, str] | None = None) -> dict[str, str]:
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        if self.csrf:
            headers["X-CSRF-Token"] = self.csrf
        return headers | (more or {})

    async def request(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        self.client.cookies.clear()
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await self.client.request(
            method, path, headers=self.headers(more), **({} if body is None else {"json": body})
        )
        self.cookies |= dict(answer.cookies)
        json = answer.headers.get("content-type", "").startswith("application/json")
        if json and method != "HEAD":
            view = answer.json()
            if isinstance(view, dict) and view.get("csrf"):
                self.csrf = view["csrf"]
        return answer

    async def get(self, path: str, **headers: str) -> Any:
        return await self.request("GET", path, **headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return await self.request("POST", path, {} if body is None else body, **headers)


class MatchDriver:
    """A match with one visitor a seat, who keep up with it unless they say otherwise."""

    def __init__(self, client: Any, made: Body, tokens: Sequence[str | None]) -> None:
        self.id: str = made["id"]
        self.created = made
        self.path = f"/api/matches/{self.id}"
        self.people = [ApiUser(client, token) for token in tokens]
        self.watcher = ApiUser(client)

    async def view(self, seat: int | None = None) -> Body:
        answer = await (self.watcher if seat is None else self.people[seat]).get(self.path)
        assert answer.status_code == 200, answer.text
        view: Body = answer.json()
        return view

    async def view_when(self, holds: Callable[[Body], object], seat: int | None = None) -> Body:
        """The view, once something holds of it."""

        async def look() -> Body | None:
            view = await self.view(seat)
            return view if holds(view) else None

        view: Body = await until_true(look)
        return view

    async def view_after(self, moves: int, seat: int | None = None) -> Body:
        """The view, once there are so many moves."""
        return await self.view_when(lambda view: len(view["moves"]) >= moves, seat)

    async def send(self, who: int, what: str, *, seq: int | None = None, **body: Any) -> Any:
        if seq is None:
            seq = (await self.view())["seq"]
        return await self.people[who].post(f"{self.path}/{what}", {"seq": seq, **body})

    async def send_ok(self, who: int, what: str, **body: Any) -> Body:
        answer = await self.send(who, what, **body)
        assert answer.status_code == 200, answer.text
        done: Body = answer.json()
        return done

    async def play(self, moves: str) -> Body:
        """Moves one after the other, each by the seat whose turn it is."""
        view = await self.view()
        for move in moves.split():
            view = (await self.send_ok(view["scene"]["turn"], "moves", move=move, seq=view["seq"]))[
                "view"
            ]
        return view


def make_settings(folder: Path, **changes: Any) -> Settings:
    """The settings of a test; a clock that it sets counts intervals too, unless another does.

    The clock that counts intervals is the database's as well: whatever time this machine has, the
    database has the right one.
    """
    limits = ServerLimits(**changes.pop("limits", {}))
    if "now" in changes:
        changes.setdefault("monotonic", changes["now"])
        changes.setdefault("database_now", changes["monotonic"])
    if "database" not in changes:
        changes["database"] = database_for(folder)
    return Settings(
        allowed_hosts=frozenset([TEST_HOST, "localhost"]),
        limits=limits,
        **changes,
    )


class AppClient:
    """An open server and the way to it."""

    def __init__(self, client: Any, services: Services) -> None:
        self.client = client
        self.services = services
        self.visitor = ApiUser(client)

    def call_in_app(self, do: Callable[..., Any], *arguments: Any) -> Any:
        """Do something where the server runs."""
        return self.client.blocking_portal.call(do, *arguments)

    async def finish_turns(self) -> None:
        """Wait until everybody has heard of everything, and every engine has had its say."""
        live_matches, turns = self.services.live_matches, self.services.engine_turns
        await until_true(lambda: not (live_matches.unannounced or turns.tasks))

    async def create_match(self, game: str = "diam", **setup: Any) -> MatchDriver:
        """A match of friends, unless other seats are asked for, in the order given."""
        body = {"game": game, "seats": TWO_FRIENDS, "order": "given", **setup}
        answer = await self.visitor.post("/api/matches", body)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        links = [seat["link"] for seat in made["seats"]]
        match = MatchDriver(self.client, made, [link and link.split("#")[1] for link in links])
        for seat, link in enumerate(links):
            if link is None:  # a seat at the screen of whoever made the match
                match.people[seat] = self.visitor
        return match


@asynccontextmanager
async def open_app(
    folder: Path,
    chooser: Callable[..., str] | None = fake_engines.first_move,
    reviewer: Callable[..., str] = fake_reviewers.report_first_move_best,
    **changes: Any,
) -> AsyncIterator[AppClient]:
    """A server in this process, whose engine is a stand-in in a thread."""
    slicer = fake_reviewers.in_one_slice(reviewer)
    settings = make_settings(folder, **changes)
    idle = IDLE_APPLICATIONS[settings.limits.body_bytes]
    app = idle.pop() if idle else empty_application(settings.limits.body_bytes)
    app.state.services = Services(settings, chooser, ThreadPoolExecutor, slicer)
    async with AsyncTestClient(app, base_url=f"http://{TEST_HOST}") as client:
        yield AppClient(client, app.state.services)
    idle.append(app)


def stop_background(app: AppClient) -> None:
    """Nothing begins by itself from now on."""
    for task in app.services.background.tasks:
        task.cancel()


async def end_background(app: AppClient) -> None:
    """Nothing begins by itself from now on, and what had begun is finished."""
    stop_background(app)
    await asyncio.gather(*app.services.background.tasks, return_exceptions=True)
    await asyncio.gather(*app.services.database.pending, return_exceptions=True)
