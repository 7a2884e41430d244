"""Shows on standard error how far a long task is, if somebody is watching."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from rich.console import Console
from rich.progress import Progress
from rich.status import Status

from quinconce.core.phrase import _
from quinconce.engine.warmup import USUAL_FUNCTIONS, Step, count_compiled, is_done
from quinconce.words import Voice

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


@contextmanager
def preparation_bar(say: Voice, step: Step) -> Iterator[None]:
    """A progress bar while the block compiles what a step needs; none if that is compiled."""
    if is_done(step):
        yield
        return
    game, usual = step.form.rules(), USUAL_FUNCTIONS[step.stage]
    what = say(_("preparing the engine for {game} (first time only)", game=game.title))
    with progress_bar() as progress:
        task = progress.add_task(what, total=usual)
        with count_compiled(lambda n: progress.update(task, completed=min(n, usual))):
            yield
