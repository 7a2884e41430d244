"""Kernels as plain Python: what compiling does for them, but in a millisecond.

A function that is called with a state of some kind is copied for that kind: what it calls is looked
up once, while it is copied, and not by every call. So a stub costs no more than the function that
implements it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, Final

PlainFunction = Callable[..., Any]

implementations: Final[dict[PlainFunction, dict[type, PlainFunction]]] = {}  # by stub and kind
defaults: Final[dict[PlainFunction, PlainFunction]] = {}  # by stub
bodies: Final[dict[PlainFunction, PlainFunction]] = {}  # of the functions that `entry` returned
copies: Final[dict[tuple[PlainFunction, type], PlainFunction]] = {}


def entry(function: PlainFunction) -> PlainFunction:
    """A function to be called from anywhere: it goes on in its copy for the first argument."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        return copy_for(type(arguments[0]), function)(*arguments)

    bodies[call] = function
    return call


def stub_entry(stub: PlainFunction) -> PlainFunction:
    """A function without a body, to be called from anywhere."""

    @wraps(stub)
    def call(state: Any, *rest: Any) -> Any:
        return resolve(type(state), dispatch)(state, *rest)

    dispatch: PlainFunction = call
    implementations[dispatch] = {}
    return dispatch


def resolve(kind: type, thing: Any) -> Any:
    """What a name stands for where states are of this kind."""
    if not isinstance(thing, FunctionType):
        return thing
    if thing in bodies:
        return copy_for(kind, bodies[thing])
    if thing in implementations:
        found = implementations[thing].get(kind) or defaults.get(thing)
        return copy_for(kind, found) if found else thing
    return thing


def copy_for(kind: type, function: PlainFunction) -> PlainFunction:
    """The copy of a function in which every stub is the function for this kind of state."""
    if known := copies.get((function, kind)):
        return known
    assert isinstance(function, FunctionType)
    names: dict[str, Any] = {}
    copy = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copies[function, kind] = copy  # before its names are looked up: it may call itself
    names.update((name, resolve(kind, thing)) for name, thing in function.__globals__.items())
    return copy
