"""What takes long is never done on the event loop, and what many see is made once."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from app_client import AppClient, Body, MatchDriver, open_app
from many_moves import BEFORE_MANY, LEADS_TO_MANY, MANY, OPTIONS
from waiting import until_true

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.server import off_loop
from quinconce.server.answers import pages as page_answers
from quinconce.server.matches import live
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.routes import games, pages
from quinconce.server.routes.table import ROUTE_TABLE
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
            (page_answers, "setup_forms"),
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
    cards.edition_cards.cache_clear()
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


class TrackedLock(asyncio.Lock):
    """A lock that knows which task holds it."""

    holders: ClassVar[dict[asyncio.Lock, Any]] = {}

    async def acquire(self) -> Literal[True]:
        await super().acquire()
        self.holders[self] = asyncio.current_task()
        return True

    def release(self) -> None:
        self.holders.pop(self, None)
        super().release()


BODIES: dict[str, Body] = {
    "/api/matches/{match}/moves": {"seq": 4, "move": "r@1"},
    "/api/matches/{match}/agreements": {"seq": 5, "matter": "rematch"},
    "/api/matches/{match}/refusals": {"seq": 6, "matter": "rematch"},
    "/api/matches/{match}/seat": {"seq": 6, "name": "Zoë"},
    "/api/matches/{match}/review": {"again": False},
    "/api/matches/{match}/review/attempts": {"ply": 2, "move": "m@1"},
    "/api/analysis": {"game": "diam", "moves": ["r@1"]},
    "/api/variations": {"game": "diam", "nodes": [{"after": -1, "move": "r@1"}]},
    "/api/explore": {"game": "diam"},
    "/api/editor": {"game": "diam"},
    "/api/truths": {"game": "diam"},
}
PLACES = {"name": "diam", "ply": "1", "file": "diam.svg", "seat": "0", "board": "0", "tag": "club"}


async def ask_everything(app: AppClient, match: MatchDriver) -> list[str]:
    """Ask every route about a match, and pages and positions beside it; those that answered."""
    answered = []
    for route in ROUTE_TABLE:
        method, template = route.split()
        if method == "DELETE" or template.endswith(("/events", "/api/analysis")):
            continue  # a stream is open for as long as one listens
        path = template.format_map(defaultdict(lambda: "none", PLACES, match=match.id))
        person = match.people[0]
        if "review=" not in path and template.endswith(("/record", "/record.json")):
            path += "?review=1"
        body = BODIES.get(template, {}) if method != "GET" else None
        answer = await person.request(method, path, body)
        assert answer.status_code < 500 or template == "/api/ready", (route, answer.text)
        if answer.status_code < 300:
            answered.append(route)
    return answered


@anyio
async def test_no_slow_work_is_awaited_while_a_match_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: Counter[str] = Counter()
    run_in = off_loop.run_in

    async def run_unlocked(lane: off_loop.Lane, cost: float, do: Any) -> Any:
        held = [
            lock for lock, task in TrackedLock.holders.items() if task == asyncio.current_task()
        ]
        assert not held, do
        done["slow"] += 1
        return await run_in(lane, cost, do)

    make = live.LiveMatch.__init__

    def make_tracked(self: live.LiveMatch, *arguments: Any) -> None:
        make(self, *arguments)
        self.lock = TrackedLock()
        done["locks"] += 1

    monkeypatch.setattr(off_loop, "run_in", run_unlocked)
    monkeypatch.setattr(live.LiveMatch, "__init__", make_tracked)
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("o@1 n@2 r@3 m@4")
        await match.send_ok(0, "resignations")
        await match.people[0].post(f"{match.path}/review", {})
        await until_true(lambda: review_is_done(match))
        answered = await ask_everything(app, match)
    assert {
        "GET /match/{match}",
        "GET /match/{match}/print",
        "GET /api/matches/{match}/record",
        "GET /api/matches/{match}/review",
        "GET /api/matches/{match}/review/curve.svg",
        "POST /api/matches/{match}/review",
        "POST /api/matches/{match}/review/attempts",
        "GET /api/matches/{match}/moving.gif",
        "GET /api/matches/{match}/plies/{ply}",
        "GET /",
    } <= set(answered)
    assert done["slow"] > 20
    assert done["locks"]


async def review_is_done(match: MatchDriver) -> bool:
    answer = await match.watcher.get(f"{match.path}/review")
    return bool(answer.json()["state"] == "done")


@anyio
async def test_a_long_match_is_replayed_once_before_it_is_locked_and_others_come_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        for n in range(12):
            await match.send_ok(n % 2, "seat", name=f"name {n}", seq=n)
        monkeypatch.setattr(live, "QUICK_EVENTS", 4)
        sizes: list[int] = []
        locked: list[bool] = []
        after = OnlineMatch.after

        def replay_and_note(self: OnlineMatch, events: Any) -> OnlineMatch:
            sizes.append(len(events))
            locked.append(any(each.lock.locked() for each in live_matches.loaded.values()))
            return after(self, events)

        live_matches = app.services.live_matches

        async def come() -> int:
            async with live_matches.locked(match.id) as found:
                return found.state.seq

        async def crowd() -> list[int]:
            live_matches.loaded.clear()
            monkeypatch.setattr(OnlineMatch, "after", replay_and_note)
            return await asyncio.gather(*(come() for _person in range(5)))

        assert app.call_in_app(crowd) == [12] * 5
        assert sizes == [4, 4, 4]
        assert not any(locked)
