"""Which home compiled code has in this process: native, by Numba, or the modules of WebAssembly.

Nothing here loads either of them.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Any, Final

from quinconce.core.errors import NoHostError
from quinconce.core.phrase import _, quote
from quinconce.kernels.code_cache import is_marked_compiled

HOME_VARIABLE: Final = "QUINCONCE_HOME"  # which of the two, where one does not want to be asked
NATIVE: Final = "native"
WEBASSEMBLY: Final = "wasm"
WARM_MARK: Final = "warm"  # in the cache: `quinconce warmup` has compiled everything


class NoNativeHomeError(ValueError):
    """Something needs compiled code of this machine, and there is no compiler."""


def has_compiler() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


def is_native() -> bool:
    """Whether compiled code is Numba's here: by choice, or where `warmup` has compiled it ahead."""
    chosen = os.environ.get(HOME_VARIABLE)
    if chosen not in (None, "", NATIVE, WEBASSEMBLY):
        raise ValueError(
            _(
                "{variable} is {native} or {wasm}, not {value}",
                variable=HOME_VARIABLE,
                native=NATIVE,
                wasm=WEBASSEMBLY,
                value=quote(chosen),
            )
        )
    if chosen == NATIVE:
        require_compiler(f"{HOME_VARIABLE}={NATIVE}")
    if chosen:
        return chosen == NATIVE
    return has_compiler() and is_marked_compiled(WARM_MARK)


def require_compiler(what: str) -> None:
    """NoNativeHomeError, in the name of what needs it, where there is no compiler."""
    if not has_compiler():
        raise NoNativeHomeError(
            _(
                '{what} needs the compiler: pip install "quinconce[native]",'
                ' in a clone ".[native]"',
                what=what,
            )
        )


def check_home() -> None:
    """NoHostError or NoNativeHomeError where compiled code cannot run in this process."""
    if not is_native():
        load_wasmtime()


def load_wasmtime() -> Any:
    """The host of modules; NoHostError where it is not, or has no library for the machine."""
    try:
        import wasmtime  # slow to load
    except (ImportError, OSError, RuntimeError):
        raise NoHostError(
            _(
                "the engine needs wasmtime, which does not run on this machine; with the compiler,"
                ' pip install "quinconce[native]", it runs by {variable}={native}',
                variable=HOME_VARIABLE,
                native=NATIVE,
            )
        ) from None
    return wasmtime


def use_native(what: str) -> None:
    """Choose the native home for this process and its children, before compiled code is loaded.

    NoNativeHomeError where there is no compiler.
    """
    require_compiler(what)
    loaded = sys.modules.get("quinconce.kernels.compiled")
    if loaded and not loaded.IS_NATIVE:
        raise NoNativeHomeError(
            _("{what} needs native code from the start: set QUINCONCE_HOME=native", what=what)
        )
    os.environ[HOME_VARIABLE] = NATIVE
