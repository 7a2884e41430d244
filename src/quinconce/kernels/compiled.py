"""How kernels are compiled: one set of options, and what each kind of state gives the stubs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba
from numba.extending import overload

from quinconce.kernels.code_cache import cache_directory

F = TypeVar("F", bound=Callable[..., Any])

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

states_with_implementation: dict[
    Callable[..., Any], set[type]
] = {}  # the states with their own, by stub
numba_config: Any = numba.config
numba_config.CACHE_DIR = str(cache_directory())


def compiled(function: F) -> F:
    """A function compiled when it is first called, with the OPTIONS above."""
    result: F = numba.njit(**OPTIONS)(function)
    return result


def implements(stub: Callable[..., Any], state: type) -> Callable[[F], F]:
    """Gives a function of the protocol its meaning for one kind of state."""
    states_with_implementation.setdefault(stub, set()).add(state)
    return register_overload(stub, lambda kind: kind is state)


def implements_by_default(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Gives a function of the protocol its meaning for every state without one of its own."""
    states_with_implementation.setdefault(stub, set())
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
