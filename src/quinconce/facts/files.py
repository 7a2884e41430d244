"""The facts as a file: plain data, the same bytes for the same answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict

from quinconce.core.files import name_file_in_errors, read_text, write_atomically
from quinconce.core.phrase import _
from quinconce.core.value import Result

FORMAT: Final = "quinconce facts 1"
SHIPPED_FILE: Final = Path(__file__).with_name("known.json")  # made by the last full run
LARGEST_FACTS_FILE: Final = 1 << 24  # bytes
LINE_WIDTH: Final = 100  # what fits stands on one line, and so does every list of plain values


# A fact is an answer, and beside it what was asked.


class ValueFact(TypedDict):
    """What a position or a move is worth."""

    result: Result
    plies: int | None


class LongestLine(ValueFact):
    """A position with one of the longest fights, and how it goes."""

    position: str
    line: list[str]


class FirstMove(ValueFact):
    """What a first move is worth, and how many symmetry makes like it."""

    move: str
    alike: int


class LostMove(TypedDict):
    """A first move of the loser against a certificate, and within how many plies it loses."""

    move: str
    alike: int
    plies: int


class SideShare(TypedDict):
    """What a side got of some matches, and where its true share is to be expected."""

    won: int
    share: float
    low: float
    high: float


class SolutionFact(TypedDict):
    """A game that is solved whole."""

    options: dict[str, str]
    won: int
    drawn: int
    lost: int
    classes: int
    start: ValueFact
    first_moves: list[FirstMove]
    distances: dict[str, list[int]]  # positions won and lost, by the plies to the end, from 1
    longest_win: LongestLine
    longest_loss: LongestLine
    sole: dict[str, int]  # as `SoleMoveCounts`
    faultless: list[dict[str, int]]  # as `FaultlessPly`
    checked: dict[str, int]  # how many positions, and whether these are one of each class


class CertificateFact(TypedDict):
    """A certificate, played against every reply."""

    options: dict[str, str]
    player: int
    within: int
    answers: int
    replies: int
    longest: int
    first_moves: list[LostMove]
    line: list[str]


class ProofFact(TypedDict):
    """Whether a claim is true about the position after some moves; None if that is open."""

    options: dict[str, str]
    after: list[str]
    player: int
    within: int
    wide: bool
    megabytes: NotRequired[float]
    answer: bool | None
    nodes: int


class EndgamesFact(TypedDict):
    """Who wins with at most a number of pieces."""

    options: dict[str, str]
    pieces: int
    shares: list[dict[str, int]]  # as `PiecesStatistics`
    checked: int


class AdvantageFact(TypedDict):
    """Matches of a level against itself, after turns of chance."""

    options: dict[str, str]
    level: int
    opening: int
    games: int
    sides: list[SideShare]
    drawn: int
    plies: int


Answer = dict[str, Any]  # the part of a fact that was not asked
Fact = SolutionFact | CertificateFact | ProofFact | EndgamesFact | AdvantageFact
FactsByKind = dict[str, list[Fact]]
Facts = dict[str, FactsByKind]  # by the name of a game


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
