"""The time of the database, from answers that may come late."""

from __future__ import annotations

import pytest

from quinconce.server.peers.clocks import SharedClock


class Machine:
    """A machine whose time of day is wrong, and a database whose time is right."""

    def __init__(self, error: float) -> None:
        self.seconds = 50.0
        self.clock = SharedClock(lambda: self.true_time + error, lambda: self.seconds)

    @property
    def true_time(self) -> float:
        return 1_000_000.0 + self.seconds

    def ask(self, before: float, after: float) -> None:
        """The database tells its time, so long after it was asked and before it is heard."""
        asked = self.seconds
        self.seconds += before
        told = self.true_time
        self.seconds += after
        self.clock.measure(asked, told, self.seconds)

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


def test_it_only_goes_forward() -> None:
    machine = Machine(error=5.0)
    before = machine.clock()
    machine.ask(0.001, 0.001)
    assert machine.clock() >= before
    machine.seconds += 6.0
    assert machine.wrong_by == pytest.approx(0.0, abs=0.01)
