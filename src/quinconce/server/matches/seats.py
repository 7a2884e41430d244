"""Seats: who sits where, and the secrets by which somebody shows that a seat is his."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Iterable
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta, Struct

from quinconce.core.phrase import Phrase as _

Kind = Literal["me", "here", "friend", "engine"]
SCREEN: Final = ("me", "here")  # one browser holds these seats, and speaks for all of them at once
LONGEST_NAME: Final = 40
LEVELS: Final = range(1, 11)
MAKER: Final = -1  # stands for a seat where a key is that of whoever made the match

SECRET_BYTES: Final = 16  # 128 bits
SECRET: Final = re.compile("[A-Za-z0-9_-]{22}")
# A match is public to whoever has its link, and nobody can guess one: 71 bits.
ID_LETTERS: Final = string.ascii_letters + string.digits
ID_LENGTH: Final = 12


class Chair(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there, when a match is set up."""

    kind: Kind
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    level: Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])] | None = None

    def check(self) -> None:
        """ValueError if nobody can sit like this."""
        if (self.level is None) == (self.kind == "engine"):
            raise ValueError(_("an engine has a level, and nobody else has one"))


class Sitter(Struct, frozen=True):
    """Who sits there now."""

    kind: Kind
    name: str
    level: int | None
    claimed: bool  # whether somebody has come
    lent: bool = False  # to the engine, until its owner is back


class Key(NamedTuple):
    """The hash of a secret, and what it opens."""

    match: str
    seat: int
    hash: str
    use: str  # "link" for a secret link (and bearer token), "browser" for a cookie


def tidy(name: str) -> str:
    """A display name without what cannot be shown, on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME]


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_id() -> str:
    """A name for a match."""
    return "".join(secrets.choice(ID_LETTERS) for _letter in range(ID_LENGTH))


def hashed(secret: str) -> str:
    """What is stored of a secret. It is long and random, so a plain hash gives nothing away."""
    return hashlib.sha256(secret.encode()).hexdigest()


def opened(keys: Iterable[Key], secret: str) -> frozenset[int]:
    """The seats that a secret opens; every key is compared, in constant time."""
    if not SECRET.fullmatch(secret):
        return frozenset()
    mine = hashed(secret)
    return frozenset([key.seat for key in keys if hmac.compare_digest(key.hash, mine)])


def csrf(secret: str) -> str:
    """What a page of ours can send along with a cookie, and a page of others cannot know."""
    return hmac.new(secret.encode(), b"quinconce csrf", hashlib.sha256).hexdigest()[:32]
