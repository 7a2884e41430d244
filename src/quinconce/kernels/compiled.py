"""How kernels are compiled: one set of options, and what each kind of state gives the stubs.

With `NUMBA_DISABLE_JIT=1` in the environment nothing is compiled and Numba is not loaded: the same
functions run as plain Python, far slower, and ready at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from quinconce.core.worker_pools import PLAIN_VARIABLE
from quinconce.kernels.code_cache import cache_directory
from quinconce.kernels.plain_python import defaults, entry, implementations, stub_entry

F = TypeVar("F", bound=Callable[..., Any])

IS_PLAIN: Final = os.environ.get(PLAIN_VARIABLE, "0") not in ("", "0")
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

COMPILE_EVENT: Final = "numba:compile"
# The states that have an implementation of their own, by stub.
states_with_implementation: dict[Callable[..., Any], set[type]] = {}

if not IS_PLAIN:
    import numba
    from numba.extending import overload

    numba_config: Any = numba.config
    numba_config.CACHE_DIR = str(cache_directory())


def compiled(function: F) -> F:
    """A function compiled when it is first called, with the OPTIONS above."""
    made: Any = entry(function) if IS_PLAIN else numba.njit(**OPTIONS)(function)
    result: F = made
    return result


def compiled_or(plain: F) -> Callable[[F], F]:
    """A function compiled; or, where nothing is, another that plain Python does better."""
    return (lambda function: plain) if IS_PLAIN else compiled


def by_state(stub: F) -> F:
    """A function without a body, whose meaning each kind of state gives with `implements`."""
    given: Any = stub_entry(stub) if IS_PLAIN else stub
    result: F = given
    return result


def implements(
    stub: Callable[..., Any], state: type, plain: Callable[..., Any] | None = None
) -> Callable[[F], F]:
    """Gives a function of the protocol its meaning for one kind of state.

    `plain` is another function of the same meaning, which plain Python does better.
    """
    states_with_implementation.setdefault(stub, set()).add(state)
    if not IS_PLAIN:
        return register_overload(stub, lambda kind: kind is state)

    def keep(function: F) -> F:
        implementations.setdefault(stub, {})[state] = plain or function
        return function

    return keep


def implements_by_default(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Gives a function of the protocol its meaning for every state without one of its own."""
    states_with_implementation.setdefault(stub, set())
    if IS_PLAIN:

        def keep(function: F) -> F:
            defaults[stub] = function
            return function

        return keep
    return register_overload(stub, lambda kind: kind not in states_with_implementation[stub])


def register_overload(
    stub: Callable[..., Any], applies_to: Callable[[Any], bool]
) -> Callable[[F], F]:
    """Registers an implementation of a stub for the kinds of state it concerns."""

    def register(implementation: F) -> F:
        def choose(first: Any, *_rest: Any) -> F | None:
            return implementation if applies_to(getattr(first, "instance_class", None)) else None

        register_with_numba: Any = overload
        register_with_numba(stub, strict=False, jit_options=OPTIONS)(choose)
        return implementation

    return register


@contextmanager
def compilation_counter() -> Iterator[Callable[[], int]]:
    """A function that says how many functions have been compiled in the block, in any thread."""
    from numba.core import event

    events: Any = event  # Numba is not typed
    with events.install_recorder(COMPILE_EVENT) as recorder:
        yield lambda: len(recorder.buffer) // 2  # each begins and ends
