"""A page: a template filled in one language, and the files that belong to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from quinconce.core.phrase import Phrase
from quinconce.draw import stylesheet
from quinconce.draw.plot import plot_stylesheet
from quinconce.engine.page_search import engine_constants, module_files
from quinconce.study.page_report import search_plan
from quinconce.words import LANGUAGES, Voice
from quinconce.words.browser import browser_phrases

WEB_FOLDER: Final = Path(__file__).parents[2] / "web"
STATIC_FOLDER: Final = WEB_FOLDER / "static"
LANGUAGE_NAMES: Final = {"en": "English", "fr": "Français"}
THEMES: Final = ("light", "dark")

TEMPLATES: Final = Environment(
    loader=FileSystemLoader(WEB_FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def engine_file() -> str:
    """What a page has to know of the modules beside it, and how it looks at a position."""
    return json.dumps(engine_constants() | {"report": search_plan()})


# Files that are no files of ours, by what makes them.
GENERATED_FILES: Final[Mapping[str, Callable[[], str]]] = {
    "board.css": stylesheet,
    "plot.css": plot_stylesheet,
    "engine.json": engine_file,
}


@cache
def static_version() -> str:
    """Changes with the files, so that a browser may keep them for ever under this name."""
    digest = hashlib.sha256("".join(made() for made in GENERATED_FILES.values()).encode())
    for path in (*sorted(STATIC_FOLDER.iterdir()), *module_files().values()):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def read_static(name: str) -> bytes:
    """A file by its name; FileNotFoundError if there is none."""
    if name in GENERATED_FILES:
        return GENERATED_FILES[name]().encode()
    known = {path.name: path for path in STATIC_FOLDER.iterdir()} | dict(module_files())
    if name not in known:
        raise FileNotFoundError(name)
    return known[name].read_bytes()


def script_json(value: object) -> Markup:
    """JSON that can stand inside a script element: nothing in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 (no sign of HTML is left in it)


def svg_markup(svg: str) -> Markup:
    """A picture of our own, put into a page as it is."""
    return Markup(svg)  # noqa: S704 (draw/ escapes what it writes)


def render_template(
    template: str, say: Voice, path: str = "/", theme: str = "", **values: Any
) -> str:
    """The page in the language of a voice; `path` is where it stands."""

    def translate(text: str, **parts: object) -> str:
        return say(Phrase(text, **parts))

    def translate_count(singular: str, plural: str, n: int) -> str:
        return say(Phrase(singular, plural, n=n))

    return TEMPLATES.get_template(template).render(
        _=translate,
        ngettext=translate_count,
        say=say,
        language=say.language,
        languages={name: LANGUAGE_NAMES[name] for name in LANGUAGES},
        path=path,
        theme=theme if theme in THEMES else "",
        files=f"/static/{static_version()}",
        phrases=script_json(browser_phrases(say)),
        data=script_json,
        drawing=svg_markup,
        **values,
    )
