"""The home of WebAssembly: entries of modules as functions of Python, arrays in their memory.

A module holds the compiled code of one kind of state. All arguments of a call stand in one block
of 64-bit words: numbers as they are, a state as its fields, an array as its address and its shape.
Results come back in the same block. `interface.json` says which entries a module has.
"""

from __future__ import annotations

import atexit
import json
import math
import struct
import sys
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

MODULES_FOLDER: Final = Path(__file__).parent / "wasm"
INTERFACE_FILE: Final = MODULES_FOLDER / "interface.json"
IN_PAGE: Final = sys.platform == "emscripten"  # whether Python itself runs in a page
PAGE_BYTES: Final = 1 << 16  # by which a memory grows
ALIGNMENT: Final = 64  # bytes of a line of the processor's cache
MAX_MEMORY: Final = 0xFFFF_0000  # bytes that an address of 32 bits reaches
POOLED_BYTES: Final = 1 << 28  # that instances keep together while nobody uses them
# The formats of elements, in the words of NumPy and of `struct`.
FORMATS: Final = {
    "int64": "q",
    "int32": "i",
    "int16": "h",
    "int8": "b",
    "uint8": "B",
    "float64": "d",
    "float32": "f",
}
ELEMENTS: Final = {code: name for name, code in FORMATS.items()} | {
    "l": f"int{8 * struct.calcsize('l')}"  # as the C of this machine has it
}
FLOAT_BITS: Final = struct.Struct("<d")
WORD: Final = struct.Struct("<q")


class Entry(NamedTuple):
    """An entry of a module: its number there, and what it returns."""

    number: int
    result: str  # none, int, bool, float, state, or how many numbers


class Cells(Protocol):
    """The elements of a memory; a `memoryview`, or what reads and writes like one."""

    def __len__(self) -> int:
        """How many there are."""

    def __getitem__(self, where: Any, /) -> Any:
        """An element, or a slice of them."""

    def __setitem__(self, where: Any, value: Any, /) -> None:
        """Write an element, or a slice of them."""


class Memory(Protocol):
    """What a host lends Python of a module: its memory, and a call of the entry in the block."""

    block: int  # the address of the block
    top: int  # the first address that is free

    def cells(self, code: str) -> Cells:
        """The whole memory as elements of a format."""

    def grow(self, size: int) -> None:
        """Let the memory have at least so many bytes; MemoryError if it cannot."""

    def run(self) -> int:
        """Call what the block asks for; 0 unless it failed."""


@cache
def interface() -> dict[str, dict[str, Entry]]:
    """The entries of every module, by the kind of state and their name."""
    held = json.loads(INTERFACE_FILE.read_text(encoding="utf-8"))
    return {
        kind: {
            name: Entry(number, result)
            for number, (name, _arguments, result) in enumerate(module["entries"])
        }
        for kind, module in held["modules"].items()
    }


def module_path(kind: str) -> Path:
    """The module of a kind of state, given by its name."""
    return MODULES_FOLDER / f"{kind}.wasm"


class ArrayPlace(NamedTuple):
    """Where an array lies in the memory of a module."""

    address: int
    shape: tuple[int, ...]
    code: str


class ModuleArray:
    """An array in the memory of a module, which both sides read and write."""

    __slots__ = (
        "__weakref__",
        "_cells",
        "_first",
        "_strides",
        "code",
        "instance",
        "shape",
        "words",
    )

    def __init__(self, instance: Instance, address: int, shape: tuple[int, ...], code: str) -> None:
        self.instance = instance
        self.shape = shape
        self.code = code
        self.words = (address, *shape)  # as an argument of a call
        self._cells = instance.cells(code)
        self._first = address // struct.calcsize(code)
        self._strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def size(self) -> int:
        """How many elements there are."""
        return math.prod(self.shape)

    def _place(self, where: int | tuple[int, ...]) -> int:
        numbers = where if isinstance(where, tuple) else (where,)
        place = self._first
        for number, length, stride in zip(numbers, self.shape, self._strides, strict=False):
            if not -length <= number < length:
                raise IndexError(where)
            place += (number if number >= 0 else number + length) * stride
        return place

    def __getitem__(self, where: int | tuple[int, ...] | slice) -> Any:
        if isinstance(where, slice):  # some of the first axis, where they are
            start, stop, _step = where.indices(self.shape[0])
            address = self.words[0] + start * self._strides[0] * struct.calcsize(self.code)
            shape = max(0, stop - start), *self.shape[1:]
            return ModuleArray(self.instance, address, shape, self.code)
        axes = len(where) if isinstance(where, tuple) else 1
        place = self._place(where)
        if axes == len(self.shape):
            return self._cells[place]
        item = struct.calcsize(self.code)
        return ModuleArray(self.instance, place * item, self.shape[axes:], self.code)

    def __setitem__(self, where: int | tuple[int, ...], value: Any) -> None:
        axes = len(where) if isinstance(where, tuple) else 1
        place = self._place(where)
        if axes == len(self.shape):
            self._cells[place] = value
        else:
            elements = array(self.code, value)
            self._cells[place : place + len(elements)] = elements

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(self.shape[0]))

    def view(self) -> memoryview:
        """All elements in their order, in one axis."""
        found: memoryview = self._cells[self._first : self._first + self.size]
        return found

    def fill(self, value: int) -> None:
        """Give every element a value."""
        start = self.words[0]
        end = start + struct.calcsize(self.code) * self.size
        self.instance.write_pattern(struct.pack(f"<{self.code}", value), start, end)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        found = np.asarray(self.view()).reshape(self.shape)
        return found.astype(dtype) if dtype else found.copy() if copy else found


