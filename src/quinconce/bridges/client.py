"""A client of a server for programs that wait with `await`: makes, joins, watches, plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from http.cookies import SimpleCookie
from typing import Any, Final, NamedTuple, Self

from quinconce.bridges.requests import (
    Attempts,
    MatchLink,
    RefusedError,
    Requests,
    lasting_lines,
    parse_link,
)
from quinconce.core.match import Match
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game

Data = dict[str, Any]  # what the server says, as docs/server.md describes it
PATIENCE: Final = 60.0  # seconds that a server may be away
REVIEW_SECONDS: Final = 0.5  # between two looks at how far a review is
BROWSER_COOKIES: Final = ("quinconce", "__Host-quinconce")  # one holds the secret of a table's seat


class NewMatch(NamedTuple):
    """A match that was made; its links and its key are told only now.

    >>> from quinconce.client import Client
    >>> with Client(server) as client:
    ...     made = client.make("diam", ["friend", "engine:5"])
    >>> [link is None for link in made.links]
    [False, True]
    """

    id: str
    watch: str  # the link for those who watch
    links: tuple[str | None, ...]  # of the seats; None where an engine plays
    key: str  # with which it is reviewed or deleted


class AsyncClient:
    """A server, by its address or by any link to a match on it.

    `language` is that of its sentences, `patience` how many seconds it may be away before an error
    says so. Use it with `async with`.

    >>> import asyncio
    >>> from quinconce.client import AsyncClient
    >>> async def begin(server):
    ...     async with AsyncClient(server) as client:
    ...         made = await client.make("diam")
    ...         seat = await client.join(made.links[0], "Ada")
    ...         return await seat.play("r@1")
    >>> asyncio.run(begin(server))
    True
    """

    def __init__(
        self, server: str, *, language: str | None = None, patience: float = PATIENCE
    ) -> None:
        self.requests = Requests(server, language, patience)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self.requests.http.aclose()

    async def make(
        self,
        game: str,
        seats: Sequence[str | Mapping[str, Any]] = ("friend", "friend"),
        *,
        options: Mapping[str, Any] | None = None,
        order: str = "given",
        **setup: Any,
    ) -> NewMatch:
        """Make a match. A seat is `friend`, `engine:LEVEL`, or what the API calls a seat.

        `setup` may have `position`, `clock` and `tag`, as the API has them.
        """
        body = {
            "game": game,
            "seats": [seat_setup(seat) for seat in seats],
            "order": order,
            "options": {key: str(value) for key, value in (options or {}).items()},
            **setup,
        }
        made = await self.requests.json("POST", "/api/matches", body, repeatable=False)
        links = tuple(seat["link"] for seat in made["seats"])
        return NewMatch(made["id"], made["watch"], links, made["key"])

    async def join(self, link: str, name: str = "", seat: int | None = None) -> AsyncRemoteMatch:
        """Sit down in the seat of a link; with the link of a table, in `seat`, else a free one.

        `name` is what the others call you, if nobody has sat there before.
        """
        wanted = self._parse_link(link)
        if wanted.secret is None:
            raise ValueError(_("this link has no secret: it is only to watch"))
        secret = wanted.secret
        if wanted.is_table:
            secret = await self._sit_down(wanted, name, seat)
        match = AsyncRemoteMatch(self.requests, wanted.match, secret)
        view = await match.refresh()
        if not view["mine"]:
            raise ValueError(_("this link opens no seat of this match"))
        if not all(view["seats"][mine]["claimed"] for mine in view["mine"]):
            await self.requests.send(
                "POST", f"{match.path}/claims", {"secret": secret, "name": name}
            )
            await match.refresh()
        return match

    async def watch(self, link: str, key: str | None = None) -> AsyncRemoteMatch:
        """A match to watch; its `key` lets who made it have it reviewed."""
        match = AsyncRemoteMatch(self.requests, self._parse_link(link).match, key)
        await match.refresh()
        return match

    async def analyse(self, match: Match[Any], lines: int = 3) -> AsyncGenerator[Data, None]:
        """What the server's engine thinks of a match, deeper and deeper; the last one is `done`."""
        start = None if match.start == match.game.start() else match.game.write(match.start)
        body = {
            "game": match.game.name,
            "options": {key: str(value) for key, value in match.game.chosen.items()},
            "position": start,
            "moves": match.moves,
            "lines": lines,
        }
        attempts = Attempts(self.requests)
        while True:
            reports = lasting_lines(self.requests, attempts, "POST", "/api/analysis", body)
            async with aclosing(reports):
                async for report in reports:
                    if report["state"] == "bye":  # the server stops, and another will answer
                        continue
                    yield report
                    if report["done"]:
                        return

    def _parse_link(self, link: str) -> MatchLink:
        wanted = parse_link(link)
        if wanted.server != self.requests.server:
            raise ValueError(_("this link leads to another server: {url}", url=wanted.server))
        return wanted

    async def _sit_down(self, table: MatchLink, name: str, seat: int | None) -> str:
        """The secret of a seat at a table, which a browser would keep in its cookie."""
        path = f"/api/matches/{table.match}"
        if seat is None:
            view = await self.requests.json("GET", path)
            free = [
                each["seat"]
                for each in view["seats"]
                if each["kind"] == "friend" and not each["claimed"]
            ]
            if not free:
                raise ValueError(_("every seat of this match is taken"))
            seat = free[0]
        body = {"secret": table.secret, "seat": seat, "name": name}
        # A lost answer takes the secret of the seat along, and asking again finds it taken.
        answer = await self.requests.send("POST", f"{path}/table", body, repeatable=False)
        cookies = SimpleCookie("; ".join(answer.headers.get_list("set-cookie")))
        return next(cookies[each].value for each in BROWSER_COOKIES if each in cookies)


