"""Requests to a server that may be away for a while: sent again until it answers, or refused."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final, NamedTuple

import httpx

from quinconce.core.phrase import _, quote

# Seconds that an attempt may take, and that a stream may be silent: the server gives a sign of life
# every five seconds.
ANSWER_SECONDS: Final = 20.0
FIRST_DELAY: Final = 0.25  # seconds, at most, before the first repetition; then twice as long
LONGEST_DELAY: Final = 3.0
# By these a server, or a proxy before it, says that nothing was done and that one may ask again.
NOT_NOW: Final = (429, 503, 507)
NO_GATEWAY: Final = (502, 504)  # what the server did, nobody knows
LAST_PORT: Final = 65535
ANSWER_KEYS: Final = {"seats", "view", "state", "link"}  # one is in each answer that is asked for
LINK: Final = re.compile(
    r"(?P<server>https?://[^/?#\s]+(?:/[^?#\s]*?)?)/match/(?P<match>[A-Za-z0-9]+)/?"
    r"(?:\?[^#\s]*)?(?:#(?P<table>table=)?(?P<secret>[\w-]*))?"
)


class RefusedError(ValueError):
    """The server refuses: why in a sentence, and by `status` and `code` for programs.

    >>> from quinconce.client import Client, RefusedError
    >>> with Client(server) as client:
    ...     made = client.make("diam")
    ...     seat = client.join(made.links[0])
    ...     try:
    ...         seat.play("m@1")
    ...     except RefusedError as refusal:
    ...         print(refusal.status, refusal.code)
    422 move
    """

    def __init__(self, status: int, code: str, why: str, retry_after: float = 0.0) -> None:
        super().__init__(why)
        self.status = status
        self.code = code
        self.retry_after = retry_after  # seconds


class NoAnswerError(ConnectionError):
    """The server could not be reached for as long as one is patient.

    >>> from quinconce.client import Client, NoAnswerError
    >>> with Client("http://localhost:1", patience=0) as client:
    ...     try:
    ...         client.make("diam")
    ...     except NoAnswerError as error:
    ...         print(error)
    http://localhost:1 does not answer
    """


class MatchLink(NamedTuple):
    """What a link to a match says; without a secret it is one to watch."""

    server: str
    match: str
    secret: str | None
    is_table: bool  # whether the secret is that of a table, where a seat is chosen


def parse_link(link: str) -> MatchLink:
    """A link to a match, as the server gives it; ValueError if it is none."""
    found = LINK.fullmatch(link.strip())
    if not found:
        wrong = quote(link.partition("#")[0])  # a secret is not repeated
        raise ValueError(_("{wrong} is not a link like http://HOST/match/ID#SECRET", wrong=wrong))
    secret = found["secret"] or None
    return MatchLink(found["server"], found["match"], secret, bool(found["table"]))


def is_server_address(text: str) -> bool:
    """Whether a text begins with the address of a server that could be asked."""
    if not (found := re.match(r"https?://[^/?#\s]+", text)):
        return False
    try:
        url = httpx.URL(found[0])
    except httpx.InvalidURL:
        return False
    return bool(url.host) and (url.port is None or url.port <= LAST_PORT)


class Requests:
    """Requests to one server; `patience` is how many seconds it may be away."""

    def __init__(self, server: str, language: str | None, patience: float) -> None:
        if not is_server_address(server):
            wrong = quote(server.partition("#")[0])  # a secret is not repeated
            raise ValueError(
                _("{wrong} is not the address of a server, like http://HOST", wrong=wrong)
            )
        self.server = server.split("/match/")[0].rstrip("/")
        self.patience = patience
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # tokens say who asks
        headers = {"Accept-Language": language} if language else {}
        self.http = httpx.AsyncClient(cookies=no_cookies, headers=headers, timeout=ANSWER_SECONDS)

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        secret: str | None = None,
        *,
        repeatable: bool = True,
    ) -> httpx.Response:
        """The answer; RefusedError if the server refuses, NoAnswerError if it stays away.

        What is not repeatable, since it would be done twice, is sent again only as long as it
        cannot have reached the server.
        """
        attempts = Attempts(self)
        while True:
            try:
                answer = await self.http.request(
                    method, self.server + path, json=body, headers=token_header(secret)
                )
                raise_refusal(answer)
                return answer
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                await attempts.wait(error)
            except httpx.TransportError as error:
                await attempts.wait(error, give_up=not repeatable)
            except RefusedError as refusal:
                if refusal.status not in (*NOT_NOW, *(NO_GATEWAY if repeatable else ())):
                    raise
                await attempts.wait(refusal, refusal.retry_after)

    async def json(
        self,
        method: str,
        path: str,
        body: Any = None,
        secret: str | None = None,
        *,
        repeatable: bool = True,
    ) -> Any:
        """The answer as data; RefusedError if whoever answers is no server of ours."""
        answer = await self.send(method, path, body, secret, repeatable=repeatable)
        told = None
        with suppress(ValueError):
            told = answer.json()
        if not isinstance(told, dict) or ANSWER_KEYS.isdisjoint(told):
            why = _("{server} is no server of Quinconce", server=self.server)
            raise RefusedError(answer.status_code, "", why)
        return told

    async def lines(
        self, method: str, path: str, body: Any = None, secret: str | None = None
    ) -> AsyncGenerator[Any, None]:
        """The objects of one stream, until it ends or is lost; signs of life are left out."""
        headers = token_header(secret)
        url = self.server + path
        async with self.http.stream(method, url, json=body, headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                await answer.aread()
                raise_refusal(answer)
            async for line in answer.aiter_lines():
                if line.strip():
                    yield json.loads(line)


class Attempts:
    """Attempts at one thing, with growing delays, until the patience of `requests` is over."""

    def __init__(self, requests: Requests) -> None:
        self.requests = requests
        self.failures = 0
        self.since = 0.0  # when the first of these failures was

    def begin(self) -> None:
        """The server has answered: the next failure is the first."""
        self.failures = 0

    async def wait(self, error: Exception, least: float = 0.0, *, give_up: bool = False) -> None:
        """Wait before the next attempt; raises what made the last one fail if there is none."""
        if not self.failures:
            self.since = time.monotonic()
        longest = min(FIRST_DELAY * 2**self.failures, LONGEST_DELAY)
        delay = max(least, longest * random.uniform(0.1, 1))
        if give_up or time.monotonic() + delay > self.since + self.requests.patience:
            if isinstance(error, RefusedError):
                raise error
            server = self.requests.server
            raise NoAnswerError(_("{server} does not answer", server=server)) from error
        self.failures += 1
        await asyncio.sleep(delay)


async def lasting_lines(
    requests: Requests, attempts: Attempts, *request: Any
) -> AsyncGenerator[Any, None]:
    """The objects of one stream; if it is lost, it ends after a pause, and the caller asks anew."""
    try:
        async with aclosing(requests.lines(*request)) as lines:
            async for each in lines:
                attempts.begin()
                yield each
    except (httpx.TransportError, json.JSONDecodeError) as error:
        await attempts.wait(error)
    except RefusedError as refusal:
        if refusal.status not in (*NOT_NOW, *NO_GATEWAY):
            raise
        await attempts.wait(refusal, refusal.retry_after)
    else:
        await attempts.wait(NoAnswerError())


def token_header(secret: str | None) -> dict[str, str]:
    """How a program says who it is."""
    return {} if secret is None else {"Authorization": f"Bearer {secret}"}


def raise_refusal(answer: httpx.Response) -> None:
    """RefusedError if an answer is one, whoever between us and the server has written it."""
    if answer.is_success:
        return
    try:
        told = answer.json()
    except ValueError:
        told = None
    if not isinstance(told, dict):
        told = {}
    why = str(told.get("error") or f"{answer.status_code} {answer.reason_phrase}")
    if detail := told.get("detail"):  # which part of a request cannot be understood
        why = f"{why} ({detail})"
    wait = answer.headers.get("Retry-After", "")
    seconds = float(wait) if wait.isascii() and wait.isdigit() else 0.0
    raise RefusedError(answer.status_code, str(told.get("code", "")), why, seconds)