class Instance:
    """A module with a memory of its own, for one call at a time."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.entries = interface()[kind]
        self._memory = new_memory(kind)
        self._floor = self._top = self._used = self._lent_from = self._memory.top
        # Places and not arrays, which hold their instance: it goes with the last who has it.
        self._kept: dict[int, tuple[weakref.ref[Any], ArrayPlace]] = {}
        self._views: dict[str, Cells] = {}

    def cells(self, code: str) -> Cells:
        """The whole memory as elements of a format."""
        if code not in self._views:
            self._views[code] = self._memory.cells(code)
        return self._views[code]

    def clear(self) -> None:
        """Forget every array but those that are kept."""
        self._top = self._floor

    @property
    def size(self) -> int:
        """Bytes that were ever handed out."""
        return self._used

    def empty(self, *shape: int, dtype: str = "int64") -> ModuleArray:
        """An array whose elements are what was there before."""
        code = FORMATS[dtype]
        address = -(-self._top // ALIGNMENT) * ALIGNMENT
        end = address + struct.calcsize(code) * math.prod(shape)
        if end > MAX_MEMORY:
            raise MemoryError
        if end > len(self.cells("B")):
            self._memory.grow(end)
            self._views.clear()
        self._top = end
        self._used = max(self._used, end)
        return ModuleArray(self, address, tuple(shape), code)

    def zeros(self, *shape: int, dtype: str = "int64") -> ModuleArray:
        """An array of zeros; what nobody can have written to yet is not touched."""
        used = self._used
        made = self.empty(*shape, dtype=dtype)
        self.write_pattern(bytes(1), made.words[0], min(used, self._top))
        return made

    def write_pattern(self, pattern: bytes, start: int, end: int) -> None:
        """Write the same bytes again and again, from one address to before another."""
        cells, size = self.cells("B"), end - start
        piece = pattern * (min(size, PATTERN_BYTES) // len(pattern))
        for first in range(start, end, len(piece) or 1):
            last = min(first + len(piece), end)
            cells[first:last] = piece[: last - first]

    def array(self, values: Iterable[Any], dtype: str = "int64") -> ModuleArray:
        """An array of one axis with these elements."""
        elements = array(FORMATS[dtype], values)
        made = self.empty(len(elements), dtype=dtype)
        self._write(made, elements)
        return made

    def lasting(self, array: ModuleArray) -> memoryview:
        """What an array holds, for good: nobody writes to it."""
        content: Any = memoryview(bytes(array.view()))
        elements: memoryview = content.cast(array.code)
        return elements

    def keep(self, array: Any) -> ModuleArray:
        """A copy of an array of NumPy's, or of one that lasts, made once: nobody writes to it."""
        known = self._kept.get(id(array))
        if known and known[0]() is array:
            return ModuleArray(self, *known[1])
        made = self._copy(array)
        self._floor = self._top  # it stays, whoever uses the module next
        place = ArrayPlace(made.words[0], made.shape, made.code)
        self._kept[id(array)] = weakref.ref(array), place
        return made

    def _copy(self, array: Any) -> ModuleArray:
        elements = memoryview(array)
        made = self.empty(*(elements.shape or ()), dtype=ELEMENTS[elements.format.strip("<=@")])
        self._write(made, elements)
        return made

    def _write(self, made: ModuleArray, elements: Any) -> None:
        content = elements.tobytes()
        self.cells("B")[made.words[0] : made.words[0] + len(content)] = content

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """What an entry returns. Arrays in Python's own memory are copied to and fro."""
        entry = self.entries.get(name)
        if entry is None:
            raise NotImplementedError(f"{name} is no entry of the module of {self.kind}")
        leaves = list(flatten(arguments))
        lent = self._lend(leaf for leaf in leaves if is_own_array(leaf))
        words = [entry.number]
        for leaf in leaves:
            if isinstance(leaf, int):
                words.append(leaf)
            elif isinstance(leaf, float):
                words.extend(WORD.unpack(FLOAT_BITS.pack(leaf)))
            elif isinstance(leaf, ModuleArray):
                words.extend(leaf.words)
            elif is_own_array(leaf):
                words.extend(lent[id(leaf)].words)
            else:
                words.append(int(leaf))
        first = self._memory.block // 8
        self.cells("q")[first : first + len(words)] = array("q", words)
        try:
            if self._memory.run():
                raise OverflowError("a position has more moves than this kernel has rows")
        finally:
            self._take_back(leaves, lent)
        return self._result(entry.result, arguments)

    def _lend(self, arrays: Iterable[Any]) -> dict[int, ModuleArray]:
        """Python's arrays for one call, by their id; what is only read stays for the next."""
        asked = list(arrays)
        lent = {id(each): self.keep(each) for each in asked if memoryview(each).readonly}
        self._lent_from = self._top
        return lent | {id(each): self._copy(each) for each in asked if id(each) not in lent}

    def _take_back(self, leaves: Sequence[Any], lent: Mapping[int, ModuleArray]) -> None:
        """Give arrays of NumPy's what a call has written, and take their place back."""
        for leaf in leaves:
            if id(leaf) in lent and not memoryview(leaf).readonly and leaf.size:
                leaf[...] = lent[id(leaf)].__array__()
        self._top = self._lent_from

    def _result(self, kind: str, arguments: Sequence[Any]) -> Any:
        first = self._memory.block // 8
        if kind == "none":
            return None
        if kind == "float":
            return self.cells("d")[first]
        cells = self.cells("q")
        if kind == "int":
            return cells[first]
        if kind == "bool":
            return bool(cells[first])
        if kind == "state":
            state = arguments[0]
            return state._make(cells[first : first + len(state)])
        return tuple(cells[first : first + int(kind)])


