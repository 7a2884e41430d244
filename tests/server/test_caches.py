"""The bounded cache: what was used longest ago goes, by number or by size."""

from __future__ import annotations

from quinconce.server.caches import BoundedCache


def test_what_was_used_longest_ago_goes_first() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    cache["a"], cache["b"] = 1, 2
    assert cache.get("a") == 1
    cache["c"] = 3
    assert (cache.keys(), cache.get("b")) == (["a", "c"], None)
    assert cache.peek("a") == 1  # which does not count as used
    cache["d"] = 4
    assert cache.keys() == ["c", "d"]


def test_sizes_are_counted_and_given_back() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(10, len)
    cache["a"] = b"12345"
    cache["a"] = b"1234"
    cache["b"] = b"123456"
    assert len(cache) == 2
    assert cache.pop("b") == b"123456"
    cache["c"] = b"123456"
    assert cache.keys() == ["a", "c"]
    cache["d"] = b"1"
    assert cache.keys() == ["c", "d"]


def test_what_is_kept_is_not_made_again() -> None:
    cache: BoundedCache[str, str] = BoundedCache(1)
    made: list[str] = []

    def make() -> str:
        made.append("made")
        return "value"

    assert [cache.find("a", make), cache.find("a", make)] == ["value", "value"]
    assert made == ["made"]
    cache.find("b", make)
    assert "a" not in cache
