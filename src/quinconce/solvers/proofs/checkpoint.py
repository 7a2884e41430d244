"""The table of a search in a file, so that the search can be interrupted and resumed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from quinconce.core.files import atomic_writer, name_file_in_errors
from quinconce.core.phrase import _
from quinconce.kernels.array_types import Int64Array
from quinconce.solvers.proofs.dfpn import SLOT_BYTES

# A line of JSON; then every slot in use: its number, its two words, little-endian; then a SHA-256.
FORMAT: Final = "quinconce checkpoint 1"
HEADER_LIMIT: Final = 1 << 16  # bytes of the first line
MOST_SLOTS: Final = 1 << 40  # slots
SLOTS_PER_BLOCK: Final = 1 << 18  # slots read or written at once
STORED_SLOT_BYTES: Final = 8 + SLOT_BYTES
SHARED_KEY: Final = "shared"  # in a question that many processes work at: the table is their tree
DAMAGED: Final = _("this is not a checkpoint, or it is damaged")


def write(
    path: Path, question: dict[str, Any], progress: dict[str, Any], table: Int64Array
) -> None:
    """Write a table with what it is about."""
    import numpy as np

    used = np.flatnonzero(table[:, 1])
    facts = {"format": FORMAT, "slots": len(table), "used": len(used), **progress}
    digest = hashlib.sha256()
    with name_file_in_errors(path), atomic_writer(path) as file:
        line = json.dumps({**facts, "question": question}).encode() + b"\n"
        digest.update(line)
        file.write(line)
        for first in range(0, len(used), SLOTS_PER_BLOCK):
            slots = used[first : first + SLOTS_PER_BLOCK]
            part = np.column_stack((slots, table[slots])).astype("<i8").tobytes()
            digest.update(part)
            file.write(part)
        file.write(digest.digest())


def read(path: Path, question: dict[str, Any]) -> tuple[dict[str, Any], Int64Array]:
    """What was found out about a question; ValueError if the file is about another, or damaged."""
    import numpy as np

    digest = hashlib.sha256()
    with name_file_in_errors(path), path.open("rb") as file:
        line = file.readline(HEADER_LIMIT)
        digest.update(line)
        try:
            facts = json.loads(line)
            slots, used = facts["slots"], facts["used"]
            known = facts["format"] == FORMAT and 0 <= used <= slots <= MOST_SLOTS
        except (ValueError, KeyError, TypeError):
            raise ValueError(DAMAGED) from None
        if (
            not known
            or slots & slots - 1
            or path.stat().st_size != len(line) + used * STORED_SLOT_BYTES + 32
        ):
            raise ValueError(DAMAGED)
        if facts["question"] != question:
            if {**facts["question"], SHARED_KEY: None} == {**question, SHARED_KEY: None}:
                raise ValueError(
                    _("one process and several keep different checkpoints: name another file")
                )
            raise ValueError(_("this checkpoint belongs to another question"))
        table = np.zeros((slots, 2), np.int64)
        while used:
            part = file.read(min(used, SLOTS_PER_BLOCK) * STORED_SLOT_BYTES)
            digest.update(part)
            words = np.frombuffer(part, "<i8").reshape(-1, 3)
            if words[:, 0].min() < 0 or words[:, 0].max() >= slots:
                raise ValueError(DAMAGED)
            table[words[:, 0]] = words[:, 1:]
            used -= len(words)
        if file.read() != digest.digest():
            raise ValueError(DAMAGED)
    return facts, table
