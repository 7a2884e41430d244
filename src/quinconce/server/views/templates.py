"""A page: a template filled in one language, and the files that belong to it."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from quinconce.core.phrase import Phrase
from quinconce.draw import stylesheet
from quinconce.draw.plot import plot_style
from quinconce.words import LANGUAGES, Voice
from quinconce.words.browser import PHRASES

HERE: Final = Path(__file__).parents[2] / "web"
FILES: Final = HERE / "static"
MADE: Final = {"board.css": stylesheet, "plot.css": plot_style}  # files that another room makes
NAMES: Final = {"en": "English", "fr": "Français"}
THEMES: Final = ("light", "dark")

environment: Final = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@cache
def fingerprint() -> str:
    """Changes with the files, so that a browser may keep them for ever under this name."""
    digest = hashlib.sha256("".join(made() for made in MADE.values()).encode())
    for path in sorted(FILES.iterdir()):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def file(name: str) -> bytes:
    """A file by its name; FileNotFoundError if there is none."""
    if name in MADE:
        return MADE[name]().encode()
    known = {path.name: path for path in FILES.iterdir()}
    if name not in known:
        raise FileNotFoundError(name)
    return known[name].read_bytes()


def as_data(value: object) -> Markup:
    """JSON that can stand inside a script element: nothing in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 (no sign of HTML is left in it)


def drawing(svg: str) -> Markup:
    """A picture of our own, put into a page as it is."""
    return Markup(svg)  # noqa: S704 (draw/ escapes what it writes)


def filled(template: str, say: Voice, path: str = "/", theme: str = "", **values: Any) -> str:
    """The page in the language of a voice; `path` is where it stands."""

    def said(text: str, **parts: object) -> str:
        return say(Phrase(text, **parts))

    return environment.get_template(template).render(
        _=said,
        say=say,
        language=say.language,
        languages={name: NAMES[name] for name in LANGUAGES},
        path=path,
        theme=theme if theme in THEMES else "",
        files=f"/static/{fingerprint()}",
        phrases=as_data({name: say(phrase) for name, phrase in PHRASES.items()}),
        data=as_data,
        drawing=drawing,
        **values,
    )
