"""Endings in files: there whole or not at all, with a checksum, mapped into memory.

The first 8192 bytes are a line of JSON filled up with spaces: what the file is about. Worths follow
by number, two bytes each, little-endian; then a SHA-256 of all that comes before it. A table holds
all positions up to a number of pieces, so that it is one array; a part holds those of one part.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from quinconce.core.files import atomic_writer
from quinconce.core.game import Game
from quinconce.solvers.endgames.layers import Part, ResultCount
from quinconce.solvers.retrograde import Distances

FORMAT: Final = "quinconce endings 1"  # another number where the numbers of positions change
FOLDER_VARIABLE: Final = "QUINCONCE_ENDINGS"  # names another folder than the user's cache
HEADER_BYTES: Final = 8192  # bytes
CHECKSUM_BYTES: Final = 32
BLOCK_BYTES: Final = 1 << 22  # bytes
STALE_AFTER: Final = 3600  # seconds after which nothing writes to a temporary file any more

# Of each part: the weaker to move, the stronger to move, positions up to symmetry.
PartStatistics = dict[Part, tuple[ResultCount, ResultCount, int]]


class TableContent(NamedTuple):
    """What a file holds."""

    distances: Distances
    statistics: PartStatistics


def default_folder() -> Path:
    """Where endings are kept unless a folder is named."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("quinconce") / "endings"


def table_path(folder: Path, game: Game[Any], pieces: int) -> Path:
    """The file of the positions with at most a given number of pieces."""
    return folder / f"{game.form_id}-{pieces}.endings"


def part_path(folder: Path, game: Game[Any], part: Part) -> Path:
    """The file of a part, which is kept until its layer is whole."""
    whole = table_path(folder, game, part.pieces)
    return whole.with_name(f"{whole.stem}-{part.strong}v{part.weak}.part")


def rounds_path(folder: Path, game: Game[Any], part: Part) -> Path:
    """The file of a part in the making, by rounds."""
    return part_path(folder, game, part).with_suffix(".rounds")


def header(game: Game[Any], pieces: int, part: Part | None = None) -> dict[str, Any]:
    """What tells one file from another."""
    return {
        "format": FORMAT,
        "game": game.name,
        "options": dict(game.chosen),
        "rules": game.rules,
        "pieces": pieces,
        "part": list(part) if part else None,
    }


def write_table(
    path: Path, header: dict[str, Any], stretches: Iterable[Distances], figures: PartStatistics
) -> None:
    """Write worths, one stretch after the other."""
    rows = [[part, *counts] for part, counts in figures.items()]
    line = json.dumps({**header, "figures": rows}).encode()
    if len(line) >= HEADER_BYTES:
        raise OverflowError("the head of a file of endings is too long")
    digest = hashlib.sha256()
    with atomic_writer(path) as file:
        head = line.ljust(HEADER_BYTES - 1) + b"\n"
        digest.update(head)
        file.write(head)
        for stretch in stretches:
            for first in range(0, len(stretch), BLOCK_BYTES // 2):
                content = stretch[first : first + BLOCK_BYTES // 2].astype("<i2").tobytes()
                digest.update(content)
                file.write(content)
        file.write(digest.digest())


def read_table(path: Path, header: dict[str, Any], entries: int) -> TableContent | None:
    """The worths in a file; None if there is none, or it is damaged or about something else."""
    try:
        with path.open("rb") as file:
            head = file.read(HEADER_BYTES)
            figures = parse_statistics(json.loads(head), header)
            size = 2 * entries
            if os.fstat(file.fileno()).st_size != HEADER_BYTES + size + CHECKSUM_BYTES:
                return None
            digest = hashlib.sha256(head)
            while size:
                content = file.read(min(size, BLOCK_BYTES))
                digest.update(content)
                size -= len(content)
            if file.read() != digest.digest():
                return None
        import numpy as np

        # Changes would stay ours. A map that can only be read is another type to compiled code,
        # which would have to be compiled for it once more.
        mapped = np.memmap(path, "<i2", "c", HEADER_BYTES, (entries,))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return TableContent(np.asarray(mapped), figures)


def parse_statistics(facts: dict[str, Any], subject: dict[str, Any]) -> PartStatistics:
    """The figures in the head of a file; ValueError if it is about something else."""
    if {name: facts[name] for name in subject} != subject:
        raise ValueError
    return {
        Part(*part): (ResultCount(*weak), ResultCount(*strong), int(classes))
        for part, weak, strong, classes in facts["figures"]
    }


def remove_stale_files(folder: Path, game: Game[Any]) -> None:
    """Remove the temporary files of processes that were killed."""
    for path in folder.glob(f".{game.name}-*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > STALE_AFTER:
                path.unlink()
