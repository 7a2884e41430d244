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

from quinconce.core.phrase import _

SeatKind = Literal["me", "here", "friend", "engine"]
SCREEN_KINDS: Final = (
    "me",
    "here",
)  # one browser holds these seats, and speaks for all of them at once
MAX_NAME_LENGTH: Final = 40
ENGINE_LEVELS: Final = range(1, 11)
MAKER_SEAT: Final = -1  # stands for a seat where a key is that of whoever made the match

SECRET_BYTES: Final = 16  # 128 bits
SECRET_PATTERN: Final = re.compile("[A-Za-z0-9_-]{22}")
# A match is public to whoever has its link, and nobody can guess one: 71 bits.
MATCH_ID_LETTERS: Final = string.ascii_letters + string.digits
MATCH_ID_LENGTH: Final = 12


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there, when a match is set up."""

    kind: SeatKind
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""
    level: Annotated[int, Meta(ge=ENGINE_LEVELS[0], le=ENGINE_LEVELS[-1])] | None = None

    def check(self) -> None:
        """ValueError if nobody can sit like this."""
        if (self.level is None) == (self.kind == "engine"):
            raise ValueError(_("an engine has a level, and nobody else has one"))


class Occupant(Struct, frozen=True):
    """Who sits there now."""

    kind: SeatKind
    name: str
    level: int | None
    claimed: bool  # whether somebody has come
    lent: bool = False  # to the engine, until its owner is back


class SeatKey(NamedTuple):
    """The hash of a secret, and what it opens."""

    match: str
    seat: int
    hash: str
    use: str  # "link" for a secret link (and bearer token), "browser" for a cookie


def clean_name(name: str) -> str:
    """A display name without what cannot be shown, on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:MAX_NAME_LENGTH]


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_match_id() -> str:
    """A name for a match."""
    return "".join(secrets.choice(MATCH_ID_LETTERS) for _letter in range(MATCH_ID_LENGTH))


def hash_secret(secret: str) -> str:
    """What is stored of a secret. It is long and random, so a plain hash gives nothing away."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seats_for_secret(keys: Iterable[SeatKey], secret: str) -> frozenset[int]:
    """The seats that a secret opens; every key is compared, in constant time."""
    if not SECRET_PATTERN.fullmatch(secret):
        return frozenset()
    mine = hash_secret(secret)
    return frozenset([key.seat for key in keys if hmac.compare_digest(key.hash, mine)])


def csrf_token(secret: str) -> str:
    """What a page of ours can send along with a cookie, and a page of others cannot know."""
    return hmac.new(secret.encode(), b"quinconce csrf", hashlib.sha256).hexdigest()[:32]