class AsyncRemoteMatch:
    """A match on a server, for a player or for somebody who watches.

    `view` is what the server said last, `seat` one's own seat, None for those who watch.

    >>> import asyncio
    >>> from quinconce.client import AsyncClient
    >>> async def play_least_moves(server):
    ...     async with AsyncClient(server) as client:
    ...         made = await client.make("diadema", ["friend", "engine:1"])
    ...         seat = await client.join(made.links[0], "Ada")
    ...         async for match in seat.turns():
    ...             await seat.play(min(match.legal()))
    ...         return seat.match.outcome() is not None
    >>> asyncio.run(play_least_moves(server))
    True
    """

    def __init__(self, requests: Requests, match: str, secret: str | None) -> None:
        self.requests = requests
        self.id = match
        self.path = f"/api/matches/{match}"
        self.view: Data = {}
        self._secret = secret
        self._agree_to: Collection[str] = ()  # of what others ask for

    @property
    def seat(self) -> int | None:
        """One's own seat, counted from 0; None for those who watch."""
        return min(self.view["mine"], default=None)

    @property
    def outcome(self) -> Data | None:
        """How the match ended, as far as it is known here; None while it goes on."""
        outcome: Data | None = self.view["scene"]["outcome"]
        return outcome

    @property
    def match(self) -> Match[Any]:
        """The match as far as it is known here, to look at and to think about."""
        view = self.view
        rules = game(view["game"], **view["options"])
        match = Match(rules, None if view["start"] is None else rules.read(view["start"]))
        for move in view["moves"]:
            match.play(move)
        return match

    async def refresh(self) -> Data:
        """Read the match as it is now."""
        self._keep(await self.requests.json("GET", self.path, None, self._secret))
        return self.view

    async def play(self, move: str) -> bool:
        """Play a move: True once it is stored, also if the server had to be asked many times.

        False if the match has gone on otherwise (moves taken back, the end): nothing was played.
        RefusedError if the move is not legal.
        """
        return await self._act("moves", move=move)

    async def resign(self) -> bool:
        """Give up; False if the match has gone on meanwhile."""
        return await self._act("resignations")

    async def agree(self, matter: str, about: int | None = None) -> bool:
        """Ask for something, or agree to it: `stop`, `takeback`, `hints`, `engine`, `rematch`.

        False if nobody asks for it any more, or the match has gone on meanwhile.
        """
        return await self._act("agreements", matter=matter, about=about)

    async def refuse(self, matter: str) -> bool:
        """Refuse what was asked for, or ask for it no longer."""
        return await self._act("refusals", matter=matter)

    async def events(self, after: int = 0) -> AsyncGenerator[Data, None]:
        """Every event after a number, then new ones as they happen, each once, until the end.

        An `end` that a `takeback` has followed is not the end. Where moves are taken back after
        these events have ended, ask for those after the last one. In between come `presence` and
        `review`, which have no number. A lost connection is made anew, and goes on after the last
        event.
        """
        await self.refresh()
        if self.outcome and after >= self.view["seq"]:
            return
        async with aclosing(self._follow(after)) as events:
            async for event in events:
                yield event
                if event["kind"] == "end":
                    await self.refresh()
                if self.outcome and event.get("seq", after) >= self.view["seq"]:
                    return

    async def turns(self, agree_to: Collection[str] = ()) -> AsyncGenerator[Match[Any], None]:
        """The match, each time that it is one's turn, until it is over.

        What the others ask for is agreed to meanwhile, if it is named: `takeback`, `stop`, `hints`.
        """
        self._agree_to = agree_to
        await self.refresh()
        shown = -1  # after which event it was one's turn
        async with aclosing(self._follow(self.view["seq"])) as news:
            while self.outcome is None:
                await self._answer_offers()
                seq = self.view["seq"]
                if seq != shown and self.view["scene"]["turn"] in self.view["mine"]:
                    shown = seq
                    yield self.match
                    if self.view["seq"] > shown:
                        continue
                else:
                    event = await anext(news)
                    if event.get("seq", 0) <= seq:
                        continue
                await self.refresh()

    async def review(self) -> Data:
        """Have a match reviewed that is over, and wait for it; for its players and its maker."""
        review: Data = await self.requests.json("POST", f"{self.path}/review", {}, self._secret)
        while review["state"] == "open":
            await asyncio.sleep(REVIEW_SECONDS)
            review = await self.requests.json("GET", f"{self.path}/review", None, self._secret)
        return review

    async def _answer_offers(self) -> None:
        """Agree to what is asked of one's own seat, if that is what one agrees to."""
        for offer in self.view["offers"]:
            if offer["matter"] in self._agree_to and self._is_asked(offer["matter"]):
                await self.agree(offer["matter"], offer["about"])

    def _is_asked(self, matter: str) -> bool:
        """Whether one's own seat is asked for something."""
        return any(
            offer["matter"] == matter and self.seat in offer["wanted_of"]
            for offer in self.view["offers"]
        )

    async def _follow(self, after: int) -> AsyncGenerator[Data, None]:
        """Events without an end, over as many connections as it takes."""
        attempts = Attempts(self.requests)
        while True:
            path = f"{self.path}/events?after={after}"
            lines = lasting_lines(self.requests, attempts, "GET", path, None, self._secret)
            async with aclosing(lines):
                async for event in lines:
                    if event["kind"] == "bye" or event.get("seq", after + 1) <= after:
                        continue
                    after = event.get("seq", after)
                    yield event

    async def _act(self, what: str, **body: Any) -> bool:
        """Do something after the last event that is known here.

        Sent again because its answer was lost, it carries the same number, by which the server
        knows it; if something else was said meanwhile and no move played, it has the next number.
        A move waits until offers are answered; who agrees to an offer makes none of their own.
        """
        moves, over = self.view["moves"], self.outcome
        matter = body.get("matter", "")
        was_asked = self._is_asked(matter)
        while True:
            try:
                done = await self.requests.json(
                    "POST", f"{self.path}/{what}", {"seq": self.view["seq"], **body}, self._secret
                )
            except RefusedError as refusal:
                if refusal.code != "stale":
                    raise
                await self.refresh()
                if what == "moves":
                    await self._answer_offers()
                if self.view["moves"] != moves or self.outcome != over:
                    return False
                if was_asked and not self._is_asked(matter):
                    return False
            else:
                self._keep(done["view"])
                return True

    def _keep(self, view: Data) -> None:
        """Remember a view, unless a newer one is known."""
        if view["seq"] >= self.view.get("seq", 0):
            self.view = view


def seat_setup(seat: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """A seat as the API wants it, from `friend` or `engine:LEVEL`; ValueError if it is neither."""
    if not isinstance(seat, str):
        return seat
    kind, colon, level = seat.partition(":")
    number = parse_number(level) if colon else None
    if kind == "friend" and not colon:
        return {"kind": kind}
    if kind == "engine" and number is not None:
        return {"kind": kind, "level": number}
    raise ValueError(_("{wrong} is neither friend nor engine:LEVEL", wrong=quote(seat)))
