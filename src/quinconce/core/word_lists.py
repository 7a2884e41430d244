"""Several names in a row inside a sentence: «b3, c4 or d5», «b2 and d4»."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quinconce.core.phrase import Phrase, _

MAX_NAMED: Final = 4  # a longer list is hard to read: a sentence does without it


def either(names: Sequence[str]) -> Phrase:
    """Names of which any will do; at least one."""
    if len(names) == 1:
        return Phrase("{only}", only=names[0])
    return _("{one} or {other}", one=", ".join(names[:-1]), other=names[-1])


def together(names: Sequence[str]) -> Phrase:
    """Names that belong together; at least one."""
    if len(names) == 1:
        return Phrase("{only}", only=names[0])
    first = names[0] if len(names) == 2 else ", ".join(names[:-1])
    return _("{one} and {other}", one=first, other=names[-1])
