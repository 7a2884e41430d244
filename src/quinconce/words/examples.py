"""The worked examples that stand in rules texts: fenced blocks of moves, told apart line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

FENCE: Final = "```"
MOVES: Final = "moves"  # the word behind the fence that marks an example
MARKS: Final = {"?": "legal", "!": "refused", "=>": "result"}
DRAW: Final = "½"
WINNERS: Final = re.compile(r"[1-9](\+[1-9])*")


class Step(NamedTuple):
    """What one line says: moves played, moves that are legal or refused now, or the result."""

    kind: str  # "play", "legal", "refused" or "result"
    texts: tuple[str, ...]  # moves; for a result the winning players, from 1, and none for a draw


@dataclass(frozen=True)
class Example:
    """A way of playing with its claims, in the order in which they hold."""

    options: dict[str, str]
    position: str | None  # where it starts, if not where the game does
    steps: list[Step]


def examples(markdown: str) -> list[Example]:
    """Every example of a rules text in order; ValueError for a block that is not well formed."""
    return [example(words[1:], lines) for words, lines in blocks(markdown) if words[:1] == [MOVES]]


def blocks(markdown: str) -> Iterator[tuple[list[str], list[str]]]:
    """Every fenced block: the words behind its fence, and its lines."""
    lines = iter(markdown.splitlines())
    for opening in lines:
        if opening.startswith(FENCE):
            inside: list[str] = []
            for line in lines:
                if line.rstrip() == FENCE:
                    break
                inside.append(line)
            else:
                raise ValueError(f"the block {opening!r} is never closed")
            yield opening.removeprefix(FENCE).split(), inside


def example(words: list[str], lines: list[str]) -> Example:
    """One example from the options behind its fence and the lines inside."""
    pairs = [word.partition("=") for word in words]
    options = {name: value for name, _equals, value in pairs}
    if len(options) < len(words) or not all(name and value for name, _equals, value in pairs):
        raise ValueError(f"{' '.join(words)!r} are not options, each once and name=value")
    position = None
    if lines and lines[0].startswith("#"):
        position = lines[0].removeprefix("#").strip()
        lines = lines[1:]
    steps = [step(line) for line in lines]
    if position == "" or not steps:
        raise ValueError(f"an example says nothing: {words} {lines}")
    if "result" in (kind for kind, _texts in steps[:-1]):
        raise ValueError(f"after its result an example ends: {lines}")
    return Example(options, position, steps)


def step(line: str) -> Step:
    """What a line of an example says."""
    mark, *texts = line.split() or [""]
    kind = MARKS.get(mark, "play")
    if kind == "play":
        texts = [mark, *texts]
    elif kind == "result" and len(texts) == 1 and WINNERS.fullmatch(texts[0]):
        texts = texts[0].split("+")
    elif kind == "result" and texts == [DRAW]:
        return Step(kind, ())
    elif kind == "result" or not texts:
        raise ValueError(f"{line!r} names no moves, or no winners")
    if not all(text[0].isalnum() or text[0] in "@~" for text in texts if text) or "" in texts:
        raise ValueError(f"{line!r} is no line of an example")
    return Step(kind, tuple(texts))
