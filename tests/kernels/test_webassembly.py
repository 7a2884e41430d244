"""The modules of WebAssembly: made from the sources of today, and memories of their own."""

from __future__ import annotations

import gc
import json
import re
import weakref
from typing import Any

import numpy as np
import pytest
from corpus import FORMS

from quinconce.engine import search as engine_search
from quinconce.kernels import webassembly
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.module_sources import entries_of, module_digest, source_without_words
from quinconce.kernels.webassembly import POOLED_BYTES, Instance, InstancePool

KIND = "ButsState"


def test_modules_are_made_from_the_sources_of_today() -> None:
    held = json.loads(webassembly.INTERFACE_FILE.read_text(encoding="utf-8"))["modules"]
    made_from = {kind: module["digest"] for kind, module in held.items()}
    now = {kind: module_digest(kind, entries_of(kind)) for kind in held}
    assert made_from == now, "run tools/build_wasm.py"


def test_every_kind_of_state_has_a_module() -> None:
    kinds = {type(kernel_for(form).encode(form.start())).__name__ for form in FORMS}
    assert {path.stem for path in webassembly.MODULES_FOLDER.glob("*.wasm")} == kinds
    assert webassembly.interface().keys() == kinds


def test_the_digest_sees_code_and_constants_and_no_words_about_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = entries_of(KIND)
    before = module_digest(KIND, names)
    monkeypatch.setattr("quinconce.engine.search.QUIESCENCE_PLIES", 11)
    assert module_digest(KIND, names) != before
    code: Any = engine_search.search
    assert "score of a position" not in source_without_words(code.py_func)


def test_two_instances_share_no_memory() -> None:
    one, other = Instance(KIND), Instance(KIND)
    mine, theirs = one.zeros(4, 2), other.zeros(4, 2)
    assert mine.words == theirs.words
    mine[3, 1] = -5
    assert mine[3][1] == -5
    assert theirs[3, 1] == 0


def test_what_is_cleared_is_allocated_again_and_zero() -> None:
    instance = Instance(KIND)
    first = instance.zeros(100)
    first.fill(7)
    instance.clear()
    again = instance.zeros(100)
    assert again.words == first.words
    assert not any(again)


def test_zeros_are_zero_wherever_somebody_has_written() -> None:
    instance = Instance(KIND)
    instance.empty(1000).fill(7)
    instance.clear()
    assert not any(instance.zeros(1000))


def test_an_instance_that_nobody_has_is_gone_at_once() -> None:
    gc.disable()
    try:
        instance = Instance(KIND)
        kept = instance.keep(np.arange(1000))
        view = kept.view()
        gone = weakref.ref(instance)
        del instance, kept
        assert gone() is None
        assert view[999] == 999  # what is still read is still there
    finally:
        gc.enable()


def test_instances_that_nobody_uses_have_little_memory_together() -> None:
    pool = InstancePool(2)
    lent = [pool.acquire(kind) for kind in webassembly.interface()]
    for instance in lent:
        instance.zeros(POOLED_BYTES // 8 // 3)
    assert pool.used_bytes > len(lent) * (POOLED_BYTES // 3)
    for instance in lent:
        pool.release(instance)
    assert pool.used_bytes == 0
    assert 0 < pool.free_bytes <= POOLED_BYTES


def test_what_is_kept_outlives_what_is_cleared() -> None:
    instance = Instance(KIND)
    table = np.arange(1000, dtype=np.int16)
    table.flags.writeable = False
    kept = instance.keep(table)
    instance.clear()
    assert instance.zeros(10).words[0] >= kept.words[0] + table.nbytes
    assert instance.keep(table).words == kept.words
    assert np.asarray(kept).tolist() == table.tolist()


def test_a_place_outside_of_an_array_is_refused() -> None:
    array = Instance(KIND).zeros(3, 2)
    for where in ((3, 0), (0, 2), (-4, 0)):
        with pytest.raises(IndexError):
            array[where] = 1


def test_a_memory_that_cannot_be_had_is_an_error() -> None:
    with pytest.raises(MemoryError):
        Instance(KIND).zeros(1 << 30)


def test_no_module_tells_where_it_was_built() -> None:
    for kind in webassembly.interface():
        code = webassembly.module_path(kind).read_bytes()
        assert b"./quinconce/kernels/calls.py" in code
        assert not re.search(rb"[/\\]\w[\w./\\]*quinconce/kernels/calls\.py", code)
