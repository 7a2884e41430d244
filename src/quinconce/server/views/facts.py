"""What is known of the games as a page shows it: the text of the facts, every picture drawn in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from quinconce.facts.files import load_shipped_facts
from quinconce.facts.page import facts_page
from quinconce.facts.plots import RenderSvg
from quinconce.words import Voice

SOURCE_PAGE_SUFFIX: Final = ".md"  # a page beside the text in the sources, which no server shows

RIGHT_ALIGNED: Final = "text-align:right"  # how a column of figures is marked


class FactsRenderer(RendererHTML):
    """Writes HTML, with the pictures themselves where the text names them."""

    pictures: dict[str, RenderSvg]

    def image(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """A plot or a board, which follows the colours of the page."""
        name = str(tokens[i].attrs["src"]).rpartition("/")[2]
        svg = self.pictures[name](False)
        return f'<span class="wide" role="group" tabindex="0">{svg}</span>'

    def table_open(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """A table can be wider than the window: then it is moved, and not the page."""
        return '<div class="wide" role="group" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """Its end."""
        return "</table></div>\n"


@cache
def facts_html(language: str) -> Markup:
    """The page in one language."""
    page = facts_page(load_shipped_facts(), Voice(language))
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=FactsRenderer).enable("table")
    renderer = markdown.renderer
    assert isinstance(renderer, FactsRenderer)
    renderer.pictures = page.pictures
    tokens = markdown.parse(page.text)
    for token in tokens:
        token.children = drop_source_links(token.children or [])
        if (
            token.attrs.pop("style", None) == RIGHT_ALIGNED
        ):  # the policy of the pages lets no style pass
            token.attrSet("class", "number")
    return Markup(renderer.render(tokens, markdown.options, {}))  # noqa: S704 (HTML was escaped)


def drop_source_links(tokens: list[Token]) -> list[Token]:
    """The same text where it does not lead to a page of the sources."""
    kept, leaving = [], False
    for token in tokens:
        if token.type == "link_open":
            leaving = str(token.attrs["href"]).endswith(SOURCE_PAGE_SUFFIX)
        if not (leaving and token.type in ("link_open", "link_close")):
            kept.append(token)
    return kept
