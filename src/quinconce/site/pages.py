"""The pages that are made ahead: which they are, their files, and their addresses rewritten."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Mapping
from posixpath import dirname, relpath
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urldefrag, urlencode, urlsplit

from quinconce.core.registry import names
from quinconce.server.security.middleware import CONTENT_POLICY, policy_header
from quinconce.server.views.templates import render_template, script_json
from quinconce.site.page_source import Asker
from quinconce.words import Voice

SHELL: Final = "page.html"  # shows what has no file of its own: Python makes it in the browser
# Pages that read their query by themselves.
OPEN_PAGES: Final = ("/analysis",)
FIRST_PAGES: Final = ("/", "/learn", "/puzzles", "/puzzles/run", "/known", *OPEN_PAGES)
# Kinds of pages that are made ahead where a page links to them.
MADE_AHEAD: Final = re.compile(r"/(game|rules|learn|puzzles)/[\w/-]+")
# Those that depend on the day, on what is typed, or are seldom read.
LEFT_TO_PYTHON: Final = re.compile(r"/(today|print|short)$")
FIRST_GAME: Final = re.compile(r'<option value="([^"]*)"')
FIRST_PUZZLE: Final = re.compile(r'<li><a href="#([^"]+)">1</a>')
LINK: Final = re.compile(r'(?<=\s)(href|src|data-turn)="(/[^"]*)"')
# A page in a folder of files cannot say who may frame it: that is a matter of headers.
PAGE_POLICY: Final = policy_header(
    {name: value for name, value in CONTENT_POLICY.items() if name != "frame-ancestors"}
)


def file_name(path: str) -> str:
    """The file of a page below the folder of its language, as `address.js` knows it too."""
    url = urlsplit(path)
    query = f",{url.query.replace('&', ',')}" if url.query else ""
    return f"{url.path[1:] or 'index'}{query}.html"


def links_in(page: str) -> list[str]:
    """The paths that a page links to, with their queries and without fragments."""
    return [urldefrag(html.unescape(path)).url for _name, path in LINK.findall(page)]


def is_made_ahead(path: str) -> bool:
    """Whether a page that somebody links to gets a file of its own."""
    url = urlsplit(path)
    return bool(
        MADE_AHEAD.fullmatch(url.path)
        and not LEFT_TO_PYTHON.search(url.path)
        and not re.search(r"\b(lang|with|position|count)=", url.query)
    )


async def find_pages(ask: Asker, language: str) -> dict[str, str]:
    """Every page that is made ahead, by its path, in the order in which they are found."""
    wanted = [*FIRST_PAGES, *(f"/game/{name}" for name in names())]
    pages: dict[str, str] = {}
    for path in wanted:  # it grows
        if path not in pages:
            pages[path] = await ask.page(path, language)
            if path in FIRST_PAGES or path.startswith("/learn"):
                wanted += filter(is_made_ahead, links_in(pages[path]))
    return pages


async def first_answers(ask: Asker, path: str, page: str, language: str) -> dict[str, object]:
    """The answers to what a page asks first, so that its board is there before Python is."""
    answers: dict[str, object] = {}
    if path in OPEN_PAGES and (first := FIRST_GAME.search(page)):
        options = dict(parse_qsl(html.unescape(first[1])))
        body: dict[str, object] = {
            "game": options.pop("game"),
            "options": {},
            "position": None,
            "moves": [],
        }
        asked = json.dumps(body | {"search": True}, separators=(",", ":"))
        answer = await ask.request("POST", "/api/explore", language, asked)
        answers[f"POST /api/explore {asked}"] = json.loads(answer)
    elif path.startswith("/puzzles/") and (first := FIRST_PUZZLE.search(page)):
        puzzle = f"/api/puzzles/{first[1]}"
        answers[f"GET {puzzle}"] = json.loads(await ask.page(puzzle, language))
    return answers


def shell_page(language: str) -> str:
    """The page that shows what has no file of its own."""
    return render_template("shell.html", Voice(language), csrf=None)


class SitePages(NamedTuple):
    """What the addresses in a page depend on."""

    paths: Collection[str]  # of the pages made ahead
    static: str  # the folder of the static files, below the root
    facts: Mapping[str, object]  # about the folder, for the modules of its pages

    def prepare(self, page: str, file: str, answers: Mapping[str, object]) -> str:
        """A page as it stands in a file of the folder; the file's name begins with its language.

        It brings the answers along to what it asks first.
        """
        language, folder = file.split("/")[0], dirname(file)

        def replace(found: re.Match[str]) -> str:
            target = self.target(html.unescape(found[2]), language)
            if target is None:
                return found[0]
            path, mark, rest = re.fullmatch(r"([^?#]*)([?#]?)(.*)", target).groups()  # type: ignore[union-attr]
            return f'{found[1]}="{html.escape(relpath(path, folder) + mark + rest)}"'

        page = LINK.sub(replace, page)
        root = relpath(".", folder)
        head = (
            f'<meta http-equiv="Content-Security-Policy" content="{html.escape(PAGE_POLICY)}">\n'
            f'<script src="{root}/{self.static}/head.js"></script>\n'
            f'<link rel="manifest" href="{root}/{language}/manifest.webmanifest">\n'
            f'<link rel="apple-touch-icon" href="{root}/icons/192.png">\n'
            f'<script type="application/json" id="site">{script_json(self.facts)}</script>\n'
        )
        if answers:
            head += (
                f'<script type="application/json" id="answers">{script_json(answers)}</script>\n'
            )
        page = page.replace("<html ", "<html data-site ", 1)
        return page.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{head}', 1)

    def target(self, path: str, language: str) -> str | None:
        """Where a path of the server is in the folder; None if only Python can answer it."""
        url = urlsplit(path)
        if url.path.startswith("/static/"):
            return f"{self.static}/{url.path.rsplit('/')[-1]}"
        if url.path.startswith("/api/"):
            return None
        query = dict(parse_qsl(url.query))
        language = query.pop("lang", language)
        mark = f"#{url.fragment}" if url.fragment else ""
        asked = url.path + (f"?{urlencode(query)}" if query else "")
        if asked in self.paths:
            return f"{language}/{file_name(asked)}{mark}"
        if url.path in OPEN_PAGES:
            return f"{language}/{file_name(url.path)}?{urlencode(query)}{mark}"
        return f"{language}/{SHELL}?{urlencode({'at': asked})}{mark}"
