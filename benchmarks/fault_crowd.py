"""Programs that play random games on several servers which die under them, and note all they hear.

They ask again, with the same number and elsewhere, for whatever was not answered; their streams are
taken up elsewhere too.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec

from benchmarks.crowd import NDJSON, HttpConnection
from benchmarks.forked_servers import ForkedServers
from quinconce import names
from quinconce.server.matches.clock import TimeControl
from quinconce.server.matches.events import AnyAct, Event
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.seats import SeatSetup
from quinconce.server.matches.setup import Setup

PATIENCE: Final = 120.0  # seconds after which what never comes is an error, for any machine
ANSWER_SECONDS: Final = 10.0  # after which one asks again
TRY_AGAIN_SECONDS: Final = 0.03
AWAY: Final = (503, 507)  # the server says itself that it cannot now
CLOCK_TOLERANCE: Final = 0.1  # seconds by which two servers may differ
LONGEST_THOUGHT: Final = 0.05  # seconds
LONGEST: Final = 24  # moves after which somebody resigns
Steps = Sequence[tuple[float, Callable[[], Coroutine[Any, Any, None]]]]
NO_ANSWER: Final = (OSError, EOFError, ValueError, IndexError, asyncio.TimeoutError)


class Receipt(NamedTuple):
    """An act that a server said it has stored."""

    match: str
    seq: int
    seat: int
    act: AnyAct


class Ledger:
    """What all programs were told, and what was wrong with it."""

    def __init__(self) -> None:
        self.receipts: set[Receipt] = set()
        self.matches: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        # Seconds until streams told what was acknowledged, and until an engine had moved.
        self.slowest = {"news": 0.0, "engine": 0.0}

    def fail(self, what: str) -> None:
        """Something is wrong."""
        self.failures.append(what)


class Crowd:
    """All tables, and how they reach the servers."""

    def __init__(self, servers: ForkedServers, chance: random.Random) -> None:
        self.servers = servers
        self.chance = chance
        self.ledger = Ledger()
        self.closing = False

    async def some_host(self) -> str:
        """A server that is up, or was a moment ago."""
        async with asyncio.timeout(PATIENCE):
            while not (hosts := self.servers.hosts_up()):
                await self.servers.any_up.wait()
        return self.chance.choice(hosts)

    async def two_hosts(self) -> list[str]:
        """Two different servers; the same twice if there is one only."""
        first = await self.some_host()
        others = [host for host in self.servers.hosts_up() if host != first]
        return [first, self.chance.choice(others) if others else first]

    async def run(self, tables: int, until: Coroutine[Any, Any, None]) -> None:
        """Play at so many tables until something else has ended, and all that was begun."""
        kinds = ("friends", "friends", "clock", "friends", "engine")
        playing = [
            asyncio.create_task(Table(self, kinds[number % len(kinds)], number).run())
            for number in range(tables)
        ]
        await until
        self.closing = True
        done = await asyncio.gather(*playing, return_exceptions=True)
        for error in done:
            if error is not None:
                self.ledger.fail(f"a program gave up: {type(error).__name__} {error}")


class Client:
    """Somebody who asks servers, with a connection to each."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.connections: dict[str, HttpConnection] = {}

    async def ask(
        self, host: str, method: str, path: str, token: str | None = None, body: Any = None
    ) -> tuple[int, Any]:
        """The answer of one server; an error of NO_ANSWER if there is none."""
        connection = self.connections.pop(host, None)
        headers = {"Content-Type": "application/json", "Prefer": "return=minimal"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = b"" if body is None else msgspec.json.encode(body)
        async with asyncio.timeout(ANSWER_SECONDS):
            if connection is None:
                connection = HttpConnection(host)
                await connection.open()
            try:
                status = await connection.send(method, path, headers, data)
                text = await connection.reader.readexactly(connection.length)
            except BaseException:
                connection.writer.close()
                raise
        self.connections[host] = connection
        return status, msgspec.json.decode(text or b"null")

    async def insist(
        self, method: str, path: str, token: str | None, body: Any, host: str | None = None
    ) -> tuple[int, Any]:
        """The answer of the first server that has one, whatever dies meanwhile."""
        counts, deadline = self.crowd.ledger.counts, time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            host = host or await self.crowd.some_host()
            with suppress(*NO_ANSWER):
                status, answer = await self.ask(host, method, path, token, body)
                if status < 500:
                    return status, answer
                counts[f"answers {status}"] += 1
                if status not in AWAY:
                    self.crowd.ledger.fail(f"{method} {path} was answered {status}: {answer}")
            counts["asked again"] += 1
            host = None
            await asyncio.sleep(TRY_AGAIN_SECONDS)
        raise TimeoutError(f"no server answered {method} {path}")


class Table:
    """One match after the other between two seats, with a stream for each."""

    def __init__(self, crowd: Crowd, kind: str, number: int) -> None:
        self.crowd = crowd
        self.ledger = crowd.ledger
        self.kind = kind
        self.chance = random.Random(crowd.chance.random())
        self.game = names()[number % len(names())]
        self.clients = [Client(crowd), Client(crowd)]
        self.news = asyncio.Event()

    async def run(self) -> None:
        """Play until the crowd goes home."""
        match = None
        while not self.crowd.closing:
            match = await self.play(match)

    async def make_match(self) -> str:
        """Make a match; returns its id."""
        self.seats = [SeatSetup("friend"), SeatSetup("friend")]
        if self.kind == "engine":
            self.seats[1] = SeatSetup("engine", level=1)
        self.clock = TimeControl(minutes=60) if self.kind == "clock" else None
        setup = Setup(self.game, self.seats, order="given", clock=self.clock)
        status, made = await self.clients[0].insist("POST", "/api/matches", None, setup)
        if status != 201:
            raise AssertionError(f"a match was not made: {status} {made}")
        self.tokens = [seat["link"] and seat["link"].split("#")[1] for seat in made["seats"]]
        return str(made["id"])

    async def play(self, rematch: str | None) -> str | None:
        """Play one match to its end; returns the one that follows, if both want it."""
        if rematch:
            self.seats, self.tokens = self.seats[::-1], self.tokens[::-1]
        self.match = rematch or await self.make_match()
        self.ledger.matches.add(self.match)
        self.path = f"/api/matches/{self.match}"
        self.state = OnlineMatch(Setup(self.game, self.seats, order="given", clock=self.clock))
        self.seen = {seat: 0 for seat in range(2) if self.tokens[seat]}
        streams = [asyncio.create_task(self.follow(seat)) for seat in self.seen]
        try:
            await self.play_on()
            return None if self.crowd.closing else await self.agree_on_rematch()
        finally:
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)

    async def play_on(self) -> None:
        """Play until the match is over, or the crowd goes home."""
        steps: Steps = [(17, self.move), (1, self.race), (1, self.take_back)]
        steps = [*steps, (8, self.compare_clocks) if self.clock else (1, self.ask_and_move)]
        length = self.chance.randint(4, LONGEST)
        while (turn := self.state.turn) is not None and not self.crowd.closing:
            if not self.tokens[turn]:
                await self.learn_up_to(self.state.seq + 1, "the engine to move", "engine")
            elif len(self.state.match.moves) >= length:
                await self.submit(turn, "resignations")
            elif self.kind == "engine":
                await self.move()
            else:
                (step,) = self.chance.choices([s for _w, s in steps], [w for w, _s in steps])
                await step()
            await asyncio.sleep(self.chance.random() * LONGEST_THOUGHT)

    # What programs do.

    def random_move(self) -> str:
        """Any legal move."""
        return self.chance.choice(sorted(self.state.match.legal()))

    async def move(self) -> None:
        """The seat to move moves."""
        turn = self.state.turn
        assert turn is not None
        await self.submit(turn, "moves", move=self.random_move())

    async def race(self) -> None:
        """Two screens of one seat move at once, on two servers: one of them wins."""
        turn = self.state.turn
        assert turn is not None
        posts = [(turn, "moves", {"move": self.random_move()}) for _screen in range(2)]
        await self.submit_at_once("races for one number", posts)

    async def take_back(self) -> None:
        """Who has moved last wants to take it back, while the other moves."""
        turn = self.state.turn
        assert turn is not None
        if self.state.last_own_ply(1 - turn) is None:
            return await self.move()
        asked = (1 - turn, "agreements", {"matter": "takeback"})
        move = (turn, "moves", {"move": self.random_move()})
        await self.submit_at_once("takebacks against moves", [asked, move])
        if "takeback" in self.state.offers:
            await self.answer_takeback()

    async def ask_and_move(self) -> None:
        """A takeback is asked for in good time, and both agreed to and overtaken by a move."""
        turn = self.state.turn
        assert turn is not None
        if self.state.last_own_ply(1 - turn) is not None:
            await self.submit(1 - turn, "agreements", matter="takeback")
            if "takeback" in self.state.offers and self.state.turn == turn:
                await self.answer_takeback()

    async def answer_takeback(self) -> None:
        """Two screens of the other seat: one agrees, one moves."""
        turn = self.state.turn
        assert turn is not None
        agreed = (turn, "agreements", {"matter": "takeback"})
        move = (turn, "moves", {"move": self.random_move()})
        await self.submit_at_once("takebacks against moves", [agreed, move])

    async def agree_on_rematch(self) -> str | None:
        """Both want to play again, at once; who was too late says so again."""
        posts = [(seat, "agreements", {"matter": "rematch"}) for seat in range(2)]
        people = [post for post in posts if self.tokens[post[0]]]
        await self.submit_at_once("rematches agreed on at once", people)
        for seat, what, body in people * 3:
            asked = self.state.offers.get("rematch")
            if self.state.rematch is None and not (asked and seat in asked.agreed):
                await self.submit(seat, what, **body)
        return self.state.rematch

    async def submit_at_once(
        self, what: str, posts: Sequence[tuple[int, str, dict[str, Any]]]
    ) -> None:
        """Several acts for one number, on two servers: at most one of them is taken."""
        self.ledger.counts[what] += 1
        seq, hosts = self.state.seq, await self.crowd.two_hosts()
        answers = await asyncio.gather(
            *(
                self.post(client, host, seat, to, {"seq": seq, **body})
                for client, host, (seat, to, body) in zip(self.clients, hosts, posts, strict=False)
            )
        )
        taken = {answer["seq"] for answer in answers if "event" in answer}
        winners = sum("event" in answer and answer["new"] for answer in answers)
        if winners > 1 or len(taken) > 1:
            self.ledger.fail(f"{what} in {self.match}: two were taken after {seq}: {answers}")
        await self.learn_up_to(max(answer["seq"] for answer in answers), "the answers of a race")

    async def submit(self, seat: int, to: str, **body: Any) -> None:
        """An act, and what the streams tell of it."""
        seq, host = self.state.seq, await self.crowd.some_host()
        answer = await self.post(self.clients[seat], host, seat, to, {"seq": seq, **body})
        await self.learn_up_to(answer["seq"], f"{to} of seat {seat}")

    async def post(
        self, client: Client, host: str, seat: int, to: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        """The answer to an act: it is stored, or the match has gone on since."""
        status, answer = await client.insist(
            "POST", f"{self.path}/{to}", self.tokens[seat], body, host
        )
        self.ledger.counts[f"answers {status}"] += 1
        if status == 200:
            event = as_event(answer["event"])
            assert event.seat is not None
            self.ledger.receipts.add(Receipt(self.match, event.seq, event.seat, event.act))
        elif status != 409 or answer.get("code") != "stale":
            raise AssertionError(f"{to} {body} in {self.match} was refused: {status} {answer}")
        found: dict[str, Any] = answer
        return found

    async def compare_clocks(self) -> None:
        """Two servers tell the same time."""
        hosts = await self.crowd.two_hosts()
        views = []
        for client, host in zip(self.clients, hosts, strict=True):
            begun = time.time()
            with suppress(*NO_ANSWER):
                status, view = await client.ask(host, "GET", self.path)
                if status >= 500 and status not in AWAY:
                    self.ledger.fail(f"the view of {self.match} was answered {status}: {view}")
                if status == 200 and (running := view["clock"]["running"]) is not None:
                    views.append((view["seq"], view["now"] + view["clock"]["left"][running]))
                    late = max(begun - view["now"], view["now"] - time.time())
                    if late > CLOCK_TOLERANCE:
                        self.ledger.fail(f"a server's time is wrong by {late:.3f} s")
        if len(views) == 2 and views[0][0] == views[1][0]:
            self.ledger.counts["clocks compared"] += 1
            if abs(views[0][1] - views[1][1]) > CLOCK_TOLERANCE:
                self.ledger.fail(f"clocks of {self.match} differ: {views}")

    # What programs hear.

    async def learn_up_to(self, seq: int, what: str, kind: str = "news") -> None:
        """Wait until both streams have told everything up to a number."""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE):
                while min(self.seen.values()) < seq:
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            self.ledger.fail(
                f"{what}: event {seq} of {self.match} never came, streams are at {self.seen}"
            )
            raise
        slowest = self.ledger.slowest
        slowest[kind] = max(slowest[kind], time.monotonic() - begun)

    async def follow(self, seat: int) -> None:
        """Listen in a seat, now on this server, now on that."""
        while True:
            host = await self.crowd.some_host()
            with suppress(*NO_ANSWER):
                await self.listen(host, seat, self.chance.randint(1, 20))
            await asyncio.sleep(TRY_AGAIN_SECONDS)

    async def listen(self, host: str, seat: int, events: int) -> None:
        """Listen to one server for a number of events."""
        stream = HttpConnection(host)
        await stream.open()
        try:
            headers = {"Accept": NDJSON, "Authorization": f"Bearer {self.tokens[seat]}"}
            path = f"{self.path}/events?after={self.seen[seat]}"
            status = await stream.send("GET", path, headers, b"")
            if status != 200:
                self.ledger.counts[f"streams answered {status}"] += 1
                if status not in AWAY:
                    self.ledger.fail(f"a stream of {self.match} was answered {status}")
                return
            self.ledger.counts["streams opened"] += 1
            async for chunk in stream.chunks():
                for line in chunk.splitlines():
                    if b'"seq"' in line:
                        events -= 1
                        self.hear(seat, as_event(msgspec.json.decode(line)))
                if events <= 0:
                    return
        finally:
            stream.writer.close()

    def hear(self, seat: int, event: Event) -> None:
        """One event has come to a seat."""
        before = self.seen[seat]
        if event.seq != before + 1:
            self.ledger.fail(f"a stream of {self.match} told {event.seq} after {before}")
        self.seen[seat] = event.seq
        if event.seq == self.state.seq + 1:
            self.state.apply(event)
        elif self.state.events[event.seq - 1] != event:
            self.ledger.fail(f"two streams of {self.match} tell different events {event.seq}")
        self.news.set()


def as_event(told: dict[str, Any]) -> Event:
    """An event as a stream or an answer tells it."""
    act = {name: value for name, value in told.items() if name not in ("seq", "at", "seat")}
    return Event(told["seq"], told["at"], told["seat"], msgspec.convert(act, AnyAct))
