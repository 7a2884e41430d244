"""The types of the arrays that compiled code works on, and the tables that it is compiled with.

NumPy is there for who checks types, and in the native home. Where modules run nothing loads it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from quinconce.kernels.compiled import IS_NATIVE

HAS_NUMPY: Final = find_spec("numpy") is not None

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Int8Array: TypeAlias = npt.NDArray[np.int8]
    Int16Array: TypeAlias = npt.NDArray[np.int16]
    Int32Array: TypeAlias = npt.NDArray[np.int32]
    Int64Array: TypeAlias = npt.NDArray[np.int64]
    Float32Array: TypeAlias = npt.NDArray[np.float32]
    Float64Array: TypeAlias = npt.NDArray[np.float64]
else:
    Int8Array = Int16Array = Int32Array = Int64Array = Float32Array = Float64Array = Any


def constant_table(build: Callable[[], Any], dtype: str = "int64") -> Any:
    """The table that a function builds, for compiled code alone.

    It is built in the native home, where code is compiled with it. Modules have it in them: there
    it is empty, and costs nothing.
    """
    if not IS_NATIVE:
        return ()
    import numpy as np

    return np.array(build(), dtype)
