"""The worked examples of a rules text: fenced blocks of moves, and what every line in them says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from quinconce.core.option import parse_options

FENCE: Final = "```"
EXAMPLE_FENCE: Final = "moves"  # the word behind the fence of an example; other blocks are drawings
POSITION_MARK: Final = "#"
LINE_KINDS: Final = {"?": "legal", "!": "refused", "=>": "result"}
MOVE_PATTERN: Final = re.compile(r"[\w@~][\w@~.+^-]*")
DRAW_SIGN: Final = "½"
EXAMPLE_RESULT: Final = re.compile(rf"{DRAW_SIGN}|[1-9](\+[1-9])*")


class ExampleStep(NamedTuple):
    """What one line says: moves played, moves that are legal or refused now, or the result."""

    kind: str  # "play", "legal", "refused" or "result"
    texts: tuple[str, ...]  # moves; for a result the winning players, from 1, and none for a draw


@dataclass(frozen=True)
class Example:
    """A stretch of play with its claims, in the order in which they hold."""

    options: dict[str, str]
    position: str | None  # where it starts, if not where the game does
    steps: list[ExampleStep]


def parse_examples(markdown: str) -> list[Example]:
    """Every example of a rules text in order; ValueError for a block that is not well formed."""
    return [
        parse_example(info[1:], lines)
        for info, lines in fenced_blocks(markdown)
        if info[:1] == [EXAMPLE_FENCE]
    ]


def fenced_blocks(markdown: str) -> Iterator[tuple[list[str], list[str]]]:
    """Every fenced block: the words behind its fence, and its lines."""
    lines = iter([line.strip() for line in markdown.splitlines()])
    for opening in lines:
        if opening.startswith(FENCE):
            inside = []
            for line in lines:
                if line == FENCE:
                    break
                inside.append(line)
            else:
                raise ValueError(f"the block {opening!r} is never closed")
            yield opening.removeprefix(FENCE).split(), inside


def parse_example(words: list[str], lines: list[str]) -> Example:
    """One example from the options behind its fence and the lines inside."""
    options = parse_options(words)
    if not (all(options) and all(options.values())):
        raise ValueError(f"an option has no name or no value in {' '.join(words)!r}")
    position = None
    if lines and lines[0].startswith(POSITION_MARK):
        position = lines[0].removeprefix(POSITION_MARK).strip()
        lines = lines[1:]
    steps = [parse_step(line) for line in lines]
    if position == "" or not steps:
        raise ValueError("an example needs something to say, and behind # a position")
    if "result" in [kind for kind, _texts in steps[:-1]]:
        raise ValueError(f"an example ends with its result: {lines}")
    return Example(options, position, steps)


def parse_step(line: str) -> ExampleStep:
    """What a line says, after its mark."""
    mark, *words = line.split() or [""]
    kind = LINE_KINDS.get(mark, "play")
    if kind == "result":
        if len(words) != 1 or not EXAMPLE_RESULT.fullmatch(words[0]):
            raise ValueError(f"{line!r} is not a result like => 1+2 or => {DRAW_SIGN}")
        return ExampleStep(kind, () if words == [DRAW_SIGN] else tuple(words[0].split("+")))
    if kind == "play":
        words = [mark, *words]
    if not words or not all(MOVE_PATTERN.fullmatch(word) for word in words):
        raise ValueError(f"{line!r} is not a line of moves")
    return ExampleStep(kind, tuple(words))
