"""Rate limits: how much one address may ask for, remembered while the server runs."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final, Protocol

from quinconce.server.refusals import (
    BatchTooLargeError,
    StoppingError,
    TooManyMatchesError,
    TooManyRequestsError,
    TooManySecretsError,
    TooManyStreamsError,
    TooManyStudiesError,
)
from quinconce.server.settings import HOUR, MINUTE, ServerLimits

# Addresses that are remembered before those are forgotten that have used nothing.
MAX_ADDRESSES: Final = 10_000
# An asker from this machine counts as this many people: programs, or a proxy that does not say
# who asks. With it, a thousand games fit behind one proxy.
LOCAL_PEOPLE: Final = 20
ALL: Final = ""  # the address under which those of all addresses are counted


class RateLimit:
    """A token bucket per address, refilled evenly."""

    def __init__(self, most: int, seconds: float, monotonic: Callable[[], float]) -> None:
        self.capacity = most
        self.rate = most / seconds
        self.monotonic = monotonic
        self.usage: dict[str, tuple[float, float]] = {}  # how much, and when that was counted
        self.forget_at = MAX_ADDRESSES

    def take(self, address: str, cost: float = 1) -> float:
        """Take tokens and return 0, or the seconds after which there will be enough."""
        now = self.monotonic()
        used = self._usage(address, now)
        if used + cost > self.capacity:
            return max((used + cost - self.capacity) / self.rate, 1.0)
        self.usage[address] = (used + cost, now)
        if len(self.usage) > self.forget_at:
            self.usage = {a: self.usage[a] for a in self.usage if self._usage(a, now) > 0}
            # Not at every request from now on, should all of them be owed something.
            self.forget_at = max(MAX_ADDRESSES, 2 * len(self.usage))
        return 0.0

    def _usage(self, address: str, now: float) -> float:
        used, at = self.usage.get(address, (0.0, now))
        return max(0.0, used - (now - at) * self.rate)


class SharedUsage(Protocol):
    """Where several servers count together."""

    async def take_usage(self, key: str, cost: float, capacity: float, rate: float) -> float:
        """Take from a limit that is refilled evenly; 0, or the seconds until there is enough."""


class RateLimits:
    """All rate limits of a server; those that protect others, several servers count together."""

    def __init__(self, limits: ServerLimits, monotonic: Callable[[], float]) -> None:
        self.limits = limits
        self.shared: SharedUsage | None = None
        self.wrong_secrets = RateLimit(limits.wrong_secrets_per_hour, HOUR, monotonic)
        self.requests = RateLimit(limits.requests_per_minute, MINUTE, monotonic)
        self.writes = RateLimit(limits.writes_per_minute, MINUTE, monotonic)
        self.all_writes = RateLimit(limits.total_writes_per_minute, MINUTE, monotonic)
        self.pictures = RateLimit(limits.pictures_per_minute, MINUTE, monotonic)
        self.moves = RateLimit(limits.moves_per_minute, MINUTE, monotonic)
        self.new_matches = RateLimit(limits.matches_per_hour, HOUR, monotonic)
        self.all_new_matches = RateLimit(limits.total_matches_per_hour, HOUR, monotonic)
        self.new_studies = RateLimit(limits.studies_per_hour, HOUR, monotonic)
        self.open_streams: Counter[str] = Counter()
        self.draining = False  # whether the server is about to stop, and begins nothing new

    def check_request(self, address: str) -> None:
        """Count a request; refuse it if there were too many."""
        if wait := self.requests.take(address, 1 / people_at(address)):
            raise TooManyRequestsError(retry_after=wait)

    def check_write(self, address: str) -> None:
        """Count a request that changes something; refuse it if there were too many."""
        cost = 1 / people_at(address)
        if wait := self.writes.take(address, cost) or self.all_writes.take(ALL):
            raise TooManyRequestsError(retry_after=wait)

    def check_pictures(self, address: str, cost: float) -> None:
        """Count pictures that are about to be rendered; refuse them if there were too many."""
        most = min(cost, self.pictures.capacity)  # the first one is never refused
        if wait := self.pictures.take(address, most / people_at(address)):
            raise TooManyRequestsError(retry_after=wait)

    def check_moves(self, address: str, moves: float) -> None:
        """Count moves that are about to be checked or drawn; refuse them if there were too many."""
        most = min(moves, self.moves.capacity)  # whoever asked for nothing yet gets any one
        if wait := self.moves.take(address, most / people_at(address)):
            raise TooManyRequestsError(retry_after=wait)

    async def check_new_matches(self, address: str, n: int) -> None:
        """Count matches that are about to be made; refuse them if they are too many."""
        if self.draining:
            raise StoppingError(retry_after=5)
        if n > self.limits.matches_per_request:
            raise BatchTooLargeError(self.limits.matches_per_request)
        cost = n / people_at(address)
        wait = self.new_matches.take(address, cost) or self.all_new_matches.take(ALL, n)
        if wait := wait or await self._take_shared("matches", self.new_matches, address, cost):
            raise TooManyMatchesError(retry_after=wait)

    async def check_new_study(self, address: str) -> None:
        """Count a study that is about to be made; refuse it if they are too many."""
        if self.draining:
            raise StoppingError(retry_after=5)
        cost = 1 / people_at(address)
        wait = self.new_studies.take(address, cost)
        if wait := wait or await self._take_shared("studies", self.new_studies, address, cost):
            raise TooManyStudiesError(retry_after=wait)

    def count_wrong_secret(self, address: str, about: str) -> None:
        """Count a secret that does not open a match, tag or study; refuse it if they are too many.

        A right secret is never refused: 128 bits cannot be guessed at any rate, and the neighbours
        of somebody with a wrong link have the same address.
        """
        if wait := self.wrong_secrets.take(f"{address} {about}", 1 / people_at(address)):
            raise TooManySecretsError(retry_after=wait)

    async def _take_shared(self, what: str, limit: RateLimit, address: str, cost: float) -> float:
        """Count with other servers, who are not told the address itself."""
        if self.shared is None:
            return 0.0
        key = address_hash(what, address)
        return await self.shared.take_usage(key, cost, limit.capacity, limit.rate)

    def check_stream(self, address: str) -> None:
        """TooManyStreamsError if not one more stream may be opened."""
        limits = self.limits
        full = self.open_streams.total() >= limits.total_streams
        most = limits.streams_per_address * people_at(address)
        if full or self.open_streams[address] >= most:
            raise TooManyStreamsError(retry_after=5)

    @contextmanager
    def count_stream(self, address: str) -> Iterator[None]:
        """Count a stream as long as it is open."""
        self.open_streams[address] += 1
        try:
            yield
        finally:
            self.open_streams[address] -= 1
            if not self.open_streams[address]:
                del self.open_streams[address]


def rate_limit_key(client: str | None) -> str:
    """Whom to count with: an IPv6 household has a whole network of addresses."""
    try:
        address = ip_address(client or "")
    except ValueError:
        return client or ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


def address_hash(what: str, address: str) -> str:
    """Under what the database counts something for an address, which it is not told itself."""
    return hashlib.sha256(f"{what} {address}".encode()).hexdigest()


@lru_cache(MAX_ADDRESSES)
def people_at(address: str) -> int:
    """For how many people an address counts."""
    try:
        return LOCAL_PEOPLE if ip_address(address).is_loopback else 1
    except ValueError:
        return 1
