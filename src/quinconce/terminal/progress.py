"""Shows on standard error how far a long task is, if somebody is watching."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final

from rich.console import Console
from rich.progress import Progress
from rich.status import Status

from quinconce.core.phrase import _

COMPILING_STATUS: Final = _("compiling, which takes some seconds the first time")
STOPPED_NOTICE: Final = _("Stopped. The same command goes on from here.")


def progress_bar() -> Progress:
    """A progress bar, gone when it is done."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def status_line(text: str) -> AbstractContextManager[Status]:
    """A line of text that can be updated."""
    console = Console(stderr=True, quiet=not Console(stderr=True).is_terminal)
    return console.status(text)
