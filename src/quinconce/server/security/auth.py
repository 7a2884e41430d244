"""Who asks: the seats that a bearer token or the cookie of a browser opens in a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from quinconce.core.phrase import _
from quinconce.server.refusals import NotYourSeatError, TokenError
from quinconce.server.request import IncomingRequest
from quinconce.server.security.secrets import (
    MAKER_SEAT,
    NO_SEATS,
    SECRET_PATTERN,
    TABLE_SEAT,
    SeatKey,
    hash_secret,
    new_secret,
    seats_for_secret,
)

# The cookie that a browser's seats belong to. With the prefix, which needs HTTPS, browsers take it
# from this host alone, and not from a neighbouring subdomain.
SECRET_COOKIE: Final = "quinconce"
HOST_COOKIE: Final = "__Host-quinconce"


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


def bearer_token(request: IncomingRequest) -> str | None:
    """The token of a program."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _space, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise TokenError(_("send «Authorization: Bearer TOKEN»"))
    return token.strip()


def authenticate(request: IncomingRequest, keys: Sequence[SeatKey]) -> Access:
    """Who asks about a match with these keys.

    A wrong token is refused; somebody without any watches.
    """
    token = bearer_token(request)
    secrets = cookie_secrets(request) if token is None else [token]
    seats = frozenset[int]().union(*(seats_for_secret(keys, secret) for secret in secrets))
    if token is not None and seats <= {TABLE_SEAT}:
        raise TokenError(_("this token opens no seat of this match"))
    return Access(seats - NO_SEATS, MAKER_SEAT in seats)


def ensure_browser_secret(request: IncomingRequest) -> str:
    """The secret under which this browser gets seats, a new one if it has none yet."""
    return read_cookie(request, cookie_name(request)) or new_secret()


def browser_hashes(request: IncomingRequest) -> list[str]:
    """Under what the keys of this browser are kept."""
    return [hash_secret(secret) for secret in cookie_secrets(request)]


def cookie_secret(request: IncomingRequest) -> str | None:
    """The secret that the CSRF token of this browser is made from."""
    return next(iter(cookie_secrets(request)), None)


def cookie_secrets(request: IncomingRequest) -> list[str]:
    """The secrets of this browser: the one for new seats first, then that of an older cookie."""
    names = dict.fromkeys((cookie_name(request), SECRET_COOKIE))
    return [secret for name in names if (secret := read_cookie(request, name))]


def read_cookie(request: IncomingRequest, name: str) -> str | None:
    """The secret in a cookie, if it can be one."""
    secret = request.cookies.get(name, "")
    return secret if SECRET_PATTERN.fullmatch(secret) else None


def cookie_name(request: IncomingRequest) -> str:
    """The name of the cookie that a browser is given."""
    return HOST_COOKIE if is_https(request) else SECRET_COOKIE


def is_https(request: IncomingRequest) -> bool:
    """Whether a request came encrypted, to us or to the proxy before us."""
    return bool(request.scope["scheme"] == "https")
