"""The pages of the documentation, read for tests: blocks, commands, links, anchors, files."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LAB = DOCS / "lab"
GENERATED = tuple(DOCS / name for name in ("what-is-known.md", "what-is-known.fr.md"))
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r'\bsrc(?:set)?="([^"]+)"')
FILE_NAME = re.compile(r"(?:[\w.-]+/)+[\w.*-]*")  # a path in backticks
PLACEHOLDER = re.compile(r"(?<![A-Za-z])(?:[A-Z]{2,}|N)(?![A-Za-z])|[<>{}*…]")
BENCHMARK = re.compile(r"python -m benchmarks\.(\w+)([^`\n]*)")


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line where the text begins."""

    language: str
    text: str
    line: int


class Command(NamedTuple):
    """A `quinconce` command as a page shows it, and whether it stands in a block."""

    page: Path
    words: tuple[str, ...]
    in_block: bool

    def __str__(self) -> str:
        return f"{page_name(self.page)}: {shlex.join(self.words)}"


def page_name(page: Path) -> str:
    """The page by its path in the repository."""
    return page.relative_to(ROOT).as_posix()


@cache
def page_text(page: Path) -> str:
    """What a page says."""
    return page.read_text(encoding="utf-8")


@cache
def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return BLOCK.sub("", page_text(page))


def blocks(page: Path, language: str | None = None) -> list[Block]:
    """The fenced blocks of a page, those of one language if it is given."""
    text = page_text(page)
    found = [Block(m[1], m[2], text[: m.start(2)].count("\n")) for m in BLOCK.finditer(text)]
    return [block for block in found if language is None or block.language == language]


def commands(page: Path) -> Iterator[Command]:
    """Every `quinconce …` in a plain block or in backticks; two spaces begin its explanation."""
    for block in (*blocks(page, ""), *blocks(page, "sh")):
        for line in block.text.replace("\\\n", " ").split("\n"):
            text = re.sub(r"^(QUINCONCE_\w+=\S+ )?(?:\./run|quinconce)\b", "quinconce", line)
            words = command_words(re.split(r"  +| #", text)[0])
            if text.startswith("quinconce ") and words:
                yield Command(page, words, True)
    for text in INLINE.findall(prose(page)):
        if re.match(r"(quinconce|\./run) [a-z-]", text):
            yield Command(page, command_words(text.replace(" …", "")), False)


def command_words(text: str) -> tuple[str, ...]:
    """The arguments of a command, without the name of the program."""
    return tuple(shlex.split(text)[1:]) if text.startswith(("quinconce", "./run")) else ()


def links(page: Path) -> Iterator[str]:
    """Every target that is no address of the web."""
    for target in (*LINK.findall(prose(page)), *SOURCE.findall(prose(page))):
        if not re.match(r"[a-z]+:", target):
            yield target


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, made as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.M)
    return frozenset(slug(heading) for heading in headings)


def slug(heading: str) -> str:
    """The anchor of a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    kept = [c for c in text if c in " -_" or unicodedata.category(c)[0] in "LNM"]
    return "".join(kept).replace(" ", "-")


def named_files(page: Path) -> Iterator[str]:
    """The paths in backticks that belong to this repository."""
    rooms = {path.name for path in (ROOT / "src" / "quinconce").iterdir() if path.is_dir()}
    tops = {path.name for path in ROOT.iterdir() if path.is_dir()}
    for text in INLINE.findall(prose(page)):
        path = text.removesuffix("/")
        known = FILE_NAME.fullmatch(text) and path.split("/")[0] in rooms | tops
        if known and not PLACEHOLDER.search(text):
            yield path


def linked_pages(page: Path) -> set[Path]:
    """The pages that a page links to."""
    targets = {(page.parent / target.partition("#")[0]).resolve() for target in links(page)}
    return {target for target in targets if target.suffix == ".md" and target.exists()}
