"""A request of a page and the answer to it, as they pass between a page and its worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from msgspec import Struct

from quinconce.draw.svg import THEMES
from quinconce.server.security.auth import SECRET_COOKIE

# Everything on a device is whoever's the device is: this opens what a browser's secret would open
# on a server. It is no secret, and nothing is protected by it.
DEVICE_SECRET: Final = "this_device_is_my_home"
JSON_TYPE: Final = "application/json"
HTML_TYPE: Final = "text/html; charset=utf-8"
PLAIN_TYPE: Final = "text/plain; charset=utf-8"
NO_HEADERS: Final[Mapping[str, str]] = {}

T = TypeVar("T")


class DeviceRequest(Struct):
    """A request, as `fetch` would send it; `path` has the query too, names of headers are lower."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class DeviceAnswer(Struct):
    """The answer; the body of a stream comes piece by piece."""

    status: int
    headers: dict[str, str]
    body: bytes | AsyncIterator[bytes]


class MalformedError(Exception):
    """A request that cannot be understood, and what exactly was not."""


class PageRequest:
    """A request as answers read it: whoever asks has the secret of the device."""

    def __init__(self, request: DeviceRequest) -> None:
        parts = urlsplit(request.path)
        self.method = request.method.upper()
        self.path = unquote(parts.path)
        self.headers: Mapping[str, str] = {k.lower(): v for k, v in request.headers.items()}
        self.cookies: Mapping[str, str] = {
            **parse_cookies(self.headers.get("cookie", "")),
            SECRET_COOKIE: DEVICE_SECRET,
        }
        self.query_params: Mapping[str, Any] = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.scope: dict[str, Any] = {
            "method": self.method,
            "path": self.path,
            "scheme": "http",
            "query_string": parts.query.encode(),
        }
        self.body = request.body

    @property
    def base(self) -> str:
        """How links begin."""
        return self.headers.get("origin", "")

    def read(self, kind: type[T]) -> T:
        """The body; MalformedError if it is no JSON of this kind."""
        try:
            sent = msgspec.json.decode(self.body or b"null")
            return msgspec.convert(sent, kind, strict=False, str_keys=True)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise MalformedError(str(error)) from None

    def number(self, key: str, usual: int, most: int) -> int:
        """A whole number of the query, from 0 to `most`; MalformedError if it is none."""
        text = str(self.query_params.get(key, usual))
        if not (text.isascii() and text.isdigit() and int(text[:20]) <= most):
            raise MalformedError(key)
        return int(text)

    def flag(self, key: str) -> bool:
        """Whether something is wanted; MalformedError if the query says neither yes nor no."""
        try:
            return msgspec.convert(self.query_params.get(key, False), bool, strict=False)
        except msgspec.ValidationError:
            raise MalformedError(key) from None

    def theme(self) -> str:
        """The colours of a picture; MalformedError if there are none of this name."""
        wish: str = self.query_params.get("theme", THEMES[0])
        if wish not in THEMES:
            raise MalformedError("theme")
        return wish


def parse_cookies(header: str) -> dict[str, str]:
    """The cookies of a header, by name."""
    pairs = (part.partition("=") for part in header.split(";"))
    return {name.strip(): unquote(value.strip()) for name, _sign, value in pairs if name.strip()}


def answer_json(
    value: object, status: int = 200, headers: Mapping[str, str] = NO_HEADERS
) -> DeviceAnswer:
    """Something as JSON."""
    return DeviceAnswer(status, answer_headers(JSON_TYPE, headers), msgspec.json.encode(value))


def answer_text(text: str, kind: str, headers: Mapping[str, str] = NO_HEADERS) -> DeviceAnswer:
    """A text of some kind: a page, a picture, a record."""
    return DeviceAnswer(200, answer_headers(kind, headers), text.encode())


def answer_headers(kind: str, headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of an answer of some kind, their names in lower case."""
    own = {"content-type": kind, "cache-control": "no-store"}
    return own | {name.lower(): value for name, value in headers.items()}


def redirect(address: str, status: int = 302) -> DeviceAnswer:
    """What is asked for is elsewhere."""
    return DeviceAnswer(status, {"location": address, "cache-control": "no-store"}, b"")
