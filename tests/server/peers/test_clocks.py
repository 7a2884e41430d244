"""The time of the database, from answers that may come late; and when old things may be deleted."""

from __future__ import annotations

import pytest
from app_client import FakeClock

from quinconce.server.peers.clocks import STEP_SECONDS, ExpiryClock, SharedClock
from quinconce.server.settings import DAY, HOUR


class Machine:
    """A machine whose time of day is wrong, and a database whose time is right."""

    def __init__(self, error: float) -> None:
        self.seconds = 50.0
        self.database_jump = 0.0
        self.clock = SharedClock(lambda: self.true_time + error, lambda: self.seconds)

    @property
    def true_time(self) -> float:
        return 1_000_000.0 + self.seconds + self.database_jump

    def ask(self, before: float, after: float) -> bool:
        """The database tells its time, so long after it was asked and before it is heard."""
        asked = self.seconds
        self.seconds += before
        told = self.true_time
        self.seconds += after
        return self.clock.measure(asked, told, self.seconds)

    @property
    def wrong_by(self) -> float:
        return self.clock() - self.true_time


@pytest.mark.parametrize(("before", "after"), [(0.7, 0.0), (0.0, 0.7), (3.0, 0.1)])
def test_a_slow_answer_does_not_spoil_a_clock_that_is_right(before: float, after: float) -> None:
    machine = Machine(error=0.0)
    machine.ask(before, after)
    assert machine.wrong_by == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("error", [-5.0, 5.0])
def test_a_clock_that_is_wrong_follows_the_quickest_answer(error: float) -> None:
    machine = Machine(error)
    for before, after in ((0.4, 0.3), (0.002, 0.003), (2.0, 1.0)):
        machine.ask(before, after)
    assert abs(machine.wrong_by) <= 0.005 + 1e-6


@pytest.mark.parametrize("error", [-3600.0, 3600.0, 400 * DAY])
def test_the_first_answer_is_followed_however_wrong_the_machine_is(error: float) -> None:
    machine = Machine(error)
    with pytest.raises(RuntimeError, match="not told its time"):
        machine.clock()  # nothing is decided by the time of the machine
    assert not machine.ask(0.05, 0.05)
    assert abs(machine.wrong_by) <= 0.1 + 1e-6


@pytest.mark.parametrize("jump", [5.0, -5.0, -3600.0])
def test_later_answers_are_followed_in_small_steps(jump: float) -> None:
    machine = Machine(error=0.0)
    machine.ask(0.0, 0.0)
    machine.database_jump = jump
    for step in range(1, 4):
        assert not machine.ask(0.0, 0.0)
        moved = machine.clock._offset - 1_000_000.0
        assert moved == pytest.approx(step * STEP_SECONDS * (1 if jump > 0 else -1))


def test_a_machine_that_slept_follows_at_once_and_says_so() -> None:
    machine = Machine(error=0.0)
    machine.ask(0.0, 0.0)
    machine.database_jump = 3600.0
    assert machine.ask(0.0, 0.0)
    assert machine.wrong_by == pytest.approx(0.0)
    assert not machine.ask(0.0, 0.0)


def test_it_only_goes_forward() -> None:
    machine = Machine(error=5.0)
    machine.ask(0.001, 0.001)
    before = machine.clock()
    machine.database_jump = -1.0
    for _beat in range(10):
        machine.ask(0.001, 0.001)
        assert machine.clock() >= before
    machine.seconds += 6.0
    assert machine.wrong_by == pytest.approx(0.0, abs=0.01)


def test_nothing_expires_in_the_first_hour_nor_far_from_the_last_sign_of_life() -> None:
    day, ticks = FakeClock(), FakeClock()
    expiry = ExpiryClock(day, ticks)
    ticks.now += HOUR - 1
    assert not expiry.is_certain(day.now)
    ticks.now += 1
    assert expiry.is_certain(day.now)
    for away in (400 * DAY, 2 * DAY, -2 * DAY, -400 * DAY):
        assert not expiry.is_certain(day.now + away)


def test_the_sign_of_life_follows_a_day_for_each_hour_that_a_server_runs() -> None:
    day, ticks = FakeClock(), FakeClock()
    expiry = ExpiryClock(day, ticks)
    sign = day.now - 400 * DAY
    assert expiry.next_sign(sign) == sign
    ticks.now += HOUR
    assert expiry.next_sign(sign) == sign + DAY
    ticks.now += HOUR
    assert expiry.next_sign(day.now - HOUR) == day.now  # never ahead of it
    assert expiry.next_sign(day.now + DAY) == day.now
