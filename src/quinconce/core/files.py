"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4


def write_whole(path: Path, text: str) -> None:
    """Write a text file by temporary file, fsync and rename: no reader ever sees half of it."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
