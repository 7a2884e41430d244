"""A host for modules where Python runs on a machine of its own: wasmtime."""

from __future__ import annotations

import atexit
import ctypes
import hashlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from quinconce.core.files import atomic_writer
from quinconce.core.phrase import _
from quinconce.kernels.code_cache import cache_directory
from quinconce.kernels.homes import load_wasmtime
from quinconce.kernels.webassembly import PAGE_BYTES, module_path

# Addresses that wasmtime reserves for a memory, so that it stays where it is when it grows; fewer
# where a process may have only some. None is its own choice, with which code is fastest.
RESERVATIONS: Final = (None, 1 << 30, 1 << 28)
DIGEST_BYTES: Final = hashlib.sha256().digest_size


class WasmtimeMemory:
    """The memory of a module that wasmtime runs."""

    def __init__(self, kind: str) -> None:
        self._store, exports = instantiate(kind)
        self._run = exports["run"]
        self._memory = exports["memory"]
        self.block: int = exports["block"].value(self._store)
        self.top: int = exports["__heap_base"].value(self._store)
        self._base = self._host_address()

    def _host_address(self) -> int:
        pointer = self._memory.data_ptr(self._store)
        return ctypes.cast(pointer, ctypes.c_void_p).value or 0

    def cells(self, code: str) -> memoryview:
        """The whole memory as elements of a format."""
        size = self._memory.data_len(self._store)
        content: Any = (ctypes.c_ubyte * size).from_address(self._base)
        content.store = self._store  # views outlive an instance: the memory is there for them
        memory: Any = memoryview(content).cast("B")
        found: memoryview = memory.cast(code)
        return found

    def grow(self, size: int) -> None:
        """Let the memory have at least so many bytes; MemoryError if it cannot."""
        missing = size - self._memory.data_len(self._store)
        try:
            self._memory.grow(self._store, -(-missing // PAGE_BYTES))
        except load_wasmtime().WasmtimeError:
            raise MemoryError from None
        # It has its addresses from the start, so that views stay where they are.
        assert self._host_address() == self._base

    def run(self) -> int:
        """Call what the block asks for; 0 unless it failed."""
        status: int = self._run(self._store)
        return status


def instantiate(kind: str) -> tuple[Any, Any]:
    """A store with an instance of a module, and what that exports.

    ValueError where this process may have no addresses for it.
    """
    wasmtime = load_wasmtime()
    for reservation in RESERVATIONS:
        engine, module = load_module(kind, reservation)
        store = wasmtime.Store(engine)
        with suppress(wasmtime.WasmtimeError):
            return store, wasmtime.Instance(store, module, []).exports(store)
    raise ValueError(
        _("this machine has no {megabytes:g} MB to give", megabytes=(reservation or 0) >> 20)
    )


@cache
def load_module(kind: str, reservation: int | None) -> tuple[Any, Any]:
    """The module of a kind of state, and the engine that compiled it for this processor.

    Its machine code is kept in a folder that nobody else can write to, after its digest: code that
    a disk has damaged would end the process.
    """
    wasmtime = load_wasmtime()
    config, path = wasmtime.Config(), module_path(kind)
    if reservation is not None:
        config.memory_reservation = reservation
        config.memory_guard_size = PAGE_BYTES
        config.memory_may_move = False
    engine = wasmtime.Engine(config)
    code = path.read_bytes()
    made_for = f"{version('wasmtime')}.{reservation or 'all'}"
    name = f"{kind}.{hashlib.sha256(code).hexdigest()[:16]}.{made_for}.code"
    kept = cache_directory() / name
    with suppress(OSError, wasmtime.WasmtimeError):  # wasmtime refuses another processor's
        if machine_code := strip_digest(kept.read_bytes()):
            return engine, wasmtime.Module.deserialize(engine, machine_code)
    module = wasmtime.Module(engine, code)
    machine_code = bytes(module.serialize())
    with suppress(OSError), atomic_writer(kept) as file:
        file.write(hashlib.sha256(machine_code).digest() + machine_code)
    return engine, module


def strip_digest(content: bytes) -> bytes:
    """The machine code of a file, which begins with its digest; nothing if they do not agree."""
    digest, machine_code = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    return machine_code if hashlib.sha256(machine_code).digest() == digest else b""


@atexit.register
def forget_modules() -> None:
    """Give modules back while wasmtime can still do it."""
    load_module.cache_clear()
