"""The pages of puzzles: by game, in a mixed run, of the day, and on paper."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from quinconce.core.game import Game
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, ngettext
from quinconce.core.registry import game, game_class
from quinconce.puzzles.messages import goal_message, uniqueness_message
from quinconce.puzzles.puzzle import (
    GRADES,
    Puzzle,
    all_puzzles,
    daily_puzzle,
    games_with_puzzles,
    puzzles_by_id,
    puzzles_for,
    today,
)
from quinconce.puzzles.themes import THEMES, dividing_themes, themes_of
from quinconce.server.answers.common import Page, check_game
from quinconce.server.answers.puzzles import distinguishing_options, is_flipped
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.request import IncomingRequest
from quinconce.server.views.cards import Card, card_picture, cards
from quinconce.server.views.pictures import puzzle_diagram
from quinconce.words import Voice

USUAL_COUNT, MOST_ON_PAPER = 12, 60  # puzzles of a printed sheet


@lru_cache(maxsize=32)  # of today and of tomorrow
def board_of_day(name: str, language: str, day: datetime.date) -> str:
    """The puzzle of the day as a card shows it, with the rules that its link leads to."""
    every = games_with_puzzles(name)
    found = daily_puzzle(choose_form(name, {}, every), day)
    assert found
    return card_picture(found.match(), Voice(language), f"today-{name}-", is_flipped(found))


def puzzle_links(card: Card, say: Voice) -> list[tuple[str, str]]:
    """Links to the puzzles of each edition of a game, saying how many there are, and to today's."""
    links = []
    every = [puzzle.game.chosen for puzzle in all_puzzles(card.name)]
    for edition in card.editions:
        n = sum(edition.options.items() <= chosen.items() for chosen in every)
        label = say(ngettext("{n} puzzle", "{n} puzzles", n))
        if edition.short_title:
            label = f"{edition.short_title} · {label}"
        if n:
            links.append((label, f"/puzzles/{card.name}{edition.query}"))
    if links:
        links.append((say(_("Puzzle of the day")), f"/puzzles/{card.name}/today"))
    return links


def puzzle_games_page(say: Voice) -> Page:
    """The games that have puzzles, to choose from."""
    games = [(card, links) for card in cards(say.language) if (links := puzzle_links(card, say))]
    sentence = _("A position from a game, and one move that wins or saves it: find it.")
    return Page(
        "puzzle_games.html",
        {
            "section": "puzzles",
            "heading": say(_("Puzzles")),
            "sentence": say(sentence),
            "games": games,
            "boards": {
                card.name: board_of_day(card.name, say.language, today()) for card, _links in games
            },
        },
    )


def mixed_run_page(say: Voice) -> Page:
    """Puzzles of all games, one after the other; the browser chooses them."""
    shared = page_data(list(puzzles_by_id().values()), say)
    values = {"title": say(_("All games")), "back": "/puzzles", "how": ""}
    return Page("puzzle_run.html", values | shared)


def puzzles_page(request: IncomingRequest, name: str) -> Page:
    """The puzzles of a game by their grades; the browser does the rest."""
    say, rules, every = find_form(request, name)
    numbered = list(enumerate(puzzles_for(rules), start=1))
    grades = {
        grade: [{"number": n, "id": each.id} for n, each in group]
        for grade, group in groupby(numbered, key=lambda pair: pair[1].grade)
    }
    return Page(
        "puzzles.html",
        {
            "name": name,
            "title": say(rules.title),
            "query": urlencode(rules.chosen),
            "facts": distinguishing_options(rules, say),
            "grades": grades,
            "others": [
                (urlencode(other.chosen), distinguishing_options(other, say)) for other in every
            ],
            "how": say(rules.how_to_write),
            **page_data([each for _n, each in numbered], say),
        },
    )


def run_page(request: IncomingRequest, name: str) -> Page:
    """The puzzles of a game, one after the other; the browser chooses them."""
    say, rules, _every = find_form(request, name)
    values = {
        "title": say(rules.title),
        "back": f"/puzzles/{name}?{urlencode(rules.chosen)}",
        "how": say(rules.how_to_write),
    }
    return Page("puzzle_run.html", values | page_data(puzzles_for(rules), say))


def daily_address(request: IncomingRequest, name: str) -> str:
    """Where the puzzle of the day is, among the puzzles of its game."""
    _say, rules, _every = find_form(request, name)
    found = daily_puzzle(rules, today())
    if found is None:
        raise RouteError(404, "puzzle", _("there are no puzzles for these rules yet"))
    return f"/puzzles/{name}?{urlencode(rules.chosen)}#{found.id}"


