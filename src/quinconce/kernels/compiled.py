"""How kernels are compiled: one set of options, and a cache that knows when it is stale."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import platformdirs
from numba.extending import overload

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
COMPILED_PACKAGES: Final = ("kernels", "solvers", "engine")  # the rooms with compiled code in them
PACKAGE: Final = Path(__file__).parents[1]
CACHE_LIFETIME: Final = (
    30 * 24 * 3600
)  # seconds after which the cache of older sources is thrown away


def sources(package: Path = PACKAGE) -> list[Path]:
    """Every module that may hold compiled code, those in sub-folders too."""
    return [path for room in COMPILED_PACKAGES for path in sorted((package / room).rglob("*.py"))]


def sources_digest(package: Path = PACKAGE) -> str:
    """Names the sources: Numba does not see that a function called from another file changed."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory() -> Path:
    """A folder of ours for compiled code, or a temporary one where there can be none."""
    try:
        room = platformdirs.user_cache_path("quinconce") / "compiled"
        folder = room / sources_digest()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Numba's files are pickles: a folder that somebody else could write to is not used.
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            raise PermissionError(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        prune_cache(room, folder)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="quinconce-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def prune_cache(room: Path, current: Path) -> None:
    """Throw away what was compiled from older sources and not used for long."""
    os.utime(current)
    for folder in room.iterdir():
        if folder != current and time.time() - folder.stat().st_mtime > CACHE_LIFETIME:
            shutil.rmtree(folder, ignore_errors=True)


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
