"""The warm-up: in which order things are compiled, how far it is, and that its end is harmless."""

from __future__ import annotations

import logging
from concurrent.futures import BrokenExecutor, Executor

import pytest
from fake_warmups import FakeCompiler, play, step
from waiting import until

import quinconce
from quinconce.core.registry import game_forms
from quinconce.engine.warmup import Warmup, all_steps, default_forms, every_form


def test_everything_is_compiled_what_is_mostly_played_first() -> None:
    steps = all_steps()
    assert len(set(steps)) == len(steps)
    played = [each.form for each in steps if each.stage == "play"]
    assert played == list(every_form())
    assert played[: len(quinconce.names())] == default_forms()
    assert len(played) == sum(len(game_forms(name)) for name in quinconce.names())
    assert [each.form for each in steps if each.stage == "proofs"] == default_forms()


def test_steps_are_taken_one_after_the_other() -> None:
    compiler = FakeCompiler()
    warmup = compiler.warmup([play("diam"), play("diadema")])
    warmup.start()
    compiler.wait_for(play("diam"))
    assert not warmup.is_idle
    compiler.finish()
    compiler.wait_for(play("diam"), play("diadema"))
    compiler.finish()
    wait_until_idle(warmup)
    assert compiler.done == {play("diam"), play("diadema")}


def test_what_somebody_wants_comes_next() -> None:
    compiler = FakeCompiler()
    warmup = compiler.warmup([play("diam"), play("diadema"), play("seega")])
    warmup.start()
    compiler.wait_for(play("diam"))
    warmup.prefer(play("seega"), step("seega", "proofs"))
    warmup.prefer(play("diam"))  # is being done: it is not begun a second time
    compiler.finish(4)
    wait_until_idle(warmup)
    wanted = (play("diam"), play("seega"), step("seega", "proofs"), play("diadema"))
    compiler.wait_for(*wanted)


def test_no_process_is_started_where_everything_is_compiled() -> None:
    def refuse(*_arguments: object) -> Executor:
        raise AssertionError("a process was started")

    warmup = Warmup([play("diam")], lambda _step: None, lambda _step: True, refuse)
    warmup.start()
    warmup.prefer(play("diam"))
    assert warmup.is_idle
    assert not warmup.is_open(play("diam"))
    assert warmup.share(play("diam")) == 1


def test_it_begins_again_when_something_else_is_wanted() -> None:
    compiler = FakeCompiler()
    warmup = compiler.warmup([play("diam")])
    warmup.start()
    compiler.finish(2)
    wait_until_idle(warmup)
    warmup.prefer(step("diam", "puzzles"))
    wait_until_idle(warmup)
    compiler.wait_for(play("diam"), step("diam", "puzzles"))


def test_the_share_grows_with_the_functions_that_are_compiled() -> None:
    compiler = FakeCompiler()
    warmup = compiler.warmup([play("diam"), play("seega")])
    assert warmup.share(play("diam")) == 0
    warmup.start()
    compiler.wait_for(play("diam"))
    compiler.show(10)
    few = warmup.share(play("diam"))
    compiler.show(20)
    assert 0 < few < warmup.share(play("diam")) < 1
    compiler.show(10_000)
    assert warmup.share(play("diam")) < 1  # as long as it is not done
    assert warmup.share(play("seega")) == 0
    compiler.finish()
    compiler.wait_for(play("diam"), play("seega"))
    assert warmup.share(play("diam")) == 1
    assert warmup.share(play("seega")) == 0
    compiler.finish()


@pytest.mark.parametrize("error", [BrokenExecutor("dead"), MemoryError(), ValueError("odd")])
def test_a_step_that_fails_is_tried_again_and_told_on_one_line(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    compiler = FakeCompiler()
    compiler.errors = [error]
    warmup = compiler.warmup([play("diam"), play("seega")])
    warmup.start()
    compiler.finish(3)
    wait_until_idle(warmup)
    compiler.wait_for(play("diam"), play("seega"), play("diam"))
    assert compiler.done == {play("diam"), play("seega")}
    assert len(caplog.records) == 1
    assert caplog.records[0].exc_info is None


def test_what_fails_again_and_again_is_left_alone() -> None:
    compiler = FakeCompiler()
    compiler.errors = [BrokenExecutor(), BrokenExecutor()]
    warmup = compiler.warmup([play("diam")])
    warmup.start()
    compiler.finish(2)
    wait_until_idle(warmup)
    assert not warmup.is_open(play("diam"))  # nobody waits for it any more
    warmup.prefer(play("diam"))
    compiler.wait_for(play("diam"), play("diam"))


def test_after_too_many_failures_nothing_more_is_tried() -> None:
    compiler = FakeCompiler()
    compiler.errors = [BrokenExecutor() for _each in range(10)]
    warmup = compiler.warmup(all_steps())
    warmup.start()
    compiler.finish(10)
    wait_until_idle(warmup)
    assert len(compiler.begun) == 6
    assert not any(map(warmup.is_open, all_steps()))


def test_where_no_process_can_be_started_nobody_waits() -> None:
    def fail(*_arguments: object) -> Executor:
        raise OSError("no more processes")

    warmup = Warmup(all_steps(), lambda _step: None, lambda _step: False, fail)
    warmup.start()
    assert warmup.is_idle
    assert not any(map(warmup.is_open, all_steps()))


def test_nothing_is_compiled_after_the_end() -> None:
    compiler = FakeCompiler()
    warmup = compiler.warmup([play("diam"), play("seega")])
    warmup.start()
    compiler.wait_for(play("diam"))
    warmup.close()
    compiler.finish(2)
    warmup.prefer(play("seega"))
    wait_until_idle(warmup)
    compiler.wait_for(play("diam"))


def wait_until_idle(warmup: Warmup) -> None:
    until(lambda: warmup.is_idle)
