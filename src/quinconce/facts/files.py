"""The facts as a file: plain data, the same bytes for the same answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from quinconce.core.files import read_text, told_by_name, write_whole
from quinconce.core.phrase import Phrase as _

Fact = dict[str, Any]
Kinds = dict[str, list[Fact]]
Facts = dict[str, Kinds]  # by the name of a game
FORMAT: Final = "quinconce facts 1"
FOUND: Final = Path(__file__).with_name("known.json")  # by the run that comes with the house
LONGEST: Final = 1 << 24  # bytes
WIDE: Final = 100  # what fits stands on one line, and so does every list of plain values


def read_facts(path: Path) -> Facts:
    """The facts of a file; ValueError, naming it, if it holds none."""
    with told_by_name(path):
        text = read_text(path, LONGEST)
        try:
            kept = json.loads(text)
        except json.JSONDecodeError:
            kept = None
        if not isinstance(kept, dict) or kept.get("format") != FORMAT:
            raise ValueError(_("these are no facts of this house"))
        facts: Facts = kept["games"]
        return facts


@cache
def found() -> Facts:
    """The facts that come with the house."""
    return read_facts(FOUND)


def write_facts(path: Path, facts: Facts) -> None:
    """Write all facts, the games in the order of their names."""
    kept = {"format": FORMAT, "games": dict(sorted(facts.items()))}
    with told_by_name(path):
        write_whole(path, laid_out(kept) + "\n")


def laid_out(value: Any, indent: str = "") -> str:
    """JSON that people can read: a line for what fits on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list):
        return flat
    nested = isinstance(value, dict) or any(isinstance(each, dict) for each in value)
    if not nested or len(flat) + len(indent) <= WIDE:
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        lines, ends = [laid_out(each, deeper) for each in value], "[]"
    else:
        lines = [f"{json.dumps(key)}: {laid_out(each, deeper)}" for key, each in value.items()]
        ends = "{}"
    inside = ",\n".join(deeper + line for line in lines)
    return f"{ends[0]}\n{inside}\n{indent}{ends[1]}"
