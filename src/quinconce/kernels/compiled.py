"""How kernels are compiled, and in which of its two homes compiled code runs.

The native home is Numba: code is compiled on the machine it runs on, for solvers, batches and
benchmarks. The home of WebAssembly is for everybody who plays: modules that were compiled once, by
`tools/build_wasm.py`, run at once wherever there is a host for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from quinconce.kernels.code_cache import cache_directory
from quinconce.kernels.homes import is_native

F = TypeVar("F", bound=Callable[..., Any])

IS_NATIVE: Final = is_native()
# `_nrt=False` switches off reference counting, so kernels allocate nothing. Numba does not document
# it. One run with it and one without gave perft 2.1 times faster on eight piles, 1.3 on the star
# and no difference on the 8x8 board; `quinconce bench` shows what is lost without it.
OPTIONS: Final[dict[str, Any]] = {
    "cache": True,
    "nogil": True,
    "boundscheck": True,
    "_nrt": False,
    "no_cfunc_wrapper": True,  # nobody calls us from C: a tenth less to compile
}

# The states that have an implementation of their own, by stub; and the implementations.
states_with_implementation: dict[Callable[..., Any], set[type]] = {}
implementations: dict[tuple[Callable[..., Any], type | None], Callable[..., Any]] = {}

if IS_NATIVE:
    import numba
    from numba.extending import overload
    from numpy import int64 as numpy_int64

    int64: Any = numpy_int64  # a number that Numba does not take for a constant

    numba_config: Any = numba.config
    numba_config.CACHE_DIR = str(cache_directory())
else:
    from quinconce.kernels.webassembly import module_function

    int64 = int


def compiled(function: F) -> F:
    """A function that compiled code calls, compiled with the OPTIONS above.

    In a module nobody else can call it: there it stays what it was, and works for numbers alone.
    """
    return numba.njit(**OPTIONS)(function) if IS_NATIVE else function


def entry(function: F) -> F:
    """A compiled function that Python calls too, or the page: an entry of the modules."""
    made: Any = compiled(function) if IS_NATIVE else module_function(function)
    result: F = made
    return result


def by_state(stub: F) -> F:
    """A function without a body, whose meaning each kind of state gives with `implements`."""
    return stub


def implements(stub: Callable[..., Any], state: type) -> Callable[[F], F]:
    """Gives a function of the protocol its meaning for one kind of state."""
    states_with_implementation.setdefault(stub, set()).add(state)
    return register_overload(stub, state)


def implements_by_default(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Gives a function of the protocol its meaning for every state without one of its own."""
    states_with_implementation.setdefault(stub, set())
    return register_overload(stub, None)


def register_overload(stub: Callable[..., Any], state: type | None) -> Callable[[F], F]:
    """Registers an implementation of a stub for one kind of state, or for those without one."""

    def applies_to(kind: type | None) -> bool:
        return kind is state if state else kind not in states_with_implementation[stub]

    def register(implementation: F) -> F:
        implementations[stub, state] = implementation
        if IS_NATIVE:

            def choose(first: Any, *_rest: Any) -> F | None:
                kind = getattr(first, "instance_class", None)
                return implementation if applies_to(kind) else None

            register_with_numba: Any = overload
            register_with_numba(stub, strict=False, jit_options=OPTIONS)(choose)
        return implementation

    return register
