"""Arrays that compiled code works on: NumPy's in the native home, else in a module's memory."""

from __future__ import annotations

import math
import mmap
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.compiled import IS_NATIVE
from quinconce.kernels.webassembly import FORMATS, Instance, search_pool

CACHE_LINE_BYTES: Final = 64  # bytes that the processor fetches at once
WORD_BYTES: Final = 8
NO_HUGE_PAGES = getattr(mmap, "MADV_NOHUGEPAGE", None)  # Linux has them large otherwise


def sparse_zeros(*shape: int) -> Int64Array:
    """Zeros that take memory where they are written, a small page at a time.

    A search writes the first of thousands of rows for each ply: in large pages the system would
    clear hundreds of megabytes before it begins.
    """
    import numpy as np

    size = math.prod(shape) * WORD_BYTES
    if NO_HUGE_PAGES is None or size < mmap.PAGESIZE:
        return np.zeros(shape, np.int64)
    memory = mmap.mmap(-1, size)
    with suppress(OSError):  # where the system has no large pages at all
        memory.madvise(NO_HUGE_PAGES)
    return np.frombuffer(memory, np.int64).reshape(shape)


def aligned_zeros(rows: int, columns: int) -> Int64Array:
    """Zeros that begin with a line of the processor's cache."""
    import numpy as np

    memory = np.zeros(rows * columns + CACHE_LINE_BYTES // WORD_BYTES, np.int64)
    skipped = -memory.ctypes.data % CACHE_LINE_BYTES // WORD_BYTES
    return memory[skipped : skipped + rows * columns].reshape(rows, columns)


class NativeArrays:
    """Makes arrays of NumPy's; the same functions as an instance of a module has."""

    def zeros(self, *shape: int, dtype: str = "int64") -> Any:
        """An array of zeros, which takes memory where it is written."""
        import numpy as np

        return sparse_zeros(*shape) if dtype == "int64" else np.zeros(shape, dtype)

    empty = zeros

    def array(self, values: Iterable[Any], dtype: str = "int64") -> Any:
        """An array of one axis with these elements."""
        import numpy as np

        return np.array(list(values), dtype)

    def keep(self, array: Any) -> Any:
        """An array that nobody writes to."""
        return array

    def lasting(self, array: Any) -> Any:
        """What an array holds, for good: nobody writes to it."""
        array.flags.writeable = False
        return array


NATIVE_ARRAYS: Final = NativeArrays()


class ArrayMaker(Protocol):
    """Makes arrays where the home of compiled code wants them."""

    def zeros(self, *shape: int, dtype: str = "int64") -> Any:
        """An array of zeros."""

    def empty(self, *shape: int, dtype: str = "int64") -> Any:
        """An array that is written before it is read."""

    def array(self, values: Iterable[Any], dtype: str = "int64") -> Any:
        """An array of one axis with these elements."""

    def keep(self, array: Any) -> Any:
        """An array that nobody writes to, for as many searches as want it."""

    def lasting(self, array: Any) -> Any:
        """What an array holds, for good: nobody writes to it."""


def array_maker(owner: object, state: Any) -> ArrayMaker:
    """What makes the arrays of one search over this kind of state, until their owner is gone."""
    arrays = acquire_arrays(state)
    weakref.finalize(owner, release_arrays, arrays)
    return arrays


@contextmanager
def temporary_arrays(state: Any) -> Iterator[ArrayMaker]:
    """What makes the arrays of one question about this kind of state."""
    arrays = acquire_arrays(state)
    yield arrays
    release_arrays(arrays)


def acquire_arrays(state: Any) -> ArrayMaker:
    """NumPy's in the native home, or a module that nobody uses just now."""
    if IS_NATIVE:
        return NATIVE_ARRAYS
    return search_pool.acquire(type(state).__name__)


def no_elements(dtype: str) -> Any:
    """An array without elements, which lasts."""
    if IS_NATIVE:
        return NATIVE_ARRAYS.lasting(NATIVE_ARRAYS.array([], dtype))
    nothing: Any = memoryview(b"")
    return nothing.cast(FORMATS[dtype])


def release_arrays(arrays: ArrayMaker) -> None:
    """Let the next search have a module."""
    if isinstance(arrays, Instance):
        search_pool.release(arrays)
