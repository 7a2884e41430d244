"""Arrays as plain Python reads them best: their elements come as its own numbers.

NumPy's scalars are slow there and do not wrap around without a warning. Compiled code is given the
arrays themselves.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from quinconce.kernels.compiled import IS_PLAIN

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def lookup_table(table: Array) -> Array:
    """A table that is only read."""
    given: Any = table
    if IS_PLAIN and isinstance(given, np.ndarray):
        given = given.tolist() if given.ndim == 1 else given.data
    quick: Array = given
    return quick


def mask_table(table: Array) -> Array:
    """A table of words of 64 bits, which plain Python has without a sign: no bit is left of it."""
    given: Any = table.view(np.uint64) if IS_PLAIN else table
    quick: Array = lookup_table(given)
    return quick


def writable(array: Array) -> Array:
    """An array to read and write, the same memory; one of three axes is a list of two-axed ones."""
    given: Any = array
    if IS_PLAIN and isinstance(given, np.ndarray):
        given = given.data if given.ndim < 3 else [part.data for part in given]
    quick: Array = given
    return quick
