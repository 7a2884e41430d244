"""The rules of the games, on paper and beside a board, and the pages on which one begins."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from quinconce.core.option import Edition
from quinconce.core.registry import game_class
from quinconce.server.answers.common import check_game
from quinconce.words import Voice


def rules_values(name: str, query: Any, say: Voice) -> dict[str, Any]:
    """What the templates of the rules show: the edition that the options in a query belong to."""
    from quinconce.server.views.rules import edition_number, short_rules  # Markdown

    check_game(name)
    rules = game_class(name)
    chosen = {key: value for key, value in query.items() if key in rules.options}
    number = edition_number(name, rules(**chosen).chosen)
    edition = rules.editions[number]
    return {
        "name": name,
        "title": say(edition.title),
        "summary": say(rules.summary),
        "short": short_rules(name, number, say.language),
        "query": edition_query(edition),
        "others": other_editions(name, number, say),
    }


def other_editions(name: str, number: int, say: Voice) -> list[dict[str, str]]:
    """The editions of a game but one: their titles, and their options as an address has them."""
    return [
        {"title": say(each.short_title), "query": edition_query(each)}
        for n, each in enumerate(game_class(name).editions)
        if n != number
    ]


def edition_query(edition: Edition) -> str:
    """The options of an edition as an address has them, after a question mark."""
    return f"?{urlencode(edition.options)}" if edition.options else ""
