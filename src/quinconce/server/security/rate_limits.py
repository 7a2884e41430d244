"""How much one address may ask for, remembered while the server runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from typing import Final

from quinconce.core.phrase import Phrase as _
from quinconce.server.errors import RefusalError
from quinconce.server.settings import HOUR, Limits

MOST: Final = 10_000  # addresses remembered before those that are owed nothing are forgotten


class Allowance:
    """So many in a while for each address; what is used up comes back evenly."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float]) -> None:
        self.most = most
        self.rate = most / seconds
        self.now = now
        self.used: dict[str, tuple[float, float]] = {}  # how much, and when that was counted

    def take(self, address: str, n: int = 1) -> float:
        """Use n of it; else the seconds after which that would be possible."""
        now = self.now()
        used = self._used(address, now)
        if used + n > self.most:
            return max((used + n - self.most) / self.rate, 1.0)
        self.used[address] = (used + n, now)
        if len(self.used) > MOST:
            self.used = {a: self.used[a] for a in self.used if self._used(a, now) > 0}
        return 0.0

    def _used(self, address: str, now: float) -> float:
        used, at = self.used.get(address, (0.0, now))
        return max(0.0, used - (now - at) * self.rate)


class Rations:
    """The allowances of a server."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.limits = limits
        self.asks = Allowance(limits.asks, 60.0, now)
        self.posts = Allowance(limits.posts, 60.0, now)
        self.matches = Allowance(limits.matches, HOUR, now)
        self.streams: Counter[str] = Counter()

    def ask(self, address: str) -> None:
        """One more request."""
        if wait := self.asks.take(address):
            raise RefusalError(429, "rate", wait=wait)

    def post(self, address: str) -> None:
        """One more request that changes something."""
        if wait := self.posts.take(address):
            raise RefusalError(429, "rate", wait=wait)

    def make(self, address: str, n: int) -> None:
        """So many more matches."""
        if n > self.limits.at_once:
            most = self.limits.at_once
            raise RefusalError(413, "matches", _("at most {n} matches can be made at once", n=most))
        if wait := self.matches.take(address, n):
            raise RefusalError(
                429, "matches", _("too many matches from one address: wait a little"), wait=wait
            )

    def may_stream(self, address: str) -> None:
        """Whether one more stream may be opened; RefusalError if not."""
        limits = self.limits
        full = self.streams.total() >= limits.all_streams
        if full or self.streams[address] >= limits.streams:
            raise RefusalError(
                429, "streams", _("too many streams are open: close one of them"), wait=5
            )

    @contextmanager
    def streaming(self, address: str) -> Iterator[None]:
        """One more stream, as long as it is open."""
        self.streams[address] += 1
        try:
            yield
        finally:
            self.streams[address] -= 1
            if not self.streams[address]:
                del self.streams[address]


def address_of(client: str | None) -> str:
    """Whom to count with: an IPv6 household has a whole network of addresses."""
    try:
        address = ip_address(client or "")
    except ValueError:
        return client or ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
