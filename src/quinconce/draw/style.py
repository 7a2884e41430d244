"""The style of the pictures: for browsers as it stands, for other programs with colours settled."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from quinconce.core.phrase import _, quote

BOARD_CSS: Final = Path(__file__).with_name("board.css")
THEMES: Final = ("light", "dark")


@cache
def stylesheet() -> str:
    """The style sheet that every picture follows; a page serves it beside its own."""
    return BOARD_CSS.read_text(encoding="utf-8")


@cache
def stylesheet_for_theme(theme: str) -> str:
    """The same without variables, conditions and motion, in one theme."""
    return settle_theme(stylesheet(), theme)


def settle_theme(sheet: str, theme: str) -> str:
    """A style sheet in one theme, for programs that know neither variables nor conditions."""
    if theme not in THEMES:
        known = ", ".join(THEMES)
        raise ValueError(
            _("there is no theme {name}: choose among {known}", name=quote(theme), known=known)
        )
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    sheet = re.sub(r"@[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)
    choice = THEMES.index(theme)
    pair = r"light-dark\(([^,()]*),([^,()]*)\)"
    sheet = re.sub(pair, lambda found: found[choice + 1].strip(), sheet)
    values = dict(re.findall(r"(--[\w-]+):\s*([^;]*);", sheet))
    sheet = re.sub(r"--[\w-]+:[^;]*;|color-scheme:[^;]*;", "", sheet)
    sheet = re.sub(r"var\((--[\w-]+)\)", lambda found: values[found[1]], sheet)
    return re.sub(r"\s+", " ", sheet).strip()
