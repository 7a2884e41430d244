"""Workers: processes that are hired for some work, and are never left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import suppress
from multiprocessing.connection import wait as wait_for
from typing import Any, Final, TypeVar

from quinconce.core.phrase import Phrase as _

ATTEMPTS: Final = 3  # with new workers each, when one dies and takes the others with it
OFTEN: Final = 0.5  # seconds between two looks at how far the workers are
DYING: Final = _("the workers die: there may not be memory enough")
Hire = Callable[[], Executor]
T = TypeVar("T")


def processes(workers: int) -> Executor:
    """Workers on this machine, as fresh processes."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=begin)


def begin() -> None:
    """What a worker does first: Ctrl-C is for the one who hired him, who then lets him go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave_with_the_employer, daemon=True).start()


def leave_with_the_employer() -> None:
    """Whoever is killed leaves no worker behind."""
    if employer := multiprocessing.parent_process():
        wait_for([employer.sentinel])
        os._exit(0)


def dismiss(executor: Executor) -> None:
    """Let workers go, whatever they are at."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        with suppress(OSError, ValueError):
            process.kill()
    executor.shutdown(wait=False)


class Crew:
    """Workers, hired when they are needed and let go at once when they are not."""

    def __init__(self, hire: Hire, hands: Callable[[], int] = lambda: 1) -> None:
        self.hands = hands  # how many tasks they can be at
        self._hire = hire
        self._executor: Executor | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_error: object) -> None:
        self.dismiss()

    def submit(self, do: Callable[..., T], *about: Any) -> Future[T]:
        """Have something done."""
        self._executor = self._executor or self._hire()
        return self._executor.submit(do, *about)

    def dismiss(self) -> None:
        """Whatever they are at."""
        executor, self._executor = self._executor, None
        if executor:
            dismiss(executor)


def finished(task: Future[T]) -> T:
    """What a worker has to say; anything unexpected as one line."""
    try:
        return task.result()
    except BrokenExecutor:
        raise
    except CancelledError:
        raise ValueError(_("the cluster is gone, or has let the work go")) from None
    except ValueError as error:
        if error.args and isinstance(error.args[0], _):
            raise
        raise failed(error) from None
    except Exception as error:
        raise failed(error) from None


def failed(error: Exception) -> ValueError:
    """A worker's own trouble, told to the one who asked for the work."""
    return ValueError(_("a worker failed: {why}", why=f"{type(error).__name__}: {error}"))
