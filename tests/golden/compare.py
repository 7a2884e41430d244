"""Compares what the program says now with what it said when the golden files were written.

`GOLDEN=write pytest tests/golden` writes the files anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

FILES: Final = Path(__file__).parent / "files"
WRITE: Final = os.environ.get("GOLDEN") == "write"


def compare(name: str, found: str) -> None:
    """Fail at the first line that differs from the golden file of this name."""
    path = FILES / name
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="")
    golden = path.read_bytes().decode()
    pairs = zip_longest(golden.splitlines(keepends=True), found.splitlines(keepends=True))
    for number, (before, now) in enumerate(pairs, start=1):
        assert now == before, f"files/{name}, line {number}: it was {before!r}, it is {now!r}"


def compare_json(name: str, found: Any) -> None:
    """The same for data, one value a line and keys in order."""
    compare(name, json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
