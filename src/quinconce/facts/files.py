"""The facts as a file: plain data, the same bytes for the same answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from quinconce.core.files import name_file_in_errors, read_text, write_atomically
from quinconce.core.phrase import _

Fact = dict[str, Any]
FactsByKind = dict[str, list[Fact]]
Facts = dict[str, FactsByKind]  # by the name of a game
FORMAT: Final = "quinconce facts 1"
SHIPPED_FILE: Final = Path(__file__).with_name("known.json")  # made by the last full run
LARGEST_FACTS_FILE: Final = 1 << 24  # bytes
LINE_WIDTH: Final = 100  # what fits stands on one line, and so does every list of plain values


def read_facts(path: Path) -> Facts:
    """The facts of a file; ValueError, naming it, if it holds none."""
    with name_file_in_errors(path):
        text = read_text(path, LARGEST_FACTS_FILE)
        try:
            kept = json.loads(text)
        except json.JSONDecodeError:
            kept = None
        if not isinstance(kept, dict) or kept.get("format") != FORMAT:
            raise ValueError(_("this is not a file of facts"))
        facts: Facts = kept["games"]
        return facts


@cache
def load_shipped_facts() -> Facts:
    """The facts that come with Quinconce."""
    return read_facts(SHIPPED_FILE)


def write_facts(path: Path, facts: Facts) -> None:
    """Write all facts, the games in the order of their names."""
    kept = {"format": FORMAT, "games": dict(sorted(facts.items()))}
    with name_file_in_errors(path):
        write_atomically(path, format_json(kept) + "\n")


def format_json(value: Any, indent: str = "") -> str:
    """JSON that people can read: a line for what fits on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list):
        return flat
    nested = isinstance(value, dict) or any(isinstance(each, dict) for each in value)
    if not nested or len(flat) + len(indent) <= LINE_WIDTH:
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        lines, ends = [format_json(each, deeper) for each in value], "[]"
    else:
        lines = [f"{json.dumps(key)}: {format_json(each, deeper)}" for key, each in value.items()]
        ends = "{}"
    inside = ",\n".join(deeper + line for line in lines)
    return f"{ends[0]}\n{inside}\n{indent}{ends[1]}"
