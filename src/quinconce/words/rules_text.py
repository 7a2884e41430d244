"""The parts of a rules text: in short for each edition, in detail, and notes for a terminal.

A file begins with a title. Lines `---` divide the rest into three parts:

- the rules in short, a `##` section for each edition in their order, or one for all of them. It
  has four `###` sections: the aim, a turn and the end, each with one example to be drawn, and
  points that are good to know;
- the details;
- how examples and options are written, which only a terminal shows.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from quinconce.words.examples import Example, fenced_blocks, parse_example

PART_BREAK: Final = "\n---\n"
DRAWN_SECTIONS: Final = 3  # the aim, a turn, the end


class DrawnSection(NamedTuple):
    """A heading, a text in Markdown, and the example that is drawn beside it."""

    heading: str
    text: str
    example: Example


class ShortRules(NamedTuple):
    """The rules of an edition in short."""

    title: str
    sections: tuple[DrawnSection, ...]  # the aim, a turn, the end
    points_heading: str
    points: str  # what is good to know, in Markdown


class RulesText(NamedTuple):
    """A rules text in its parts."""

    title: str
    short: tuple[ShortRules, ...]  # one for each edition, or one for all of them
    details: str
    notes: str  # on how examples and options are written

    def short_for(self, edition: int) -> ShortRules:
        """The short rules of an edition, by its number."""
        return self.short[edition if len(self.short) > 1 else 0]


def parse_rules(markdown: str) -> RulesText:
    """The parts of a rules text; ValueError if it is not made as they are."""
    title, _newline, text = markdown.partition("\n")
    parts = text.split(PART_BREAK)
    if not title.startswith("# ") or len(parts) != 3:
        raise ValueError("a rules text has a title and three parts, divided by ---")
    short, details, notes = (part.strip() for part in parts)
    sections = [parse_short(*each) for each in split_sections(short, "##")]
    if not sections:
        raise ValueError("the rules in short are missing")
    return RulesText(title.removeprefix("# "), tuple(sections), details, notes)


def parse_short(title: str, text: str) -> ShortRules:
    """One section of the rules in short."""
    found = split_sections(text, "###")
    if len(found) != DRAWN_SECTIONS + 1:
        raise ValueError(f"«{title}» needs the aim, a turn, the end, and what is good to know")
    *drawn, (heading, points) = found
    return ShortRules(title, tuple(parse_drawn(*each) for each in drawn), heading, points)


def parse_drawn(heading: str, text: str) -> DrawnSection:
    """A section that ends with the one example that is drawn beside it."""
    blocks = list(fenced_blocks(text))
    if len(blocks) != 1 or not text.endswith("```"):
        raise ValueError(f"«{heading}» needs one example, at its end")
    (info, lines) = blocks[0]
    prose = text[: text.index("```")].strip()
    return DrawnSection(heading, prose, parse_example(info[1:], lines))


def split_sections(text: str, mark: str) -> list[tuple[str, str]]:
    """The sections below headings of one level, each with its heading."""
    _before, *found = re.split(rf"^{mark} (.*)$", text, flags=re.MULTILINE)
    return [(found[i], found[i + 1].strip()) for i in range(0, len(found), 2)]
