"""The path of a finger through a move: which places are touched, and which may come next."""

from __future__ import annotations

from collections.abc import Sequence

Steps = Sequence[frozenset[str]]  # of a move, each of one place or of several in any order


def begins_with(steps: Steps, touched: Sequence[str]) -> bool:
    """Whether a move begins with these places; those of one step may come in any order."""
    at = 0
    for step in steps:
        here = touched[at : at + len(step)]
        if not step.issuperset(here) or len(set(here)) < len(here):
            return False
        at += len(step)
    return len(touched) <= at


def continuations(steps: Steps, touched: Sequence[str]) -> frozenset[str]:
    """The places of a move that begins with these which may be touched next."""
    at = 0
    for step in steps:
        if len(touched) < at + len(step):
            return step.difference(touched[at:])
        at += len(step)
    return frozenset()
