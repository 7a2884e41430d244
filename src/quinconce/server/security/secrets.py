"""Secrets of seats and browsers, their hashes, CSRF tokens, ids and links of matches."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

from quinconce.server.settings import LOCAL_HOSTS

MAKER_SEAT: Final = -1  # stands for a seat in the key of the maker of a match
TABLE_SEAT: Final = -2  # stands for a seat in the key of the link by which friends pick a free one
NO_SEATS: Final = frozenset((MAKER_SEAT, TABLE_SEAT))
SECRET_BYTES: Final = 16  # 128 bits
SECRET_PATTERN: Final = re.compile("[A-Za-z0-9_-]{22}")
# A match is public to all who have its link, and nobody can guess one: 71 bits.
MATCH_ID_LETTERS: Final = string.ascii_letters + string.digits
MATCH_ID_LENGTH: Final = 12


class SeatKey(NamedTuple):
    """The hash of a secret, and what it opens."""

    match: str
    seat: int
    hash: str
    use: str  # "link" for a secret link (and bearer token), "browser" for a cookie


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_match_id() -> str:
    """A name for a match, or for a study."""
    return "".join(secrets.choice(MATCH_ID_LETTERS) for _letter in range(MATCH_ID_LENGTH))


def hash_secret(secret: str) -> str:
    """What is stored of a secret. It is long and random, so a plain hash gives nothing away."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seat_key(match: str, seat: int, secret: str, use: str) -> SeatKey:
    """The key by which a secret opens a seat."""
    return SeatKey(match, seat, hash_secret(secret), use)


def seats_for_secret(keys: Iterable[SeatKey], secret: str) -> frozenset[int]:
    """The seats that a secret opens; every key is compared, in constant time."""
    if not SECRET_PATTERN.fullmatch(secret):
        return frozenset()
    mine = hash_secret(secret)
    return frozenset([key.seat for key in keys if hmac.compare_digest(key.hash, mine)])


def is_secret(secret: str, hash_: str) -> bool:
    """Whether this is the secret with that hash, compared in constant time."""
    return hmac.compare_digest(hash_secret(secret), hash_)


def csrf_token(secret: str) -> str:
    """What a page of ours can send along with a cookie, and a page of others cannot know."""
    return hmac.new(secret.encode(), b"quinconce csrf", hashlib.sha256).hexdigest()[:32]


Reach = Literal["machine", "network", "world"]


def watch_link(base: str, match: str) -> str:
    """The public link, which cannot play."""
    return f"{base}/match/{match}"


def seat_link(base: str, match: str, secret: str) -> str:
    """The link of a seat. What stands after # is never sent to a server, nor told to another."""
    return f"{base}/match/{match}#{secret}"


def table_link(base: str, match: str, secret: str) -> str:
    """The link by which friends come to a match and pick a free seat each."""
    return f"{base}/match/{match}#table={secret}"


def link_reach(base: str) -> Reach:
    """How far a link works: on this machine only, in the local network, or anywhere."""
    name = urlsplit(base).hostname or ""
    if name in LOCAL_HOSTS:
        return "machine"
    try:
        return "network" if ip_address(name).is_private else "world"
    except ValueError:
        return "network" if name.endswith(".local") or "." not in name else "world"