PATTERN_BYTES: Final = 1 << 20  # that are written at once


def flatten(arguments: Iterable[Any]) -> Iterator[Any]:
    """The numbers and arrays among arguments, those in tuples too."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from flatten(argument)
        else:
            yield argument


def is_own_array(leaf: Any) -> bool:
    """Whether an argument is an array in Python's own memory: NumPy's, or one that lasts."""
    return isinstance(leaf, memoryview) or hasattr(leaf, "flags")


class InstancePool:
    """Instances that nobody uses just now, at most a number of each kind; how much is in use."""

    def __init__(self, most: int) -> None:
        self.max_free = most
        self.free: dict[str, list[Instance]] = {}
        self._lent: weakref.WeakValueDictionary[int, Instance] = weakref.WeakValueDictionary()

    @property
    def used_bytes(self) -> int:
        """The memory of all instances that somebody has."""
        lent = (reference() for reference in self._lent.valuerefs())
        return sum(instance.size for instance in lent if instance)

    @property
    def free_bytes(self) -> int:
        """The memory of all instances that nobody has."""
        return sum(instance.size for free in list(self.free.values()) for instance in list(free))

    def acquire(self, kind: str) -> Instance:
        """An instance for one user; all that it still holds is what it keeps."""
        try:
            instance = self.free.setdefault(kind, []).pop()
            instance.clear()
        except IndexError:
            instance = Instance(kind)
        self._lent[id(instance)] = instance
        return instance

    def release(self, instance: Instance) -> None:
        """Keep an instance for the next, unless there are enough, or much memory is kept so."""
        self._lent.pop(id(instance), None)
        free = self.free.setdefault(instance.kind, [])
        if len(free) < self.max_free and self.free_bytes + instance.size <= POOLED_BYTES:
            free.append(instance)


call_pool: Final = InstancePool(4)  # for calls without arrays of their own
search_pool: Final = InstancePool(2)


@atexit.register
def forget_instances() -> None:
    """Give instances back while their host can still do it."""
    call_pool.free.clear()
    search_pool.free.clear()


def module_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """The entry of the modules that was compiled from a function."""
    name = entry_name(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        owner = next((leaf for leaf in flatten(arguments) if isinstance(leaf, ModuleArray)), None)
        if owner is not None:
            return owner.instance.call(name, arguments)
        kind = type(arguments[0]).__name__
        if kind not in interface():
            kind = kind_with_entry(name)
        instance = call_pool.acquire(kind)
        found = instance.call(name, arguments)  # one whose call fails is not used again
        call_pool.release(instance)
        return found

    return call


def entry_name(function: Callable[..., Any]) -> str:
    """What an entry is called: its module and its name, without the package."""
    return f"{function.__module__.partition('.')[2]}.{function.__name__}"


@cache
def kind_with_entry(name: str) -> str:
    """A kind of state whose module has an entry that needs no state."""
    return next(kind for kind, entries in interface().items() if name in entries)


def new_memory(kind: str) -> Memory:
    """A module with a memory of its own, in the host that there is."""
    if IN_PAGE:
        from quinconce.kernels.page_host import PageMemory

        return PageMemory(kind)
    from quinconce.kernels.wasmtime_host import WasmtimeMemory

    return WasmtimeMemory(kind)
