"""A host for modules where Python itself runs in a page: the browser's own WebAssembly.

Python's memory is not a module's there: what is read and written is copied, some bytes at a time.
"""

from __future__ import annotations

import struct
from functools import cache
from importlib import import_module
from typing import Any

from quinconce.kernels.webassembly import PAGE_BYTES, module_path


class PageMemory:
    """The memory of a module that the browser runs."""

    def __init__(self, kind: str) -> None:
        js: Any = import_module("js")
        exports = js.WebAssembly.Instance.new(load_module(kind)).exports
        self._run = exports.run
        self._memory = exports.memory
        self.block: int = exports.block.value
        self.top: int = getattr(exports, "__heap_base").value  # Python would rename it
        self._view_bytes = js.Uint8Array.new
        self.content = self._view_bytes(self._memory.buffer)

    def cells(self, code: str) -> PageCells:
        """The whole memory as elements of a format."""
        return PageCells(self, code)

    def grow(self, size: int) -> None:
        """Let the memory have at least so many bytes; MemoryError if it cannot."""
        missing = size - self.content.length
        try:
            self._memory.grow(-(-missing // PAGE_BYTES))
        except Exception:  # a RangeError of the browser's
            raise MemoryError from None
        self.content = self._view_bytes(self._memory.buffer)  # the one before is gone

    def run(self) -> int:
        """Call what the block asks for; 0 unless it failed."""
        return int(self._run())


class PageCells:
    """The elements of such a memory, read and written as those of a `memoryview` are."""

    def __init__(self, memory: PageMemory, code: str) -> None:
        self._memory = memory
        self._code = code
        self._size = struct.calcsize(code)

    def __len__(self) -> int:
        return int(self._memory.content.length) // self._size

    def _bytes(self, first: int, last: int) -> Any:
        return self._memory.content.subarray(first * self._size, last * self._size)

    def __getitem__(self, where: int | slice) -> Any:
        if isinstance(where, slice):
            content: Any = memoryview(self._bytes(where.start, where.stop).to_bytes())
            return content.cast(self._code)
        return struct.unpack(f"<{self._code}", self._bytes(where, where + 1).to_bytes())[0]

    def __setitem__(self, where: int | slice, value: Any) -> None:
        if isinstance(where, slice):
            self._bytes(where.start, where.stop).assign(memoryview(value).cast("B"))
        else:
            self._bytes(where, where + 1).assign(struct.pack(f"<{self._code}", value))


@cache
def load_module(kind: str) -> Any:
    """The module of a kind of state, compiled by the browser."""
    js: Any = import_module("js")
    ffi: Any = import_module("pyodide.ffi")
    return js.WebAssembly.Module.new(ffi.to_js(module_path(kind).read_bytes()))
