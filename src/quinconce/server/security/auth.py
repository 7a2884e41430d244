"""Who asks: the seats that a bearer token or the cookie of a browser opens in a match."""

from __future__ import annotations

from typing import Any, NamedTuple

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.matches.seats import MAKER, hashed, new_secret, opened
from quinconce.server.security.middleware import COOKIE, secret_of
from quinconce.server.settings import DAY
from quinconce.server.storage.store import Store

Connection = ASGIConnection[Any, Any, Any, Any]


class Asker(NamedTuple):
    """What somebody may do in a match: play these seats; whoever made it may delete it."""

    seats: frozenset[int] = frozenset()
    maker: bool = False

    def seat(self, wished: int | None, turn: int | None = None) -> int:
        """The seat that is meant, if it is one of his own; RefusalError if not."""
        if not self.seats:
            raise RefusalError(403, "seat", _("you have no seat in this match: you may watch"))
        if wished is not None:
            if wished not in self.seats:
                raise RefusalError(403, "seat", _("this seat is not yours"))
            return wished
        if turn in self.seats:
            return turn
        return min(self.seats)


def bearer(request: Connection) -> str | None:
    """The token of a program."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _space, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise RefusalError(401, "token", _("send «Authorization: Bearer TOKEN»"))
    return token.strip()


async def asker_of(request: Connection, store: Store, match: str) -> Asker:
    """Who asks about a match; a wrong token is refused, somebody without any watches."""
    token = bearer(request)
    secret = secret_of(request) if token is None else token
    if secret is None:
        return Asker()
    seats = opened(await store.keys(match), secret)
    if token is not None and not seats:
        raise RefusalError(401, "token", _("this token opens no seat of this match"))
    return Asker(seats - {MAKER}, MAKER in seats)


def own_secret(request: Connection) -> str:
    """The secret of this browser, a new one if it has none yet."""
    return secret_of(request) or new_secret()


def cookie(request: Connection, secret: str) -> Cookie:
    """The cookie in which a browser keeps its secret; no script can read it."""
    return Cookie(
        COOKIE,
        value=secret,
        path="/",
        max_age=int(400 * DAY),
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
    )


def browser_hash(request: Connection) -> str | None:
    """Under what the keys of this browser are kept."""
    secret = secret_of(request)
    return hashed(secret) if secret else None
