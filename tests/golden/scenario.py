"""Matches in which everything happens that can happen, played over HTTP with made-up secrets."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from golden.server import MADE, Moment, Server, serve
from waiting import until_true

import quinconce

FRIEND = {"kind": "friend"}
DOWN = 10_000.0  # seconds for which the server was down
LATER = MADE + 2 * DOWN  # when the golden databases are opened
DIADEMA = "@A @D @1 @E @2 @F @C"


@contextmanager
def fix_secrets() -> Iterator[None]:
    """Make secrets and names of matches the same every time."""
    numbers, chance = count(1), random.Random("golden")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_urlsafe", lambda _n=None: f"golden-secret-{next(numbers):08}")
        patch.setattr(secrets, "choice", chance.choice)
        yield


class Table:
    """A match, and what its seats send along."""

    def __init__(self, server: Server, made: Any, cookie: str) -> None:
        self.server = server
        self.id: str = made["id"]
        own = {"cookie": cookie, "x_csrf_token": made.get("csrf", "")}
        links = [seat["link"] for seat in made["seats"]]
        self.headers = [
            {"authorization": f"Bearer {link.split('#')[1]}"} if link else own for link in links
        ]

    async def view(self) -> Any:
        """The match as it is now."""
        return await self.server.get(f"/api/matches/{self.id}")

    async def say(self, who: int, what: str, **body: Any) -> None:
        """Let a seat do something."""
        seq = (await self.view())["seq"]
        path = f"/api/matches/{self.id}/{what}"
        await self.server.ask("POST", path, {"seq": seq, **body}, **self.headers[who])

    async def all_say(self, what: str, *seats: int, **body: Any) -> None:
        """Let several seats do the same."""
        for seat in seats:
            await self.say(seat, what, **body)

    async def claim(self, *names: str) -> None:
        """Let people sit down, each in a browser of their own."""
        for seat, name in enumerate(names):
            secret = self.headers[seat]["authorization"].removeprefix("Bearer ")
            body = {"secret": secret, "name": name}
            await self.server.ask("POST", f"/api/matches/{self.id}/claims", body)

    async def play(self, moves: str) -> None:
        """Play moves, each in the seat whose turn it is."""
        for move in moves.split():
            turn = (await self.view())["scene"]["turn"]
            await self.say(turn, "moves", move=move, seat=turn)

    async def wait_for_moves(self, moves: int) -> None:
        """Wait until the engine has answered."""

        async def have_come() -> bool:
            return len((await self.view())["moves"]) == moves

        await until_true(have_come)


async def make(server: Server, game: str, *seats: dict[str, Any], **setup: Any) -> Table:
    """A match with these seats, in this order."""
    body = {"game": game, "seats": seats, "order": "given", **setup}
    answer = await server.ask("POST", "/api/matches", body)
    return Table(server, answer.json(), answer.headers["set-cookie"].split(";")[0])


async def play_on_time(server: Server, moment: Moment) -> Table:
    """A clock, a name, takebacks refused and granted, hints; the time runs out later."""
    ada, bo = FRIEND | {"name": "Ada"}, FRIEND
    table = await make(server, "diam", ada, bo, clock={"minutes": 10, "increment": 5})
    await table.claim("", "Bo")
    for move in ["r@1", "m@1", "r@2"]:
        moment.now += 12.5
        await table.play(move)
    await table.say(0, "seat", name="Ada Ω «L»")
    await table.say(0, "agreements", matter="takeback")
    await table.say(1, "refusals", matter="takeback")
    moment.now += 1.25
    await table.all_say("agreements", 0, 1, matter="takeback")
    await table.all_say("agreements", 0, 1, matter="hints")
    await table.play("o@2")
    return table


async def agree_and_repeat(server: Server, moment: Moment) -> None:
    """All agree to stop, then to a rematch."""
    options = {"reach": "step", "quiet": 40}
    table = await make(server, "seega", FRIEND, FRIEND, options=options, tag="club-1")
    await table.claim("Chloé", "dé")
    await table.play("@a1+a2 @e4+e5")
    moment.now += 3
    await table.say(0, "agreements", matter="stop")
    await table.say(0, "refusals", matter="stop")
    await table.all_say("agreements", 1, 0, matter="stop")
    await table.all_say("agreements", 0, 1, matter="rematch")


async def lend_and_come_back(server: Server, moment: Moment) -> None:
    """The engine stands in for somebody who comes back, and for somebody who resigns."""
    options = {"edition": 1997, "players": 4}
    table = await make(server, "diam", *[FRIEND] * 4, options=options)
    await table.claim("R", "J", "V", "B")
    await table.play("r@1")
    moment.now += 100
    await table.all_say("agreements", 0, 2, 3, matter="engine", about=1)
    await table.wait_for_moves(2)
    await table.say(1, "seat", back=True)
    await table.say(1, "resignations")
    await table.play("v@3")


async def resign_in_teams(server: Server, moment: Moment) -> None:
    """Both partners have to give up."""
    table = await make(server, "diam", *[FRIEND] * 4, options={"players": 4})
    await table.claim("", "Two")
    await table.play("r@1 m@2 o@1 n@2")
    moment.now += 1
    await table.say(0, "resignations")
    mate = next(s for s in (await table.view())["seats"] if s["seat"] and s["side"] == 0)
    await table.say(mate["seat"], "resignations")


async def play_the_engine(server: Server, moment: Moment) -> None:
    """One person against the engine takes back, plays on and gives up."""
    seats = {"kind": "me", "name": "Zoé"}, {"kind": "engine", "level": 3}
    table = await make(server, "buts", *seats)
    await table.play("G2-G3")
    await table.wait_for_moves(2)
    await table.say(0, "agreements", matter="takeback")
    await table.play("G2-F2")
    await table.wait_for_moves(2)
    await table.say(0, "resignations")


async def play_at_one_screen(server: Server, moment: Moment) -> None:
    """Two people at one screen play to the end."""
    table = await make(server, "diadema", {"kind": "me"}, {"kind": "here", "name": "Noé"})
    await table.play(DIADEMA)


async def play_from_a_position(server: Server, moment: Moment) -> None:
    """Days for a move, from a position; the match goes on."""
    rules = quinconce.game("diadema")
    match = quinconce.Match(rules)
    for move in DIADEMA.split()[:4]:
        match.play(move)
    start = rules.write(match.position)
    table = await make(server, "diadema", FRIEND, FRIEND, position=start, clock={"days": 2})
    await table.claim("Eve", "Fay")
    await table.play("@2")


async def make_many(server: Server) -> None:
    """Two matches of a club, in which nobody has moved."""
    seats = [FRIEND, {"kind": "engine", "level": 1}]
    setup = {"game": "seega", "options": {"size": 7}, "seats": seats, "order": "given"}
    body = {"setup": setup, "names": [["Gil"], ["Ÿ"]]}
    await server.ask("POST", "/api/tags/club-2/matches", body)


async def play_everything(database: Path) -> None:
    """Fill a new database; the server is closed for a while in between."""
    moment = Moment()
    with fix_secrets():
        async with serve(database, moment) as server:
            timed = await play_on_time(server, moment)
            for part in (
                agree_and_repeat,
                lend_and_come_back,
                resign_in_teams,
                play_the_engine,
                play_at_one_screen,
                play_from_a_position,
            ):
                await part(server, moment)
            await make_many(server)
        moment.now += DOWN
        async with serve(database, moment) as server:
            timed.server = server
            moment.now += 605
            assert (await timed.view())["scene"]["outcome"]["reason"] == "time"