def sheet_length(request: IncomingRequest) -> int:
    """How many puzzles a sheet shall have."""
    return number_in_query(request, "count", USUAL_COUNT, MOST_ON_PAPER)


def puzzle_sheet(request: IncomingRequest, name: str) -> Page:
    """Puzzles of a game on paper, and their solutions on a sheet of their own."""
    return Page("puzzle_sheet.html", sheet_values(request, name))


def sheet_values(request: IncomingRequest, name: str) -> dict[str, Any]:
    """What a sheet shows, of the puzzles that the address asks for."""
    say, rules, _every = find_form(request, name)
    count = sheet_length(request)
    grade = number_in_query(request, "grade", 0, GRADES)
    theme = request.query_params.get("theme", "")
    every = puzzles_for(rules)
    found = [
        (n, each)
        for n, each in enumerate(every, start=1)
        if grade in (0, each.grade) and (not theme or theme in themes_of(each))
    ]
    return {
        "name": name,
        "title": say(rules.title),
        "options": rules.chosen,
        "facts": distinguishing_options(rules, say),
        "query": urlencode(rules.chosen),
        "count": count,
        "grade": grade,
        "chosen_theme": theme,
        "most": MOST_ON_PAPER,
        "grades": sorted({each.grade for each in every}),
        "themes": theme_choices(dividing_themes(every), say),
        "puzzles": sheet_rows(spread(found, count), say),
    }


def sheet_rows(numbered: Iterable[tuple[int, Puzzle]], say: Voice) -> list[dict[str, Any]]:
    """What a sheet shows of each puzzle."""
    return [
        {
            "number": n,
            "goal": say(goal_message(puzzle)),
            "svg": puzzle_diagram(puzzle.match(), say, f"puzzle-{n}-"),
            "line": " ".join(puzzle.line),
            "unique": say(uniqueness_message(puzzle)),
        }
        for n, puzzle in numbered
    ]


def spread(found: Sequence[tuple[int, Puzzle]], count: int) -> list[tuple[int, Puzzle]]:
    """At most `count` of a list that goes from easy to hard, at equal distances."""
    if len(found) <= count:
        return list(found)
    return [found[i * len(found) // count] for i in range(count)]


def number_in_query(request: IncomingRequest, key: str, usual: int, most: int) -> int:
    """A whole number of the address, from 1 to `most`; the usual one if there is none."""
    text = request.query_params.get(key) or str(usual)
    number = parse_number(text)
    if number is None or not min(usual, 1) <= number <= most:
        raise RouteError(422, "number", _("{key} goes from 1 to {most}", key=key, most=most))
    return number


def page_data(puzzles: Sequence[Puzzle], say: Voice) -> dict[str, Any]:
    """What the modules of a page know of its puzzles, and the themes to choose from."""
    entries = [
        {
            "id": each.id,
            "game": each.game.name,
            "grade": each.grade,
            "themes": " ".join(themes_of(each)),
        }
        for each in puzzles
    ]
    forms = dict.fromkeys(each.game for each in puzzles)
    daily = [found.id for form in forms if (found := daily_puzzle(form, today()))]
    return {
        "told": entries and {"entries": entries, "daily": daily},
        "themes": theme_choices(dividing_themes(puzzles), say),
    }


def theme_choices(themes: Iterable[str], say: Voice) -> list[tuple[str, str]]:
    """Themes with what they are called."""
    return [(name, say(THEMES[name])) for name in themes]


def find_form(
    request: IncomingRequest, name: str
) -> tuple[Voice, Game[Any], tuple[Game[Any], ...]]:
    """The voice of a request, the form of a game that it asks for, and all forms with puzzles."""
    check_game(name)
    options = game_class(name).options
    wished = {key: value for key, value in request.query_params.items() if key in options}
    every = games_with_puzzles(name)
    return negotiate_voice(request), choose_form(name, wished, every), every


def choose_form(name: str, wished: dict[str, str], every: tuple[Game[Any], ...]) -> Game[Any]:
    """The form that was asked for, or the first with puzzles that agrees with what was asked."""
    rules = game(name, **wished)
    asked = {key: rules.chosen[key] for key in wished}
    fitting = [other for other in every if asked.items() <= other.chosen.items()]
    return rules if rules in every or not fitting else fitting[0]
