"""Room for numbers of which only some will be written, far apart."""

from __future__ import annotations

import math
import mmap
from contextlib import suppress

import numpy as np
import numpy.typing as npt

SMALL_PAGES = getattr(mmap, "MADV_NOHUGEPAGE", None)  # Linux has them large otherwise


def room(*shape: int) -> npt.NDArray[np.int64]:
    """Zeros that take memory where they are written, a small page at a time.

    A search writes the first of thousands of rows for each ply: in large pages the system would
    clear hundreds of megabytes before it begins.
    """
    size = math.prod(shape) * np.dtype(np.int64).itemsize
    if SMALL_PAGES is None or size < mmap.PAGESIZE:
        return np.zeros(shape, np.int64)
    memory = mmap.mmap(-1, size)
    with suppress(OSError):  # where the system has no large pages at all
        memory.madvise(SMALL_PAGES)
    return np.frombuffer(memory, np.int64).reshape(shape)
