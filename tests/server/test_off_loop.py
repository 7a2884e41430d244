"""What takes long is never done on the event loop, and what many see is made once."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, open_app
from many_moves import BEFORE_MANY, LEADS_TO_MANY, MANY, OPTIONS
from waiting import until_true

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.routes import games, pages
from quinconce.server.views import cards, match, position

anyio = pytest.mark.anyio
LONG = ["G2-G1", "B1-A1", "G1-G2", "A1-B1"]
SEEGA = {"game": "seega", "options": OPTIONS}


class ThreadWatch:
    """Notes in which threads the slow functions run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: dict[str, set[int]] = {}
        self.calls: Counter[str] = Counter()
        for owner, name in (
            (Game, "moves"),
            (Game, "after"),
            (Match, "legal"),
            (position, "picture_of"),
            (pages, "setup_forms"),
            (pages, "qr_svg"),
            (cards, "picture_of"),
        ):
            self.wrap(monkeypatch, owner, name)

    def wrap(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        do: Callable[..., Any] = getattr(owner, name)

        def watched(*arguments: Any, **named: Any) -> Any:
            self.threads.setdefault(name, set()).add(threading.get_ident())
            self.calls[name] += 1
            return do(*arguments, **named)

        monkeypatch.setattr(owner, name, watched)


async def ask_the_worst(app: AppClient) -> None:
    """Requests that make the server work."""
    match = await app.create_match("seega", options=OPTIONS, position=BEFORE_MANY)
    await match.send_ok(1, "moves", move=LEADS_TO_MANY)
    record = (await match.watcher.get(f"{match.path}/record")).text
    for path, body in (
        ("/api/explore", {**SEEGA, "position": MANY}),
        ("/api/explore", {**SEEGA, "position": BEFORE_MANY, "moves": [LEADS_TO_MANY]}),
        ("/api/explore", SEEGA),
        ("/api/explore", {"game": "buts", "moves": LONG}),
        ("/api/explore", {"record": record}),
        ("/api/truths", {"record": record}),
        ("/api/matches", {**SEEGA, "position": MANY, "seats": [{"kind": "friend"}] * 2}),
        ("/api/qr", {"text": "http://localhost/"}),
    ):
        assert (await app.visitor.post(path, body)).status_code in (200, 422)
    for path in (
        f"/match/{match.id}",
        f"/match/{match.id}/print",
        f"{match.path}/plies/0",
        f"/game/seega?size=9&position={MANY.replace(' ', '+').replace('=', '%3D')}",
        "/game/seega",
        "/",
    ):
        assert (await app.visitor.get(path)).status_code in (200, 422)


@anyio
@pytest.mark.slow
async def test_nothing_slow_is_done_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards.cards.cache_clear()
    async with open_app(tmp_path) as app:
        loop_thread = app.call_in_app(threading.get_ident)
        watch = ThreadWatch(monkeypatch)
        await ask_the_worst(app)
        assert {"moves", "after", "legal", "picture_of", "setup_forms", "qr_svg"} <= set(
            watch.threads
        )
        for name, threads in watch.threads.items():
            assert loop_thread not in threads, name
            assert len(threads) <= 5, name  # players, pages, short and long work, and engines


@anyio
async def test_a_crowd_is_shown_one_drawing_in_each_language_and_from_each_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    draw = position.position_view

    def draw_and_count(*arguments: Any, **named: Any) -> Any:
        drawn.append("scene")
        return draw(*arguments, **named)

    async with open_app(tmp_path) as app:
        driver = await app.create_match()
        monkeypatch.setattr(match, "position_view", draw_and_count)
        await driver.send_ok(0, "moves", move="r@1")
        drawn.clear()
        views = [(await driver.watcher.get(driver.path)).json() for _watcher in range(20)]
        assert len(drawn) <= 1  # the mover may have seen the same
        assert {view["scene"]["svg"] for view in views} == {views[0]["scene"]["svg"]}
        for path in ("?lang=fr", "?flip=1", "?lang=fr&flip=1"):
            drawn.clear()
            for _watcher in range(5):
                await driver.watcher.get(driver.path + path)
            assert drawn == ["scene"], path
        await driver.send_ok(1, "seat", name="Zoë")  # an event later it is another
        drawn.clear()
        seats = (await driver.view())["seats"]
        assert (seats[1]["name"], drawn) == ("Zoë", ["scene"])


def waiters(lock: asyncio.Lock) -> int:
    return len(lock._waiters or ())


@anyio
async def test_who_waits_for_a_match_together_reads_its_events_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        driver = await app.create_match()
        await driver.play("r@1")
        live_matches = app.services.live_matches
        reads: list[str] = []
        events = live_matches.store.events

        async def read_and_count(match: str, after: int) -> Any:
            reads.append(match)
            return await events(match, after)

        async def come() -> None:
            async with live_matches.locked(driver.id):
                pass

        async def crowd() -> None:
            async with live_matches.locked(driver.id) as live:
                reads.clear()
                live.state = OnlineMatch(live.row.setup)
                waiting = [asyncio.create_task(come()) for _person in range(20)]
                await until_true(lambda: waiters(live.lock) == 20)
            await asyncio.gather(*waiting)
            assert len(reads) == 1
            await come()
            assert len(reads) == 1  # who comes later finds them in memory

        monkeypatch.setattr(live_matches.store, "events", read_and_count)
        app.call_in_app(crowd)


@anyio
async def test_of_many_matches_of_a_browser_only_those_on_show_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path, limits={"matches_per_hour": 10**6}) as app:
        made = [await app.create_match(seats=[{"kind": "me"}, {"kind": "here"}]) for _ in range(40)]
        await made[3].send_ok(0, "moves", move="r@1")
        fetch_all, rows = app.services.store.fetch_all, Counter[str]()

        async def fetch_and_count(query: Any) -> Any:
            found = await fetch_all(query)
            rows["most"] = max(rows["most"], len(found))
            return found

        monkeypatch.setattr(app.services.store, "fetch_all", fetch_and_count)
        monkeypatch.setattr(games, "MAX_OWN_MATCHES", 10)
        own = (await app.visitor.get("/api/me")).json()["matches"]
        assert [match["id"] for match in own][:2] == [made[3].id, made[39].id]
        assert [match["seats"] for match in own] == [[0, 1]] * 10
        assert rows["most"] <= 20  # ten matches, twenty seats
