"""Keys of a terminal, one after the other; one that is pressed early waits for its turn."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import click

# An arrow key, for one, sends several letters.
KEY: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
END_OF_INPUT: Final = "\x04"  # Ctrl-D
MOST_BYTES: Final = 1024  # that are read at once
ReadKey = Callable[[], str]


@contextmanager
def open_keyboard() -> Iterator[ReadKey]:
    """A function that waits for the next key; EOFError after the last.

    The terminal hands out keys as they are pressed until the block ends. `click.getchar` sets it
    anew for each key and drops what was pressed meanwhile.
    """
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield click.getchar
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSANOW)
    try:
        yield partial(next, keys(terminal))
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def keys(terminal: int) -> Iterator[str]:
    """Every key that is pressed at a terminal; EOFError in the end."""
    while pressed := os.read(terminal, MOST_BYTES).decode(errors="replace"):
        for key in KEY.findall(pressed):
            if key == END_OF_INPUT:
                raise EOFError
            yield key
    raise EOFError
