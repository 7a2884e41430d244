"""Room for rows: zeros of a shape, with or without small pages."""

from __future__ import annotations

import numpy as np
import pytest

from quinconce.kernels import arrays as rooms
from quinconce.kernels.arrays import sparse_zeros


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("shape", [(2, 3), (101, 4096, 9)])
def test_room_is_of_its_shape_empty_and_can_be_written(
    small: bool, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not small:
        monkeypatch.setattr(rooms, "NO_HUGE_PAGES", None)
    numbers = sparse_zeros(*shape)
    assert numbers.shape == shape
    assert numbers.dtype == np.int64
    assert numbers.flags.c_contiguous
    assert numbers.flags.writeable
    assert not numbers.any()
    numbers[-1, -1] = 7
    assert np.count_nonzero(numbers) == numbers[-1, -1].size


def test_an_advice_that_the_system_refuses_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "NO_HUGE_PAGES", 12345)  # no advice of any system
    assert not sparse_zeros(64, 1024).any()
