"""Who asks: the seats that a bearer token or the cookie of a browser opens in a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from quinconce.core.phrase import _
from quinconce.server.refusals import NotYourSeatError, TokenError
from quinconce.server.security.secrets import (
    MAKER_SEAT,
    SECRET_PATTERN,
    SeatKey,
    hash_secret,
    new_secret,
    seats_for_secret,
)
from quinconce.server.settings import DAY

AnyConnection = ASGIConnection[Any, Any, Any, Any]


class Access(NamedTuple):
    """What somebody may do in a match: play these seats; its maker may delete it."""

    seats: frozenset[int] = frozenset()
    maker: bool = False

    def require_seat(self, wished: int | None, turn: int | None = None) -> int:
        """The seat that is meant, if it is one of their own; NotYourSeatError if not."""
        if not self.seats:
            raise NotYourSeatError(_("you have no seat in this match: you may watch"))
        if wished is not None:
            if wished not in self.seats:
                raise NotYourSeatError
            return wished
        if turn in self.seats:
            return turn
        return min(self.seats)


def bearer_token(request: AnyConnection) -> str | None:
    """The token of a program."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _space, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise TokenError(_("send «Authorization: Bearer TOKEN»"))
    return token.strip()


def authenticate(request: AnyConnection, keys: Sequence[SeatKey]) -> Access:
    """Who asks about a match with these keys.

    A wrong token is refused; somebody without any watches.
    """
    token = bearer_token(request)
    secret = cookie_secret(request) if token is None else token
    if secret is None:
        return Access()
    seats = seats_for_secret(keys, secret)
    if token is not None and not seats:
        raise TokenError(_("this token opens no seat of this match"))
    return Access(seats - {MAKER_SEAT}, MAKER_SEAT in seats)


def ensure_browser_secret(request: AnyConnection) -> str:
    """The secret of this browser, a new one if it has none yet."""
    return cookie_secret(request) or new_secret()


def secret_cookie(request: AnyConnection, secret: str) -> Cookie:
    """The cookie in which a browser keeps its secret; no script can read it."""
    return Cookie(
        SECRET_COOKIE,
        value=secret,
        path="/",
        max_age=int(400 * DAY),
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
    )


def browser_hash(request: AnyConnection) -> str | None:
    """Under what the keys of this browser are kept."""
    secret = cookie_secret(request)
    return hash_secret(secret) if secret else None


SECRET_COOKIE: Final = "quinconce"  # the name of the cookie that a browser's seats belong to


def cookie_secret(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret in the cookie of a browser."""
    secret = request.cookies.get(SECRET_COOKIE, "")
    return secret if SECRET_PATTERN.fullmatch(secret) else None
