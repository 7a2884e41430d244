"""The Python twins of the kernels' protocol: the same names and signatures, and cached for good."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

from quinconce.kernels import calls, protocol

# The stubs that only compiled code calls, and who does.
WITHOUT_TWIN = {
    "successor_count": "the last ply of a perft",
    "is_placing": "the search, to choose how it orders moves",
    "prunes_by_estimate": "the search, to choose what it leaves out",
}
STUBS = {
    name: stub
    for name, stub in vars(protocol).items()
    if isinstance(stub, FunctionType)
    and stub.__module__ == protocol.__name__
    and not name.startswith("_")
}
TWINS = {
    name: twin.py_func
    for name, twin in vars(calls).items()
    if hasattr(twin, "py_func") and twin.py_func.__module__ == calls.__name__
}


def test_every_stub_that_python_calls_has_a_twin_of_its_name() -> None:
    assert len(STUBS) > 16
    assert set(TWINS) == STUBS.keys() - WITHOUT_TWIN.keys()
    assert STUBS.keys() > WITHOUT_TWIN.keys()


@pytest.mark.parametrize("name", sorted(TWINS))
def test_a_twin_has_the_signature_of_its_stub(name: str) -> None:
    assert inspect.signature(TWINS[name]) == inspect.signature(STUBS[name])
    assert f"`protocol.{name}`" in (TWINS[name].__doc__ or "")


# Calls every twin for one kind of state, and says in which folder the cache is.
CALL_EVERYTHING = """
import inspect
import numpy as np
import quinconce
from quinconce.kernels import calls, compiled
from quinconce.kernels.kernel import kernel_for

kernel = kernel_for(quinconce.game("diadema"))
state, out = kernel.encode(kernel.game.start()), kernel.new_rows(1)[0]
weights = np.array(list(kernel.features.values()), np.int64)
known = {"state": state, "after": state, "out": out, "weights": weights}
known |= dict.fromkeys(("path", "places", "pieces"), np.zeros(64, np.int64))
twins = [twin for twin in vars(calls).values() if hasattr(twin, "py_func")]
own = [twin for twin in twins if twin.py_func.__module__ == calls.__name__]
for twin in own:
    twin(*(known.get(name, 0) for name in inspect.signature(twin.py_func).parameters))
print(len(own), compiled.numba.config.CACHE_DIR)
"""


@pytest.mark.process
def test_a_second_process_adds_nothing_to_the_cache(tmp_path: Path) -> None:
    """What `exec` or a closure makes would be compiled in every process, and the cache grow."""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    listings = []
    for _process in range(2):
        done = subprocess.run(
            [sys.executable, "-c", CALL_EVERYTHING],
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        called, folder = done.stdout.split()
        assert int(called) == len(TWINS)
        assert Path(folder).is_relative_to(tmp_path)
        listings.append(
            {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*") if path.is_file()}
        )
    assert len(listings[0]) >= 2 * len(TWINS), "an index and the code of each"
    assert listings[1] == listings[0]
