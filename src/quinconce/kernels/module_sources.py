"""What the modules of WebAssembly are made from: a digest tells when they are older than that.

It covers the functions that are compiled into a module and the constants they use, but no words
about them. To be asked in the native home.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

from quinconce.core.registry import game_forms, menu_names
from quinconce.kernels.compiled import implementations, states_with_implementation
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.webassembly import interface

PACKAGE = "quinconce"


def module_digest(kind: str, entries: list[str]) -> str:
    """Names what the module of a kind of state is compiled from, given its entries by name."""
    for game in menu_names():  # a stub has no meaning before its kernel is loaded
        kernel_for(game_forms(game)[0])
    digest, seen = hashlib.sha256(), set[int]()
    for name in sorted(entries):
        module, _dot, function = name.rpartition(".")
        for text in describe(getattr(import_module(f"{PACKAGE}.{module}"), function), kind, seen):
            digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def entries_of(kind: str) -> list[str]:
    """The entries that the module of a kind of state has, by name."""
    return list(interface()[kind])


def describe(thing: Any, kind: str, seen: set[int]) -> Iterator[str]:
    """What compiled code sees of something that it names."""
    function = getattr(thing, "py_func", getattr(thing, "__wrapped__", thing))
    if isinstance(function, FunctionType):
        if id(function) not in seen:
            seen.add(id(function))
            yield from describe_function(function, kind, seen)
    elif isinstance(thing, type):
        yield f"{thing.__name__} {getattr(thing, '_fields', '')}"
    elif hasattr(thing, "tobytes"):
        yield f"{thing.dtype} {thing.shape} {hashlib.sha256(thing.tobytes()).hexdigest()}"
    elif not isinstance(thing, ModuleType):
        yield repr(thing)


def describe_function(function: FunctionType, kind: str, seen: set[int]) -> Iterator[str]:
    """The code of a function and all that it names; of a stub, what this kind of state gives it."""
    if function in states_with_implementation:
        given = {state.__name__: state for state in states_with_implementation[function]}
        found = implementations.get((function, given.get(kind)))
        yield from describe(found, kind, seen)
        return
    yield source_without_words(function)
    names = set(names_in(function.__code__))
    for name in sorted(names & function.__globals__.keys()):
        thing = function.__globals__[name]
        if isinstance(thing, ModuleType) and thing.__name__.startswith(PACKAGE):
            for inner in sorted(names & vars(thing).keys()):
                yield from describe(vars(thing)[inner], kind, seen)
        else:
            yield name
            yield from describe(thing, kind, seen)


def names_in(code: CodeType) -> Iterator[str]:
    """The names that code and the functions in it look up."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


@cache
def source_without_words(function: FunctionType) -> str:
    """The source of a function without docstring, comments and white space."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    body = tree.body[0]
    assert isinstance(body, ast.FunctionDef)
    if ast.get_docstring(body, clean=False) is not None:
        body.body = body.body[1:] or [ast.Pass()]
    body.decorator_list = []
    return ast.unparse(tree)
