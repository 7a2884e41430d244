"""What it takes to solve endings: memory, disk and time, estimated before anything begins."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from quinconce.core.phrase import Phrase, _
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel
from quinconce.solvers.endgames.layers import Part, part_numbers
from quinconce.solvers.endgames.rounds import words_to_keep

# As measured with 5×3 and 4×2 pieces on 5×5 cells, for each position up to symmetry.
KEPT_BYTES: Final = 166
KEPT_SECONDS: Final = 1.8e-6
ROUNDS_SECONDS: Final = 5e-6
SET_BYTES: Final = 12
PROCESS_BYTES: Final = 3 << 28  # of a process without its part: what it compiles, mostly
NUMBER_BYTES: Final = 2  # of a file
MEMORY_FILE: Final = Path("/proc/meminfo")
GIGABYTE: Final = 1e9


class PartNeeds(NamedTuple):
    """What one part takes."""

    memory: int
    saved: int  # on disk, while it is worked out
    seconds: float


class Needs(NamedTuple):
    """What all that is missing takes together."""

    positions: int  # up to symmetry, about
    memory: int
    disk: int
    seconds: float  # of one core


def positions_of_part(kernel: Kernel, part: Part) -> int:
    """How many positions a part has up to symmetry, about."""
    state = kernel.encode(kernel.game.start())
    per_position = calls.image_count(state) * calls.indices_per_board(state)
    return part_numbers(kernel, part).total // int(per_position)


def part_needs(kernel: Kernel, part: Part, compact: bool) -> PartNeeds:
    """What a part takes by either method."""
    state, span = kernel.encode(kernel.game.start()), part_numbers(kernel, part)
    positions = positions_of_part(kernel, part)
    if not compact:
        return PartNeeds(PROCESS_BYTES + KEPT_BYTES * positions, 0, KEPT_SECONDS * positions)
    sets = span.size // int(calls.indices_per_cell_set(state, part.pieces, part.weak))
    saved = 2 * words_to_keep(span.total // int(calls.image_count(state)))
    return PartNeeds(PROCESS_BYTES + SET_BYTES * sets + saved, saved, ROUNDS_SECONDS * positions)


def sum_of_largest(sizes: Iterable[int], n: int) -> int:
    """The sum of the `n` largest."""
    return sum(sorted(sizes)[-n:])


def free_memory() -> int | None:
    """How many bytes of memory this machine can give; None if it does not say."""
    try:
        lines = MEMORY_FILE.read_text(encoding="ascii").splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if "MemAvailable" in line)
    except (OSError, ValueError, StopIteration, IndexError):
        return None


def free_disk(folder: Path) -> int | None:
    """How many bytes can be written to a folder, which need not be there; None if unknown."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    try:
        return shutil.disk_usage(there).free
    except OSError:
        return None


def check_needs(needs: Needs, folder: Path) -> None:
    """Raise ValueError if this machine has too little memory or disk."""
    for needed, free, why in (
        (
            needs.memory,
            free_memory(),
            _(
                "this takes {needed:.1f} GB of memory, and {free:.1f} GB are free: --jobs 1 and"
                " --compact take less"
            ),
        ),
        (
            needs.disk,
            free_disk(folder),
            _(
                "this takes {needed:.1f} GB of disk, and {free:.1f} GB are free: name another"
                " --folder"
            ),
        ),
    ):
        if free is not None and needed > free:
            shortage: Phrase = why.fill(needed=needed / GIGABYTE, free=free / GIGABYTE)
            raise ValueError(shortage)
