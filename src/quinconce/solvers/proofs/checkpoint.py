"""The table of a search in a file, so that the search can be interrupted and resumed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from quinconce.core.files import replaced, told_by_name
from quinconce.core.phrase import Phrase as _
from quinconce.solvers.proofs.dfpn import SLOT_BYTES, Words

# A line of JSON; then every slot in use: its number, its two words, little-endian; then a SHA-256.
FORMAT: Final = "quinconce checkpoint 1"
LONGEST: Final = 1 << 16  # bytes of the first line
MOST: Final = 1 << 40  # slots
AT_ONCE: Final = 1 << 18  # slots read or written at once
SLOT: Final = 8 + SLOT_BYTES
SHARED: Final = "shared"  # in a question that many processes work at: the table is their tree
NOT_WHOLE: Final = _("this is not a checkpoint, or it is damaged")


def write(path: Path, question: dict[str, Any], so_far: dict[str, Any], table: Words) -> None:
    """Write a table with what it is about."""
    used = np.flatnonzero(table[:, 1])
    facts = {"format": FORMAT, "slots": len(table), "used": len(used), **so_far}
    digest = hashlib.sha256()
    with told_by_name(path), replaced(path) as file:
        line = json.dumps({**facts, "question": question}).encode() + b"\n"
        digest.update(line)
        file.write(line)
        for first in range(0, len(used), AT_ONCE):
            slots = used[first : first + AT_ONCE]
            part = np.column_stack((slots, table[slots])).astype("<i8").tobytes()
            digest.update(part)
            file.write(part)
        file.write(digest.digest())


def read(path: Path, question: dict[str, Any]) -> tuple[dict[str, Any], Words]:
    """What was found out about a question; ValueError if the file is about another, or damaged."""
    digest = hashlib.sha256()
    with told_by_name(path), path.open("rb") as file:
        line = file.readline(LONGEST)
        digest.update(line)
        try:
            facts = json.loads(line)
            slots, used = facts["slots"], facts["used"]
            known = facts["format"] == FORMAT and 0 <= used <= slots <= MOST
        except (ValueError, KeyError, TypeError):
            raise ValueError(NOT_WHOLE) from None
        if not known or slots & slots - 1 or path.stat().st_size != len(line) + used * SLOT + 32:
            raise ValueError(NOT_WHOLE)
        if facts["question"] != question:
            if {**facts["question"], SHARED: None} == {**question, SHARED: None}:
                raise ValueError(
                    _("one process and several keep different checkpoints: name another file")
                )
            raise ValueError(_("this checkpoint belongs to another question"))
        table = np.zeros((slots, 2), np.int64)
        while used:
            part = file.read(min(used, AT_ONCE) * SLOT)
            digest.update(part)
            words = np.frombuffer(part, "<i8").reshape(-1, 3)
            if words[:, 0].min() < 0 or words[:, 0].max() >= slots:
                raise ValueError(NOT_WHOLE)
            table[words[:, 0]] = words[:, 1:]
            used -= len(words)
        if file.read() != digest.digest():
            raise ValueError(NOT_WHOLE)
    return facts, table
