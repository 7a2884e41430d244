"""Rate limits: what one address and all together may ask for, and that a thousand games fit."""

from __future__ import annotations

import asyncio

import pytest

from quinconce.server.refusals import (
    StoppingError,
    TooManyMatchesError,
    TooManyRequestsError,
    TooManySecretsError,
    TooManyStreamsError,
)
from quinconce.server.security.rate_limits import LOCAL_PEOPLE, RateLimits, people_at
from quinconce.server.settings import ServerLimits

SOMEBODY = "203.0.113.7"
HERE = "127.0.0.1"


def frozen_limits(**limits: int) -> RateLimits:
    """Limits at a moment at which nothing is ever refilled."""
    return RateLimits(ServerLimits(**limits), lambda: 0.0)


def count_until_refused(ask: object, *arguments: object) -> int:
    assert callable(ask)
    for n in range(100_000):
        try:
            ask(*arguments)
        except (TooManyMatchesError, TooManyRequestsError):
            return n
    raise AssertionError("nothing was refused")


def test_this_machine_counts_for_many_people() -> None:
    assert [people_at(address) for address in (HERE, "::1", SOMEBODY, "")] == [
        LOCAL_PEOPLE,
        LOCAL_PEOPLE,
        1,
        1,
    ]
    limits = frozen_limits(requests_per_minute=3)
    assert count_until_refused(limits.check_request, SOMEBODY) == 3
    assert count_until_refused(limits.check_request, HERE) == 3 * LOCAL_PEOPLE


def test_all_addresses_together_have_limits_too() -> None:
    limits = frozen_limits(total_writes_per_minute=5, total_matches_per_hour=4)
    for n in range(5):
        limits.check_write(f"203.0.113.{n}")
    with pytest.raises(TooManyRequestsError):
        limits.check_write(SOMEBODY)
    for n in range(4):
        asyncio.run(limits.check_new_matches(f"203.0.113.{n}", 1))
    with pytest.raises(TooManyMatchesError):
        asyncio.run(limits.check_new_matches(SOMEBODY, 1))


def test_a_thousand_games_fit_behind_a_proxy_that_hides_who_asks() -> None:
    """Two streams a game, and a move a game every ten seconds with two looks at it."""
    limits = frozen_limits()
    for _game in range(10):
        asyncio.run(limits.check_new_matches(HERE, 100))
    for _move in range(6 * 1000):
        limits.check_write(HERE)
    for _request in range(3 * 6 * 1000):
        limits.check_request(HERE)
    for _stream in range(2 * 1000):
        limits.check_stream(HERE)
        limits.count_stream(HERE).__enter__()


def test_streams_are_counted_for_an_address_and_in_all() -> None:
    limits = frozen_limits(streams_per_address=2, total_streams=3)
    with limits.count_stream(SOMEBODY), limits.count_stream(SOMEBODY):
        with pytest.raises(TooManyStreamsError):
            limits.check_stream(SOMEBODY)
        limits.check_stream(HERE)
        with limits.count_stream(HERE), pytest.raises(TooManyStreamsError):
            limits.check_stream("198.51.100.1")
    limits.check_stream(SOMEBODY)


def test_a_server_that_is_about_to_stop_makes_no_matches() -> None:
    limits = frozen_limits()
    limits.draining = True
    with pytest.raises(StoppingError) as refusal:
        asyncio.run(limits.check_new_matches(SOMEBODY, 1))
    assert refusal.value.retry_after
    limits.check_write(SOMEBODY)


def test_who_guesses_at_a_match_is_told_to_wait() -> None:
    limits = frozen_limits(wrong_secrets_per_hour=2)
    for _secret in range(2):
        limits.count_wrong_secret(SOMEBODY, "match")
    with pytest.raises(TooManySecretsError) as refusal:
        limits.count_wrong_secret(SOMEBODY, "match")
    assert refusal.value.retry_after
    limits.count_wrong_secret(SOMEBODY, "another match")
    limits.count_wrong_secret("198.51.100.1", "match")
