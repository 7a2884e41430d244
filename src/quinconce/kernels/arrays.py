"""Arrays for kernels: sparse ones, and elements that plain Python reads as its own numbers.

NumPy's scalars are slow in plain Python and do not wrap around without a warning. Compiled code is
given the arrays themselves.
"""

from __future__ import annotations

import math
import mmap
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from quinconce.kernels.compiled import IS_PLAIN

Array = TypeVar("Array", bound=np.ndarray[Any, Any])
NO_HUGE_PAGES = getattr(mmap, "MADV_NOHUGEPAGE", None)  # Linux has them large otherwise


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


def sparse_zeros(*shape: int) -> npt.NDArray[np.int64]:
    """Zeros that take memory where they are written, a small page at a time.

    A search writes the first of thousands of rows for each ply: in large pages the system would
    clear hundreds of megabytes before it begins.
    """
    size = math.prod(shape) * np.dtype(np.int64).itemsize
    if NO_HUGE_PAGES is None or size < mmap.PAGESIZE:
        return np.zeros(shape, np.int64)
    memory = mmap.mmap(-1, size)
    with suppress(OSError):  # where the system has no large pages at all
        memory.madvise(NO_HUGE_PAGES)
    return np.frombuffer(memory, np.int64).reshape(shape)
