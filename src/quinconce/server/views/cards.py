"""The games as a menu shows them, and what a set-up form has to know of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from quinconce.core import counts
from quinconce.core.board import Piece
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import Edition
from quinconce.core.phrase import Phrase, _
from quinconce.core.registry import game, game_class, game_forms, menu_names
from quinconce.draw import picture_of
from quinconce.draw.pieces import piece_svg
from quinconce.draw.svg import element
from quinconce.words import Voice

SWATCH_RADIUS = 0.46  # the radius of a piece beside a name


class EditionCard(NamedTuple):
    """An edition of a game on its card, with a position from a real game."""

    short_title: str
    players: str
    minutes: int
    known: str
    options: Mapping[str, str]
    query: str  # the options as an address carries them, after a question mark
    svg: str


class Card(NamedTuple):
    """One game of the menu."""

    name: str
    title: str
    summary: str
    editions: tuple[EditionCard, ...]


@cache
def cards(language: str) -> tuple[Card, ...]:
    """All games in one language, in the order of the menu."""
    say = Voice(language)
    return tuple(card(name, say) for name in menu_names())


def card(name: str, say: Voice) -> Card:
    """A game with its editions."""
    rules = game_class(name)
    shown = edition_cards(name, say.language)
    return Card(name, say(rules.title), say(rules.summary), shown)


@cache
def edition_cards(name: str, language: str) -> tuple[EditionCard, ...]:
    """The editions of a game in one language."""
    say = Voice(language)
    return tuple(edition_card(name, edition, say) for edition in game_class(name).editions)


def edition_card(name: str, edition: Edition, say: Voice) -> EditionCard:
    """An edition of a game, with the position that its sample leads to."""
    match: Match[Any] = Match(game(name, **edition.options))
    for move in edition.sample_moves.split():
        match.play(move)
    prefix = f"{name}-{'-'.join(edition.options.values())}-"
    return EditionCard(
        say(edition.short_title),
        say(player_count(name, edition.options)),
        edition.minutes,
        say(edition.status),
        edition.options,
        f"?{urlencode(edition.options)}" if edition.options else "",
        card_picture(match, say, prefix),
    )


def card_picture(match: Match[Any], say: Voice, prefix: str, flipped: bool = False) -> str:
    """A position as a card shows it: the board alone."""
    looks: dict[str, Any] = {"reserves": (), "touchable": False, "still": True, "standalone": False}
    return picture_of(
        match, say=say, prefix=prefix, coordinates=False, flipped=flipped, **looks
    ).svg


def player_count(name: str, options: Mapping[str, str]) -> Phrase:
    """How many can play, with some options chosen."""
    seats = sorted(
        {form.seats for form in game_forms(name) if options.items() <= form.chosen.items()}
    )
    if len(seats) == 1:
        return counts.players(seats[0])
    if len(seats) == 2 and seats[1] - seats[0] > 1:
        return _("{n} or {players}", n=seats[0], players=counts.players(seats[1]))
    return _("{n} to {players}", n=seats[0], players=counts.players(seats[-1]))


@cache
def seating_option(name: str) -> str | None:
    """The option of a game that says how many play, if it has one."""
    for key, option in game_class(name).options.items():
        seats = [{f.seats for f in game_forms(name) if f.chosen[key] == value} for value in option]
        if all(len(each) == 1 for each in seats) and len(set.union(*seats)) > 1:
            return key
    return None


@cache
def setup_forms(name: str, language: str) -> list[dict[str, object]]:
    """Every combination of options that a sheet has, and who would sit there.

    An option that is a number never changes the seats, so it is left out.
    """
    say = Voice(language)
    worded = [key for key, option in game_class(name).options.items() if not option.numbers]
    found: dict[tuple[str, ...], dict[str, object]] = {}
    for form in game_forms(name):
        chosen = {key: form.chosen[key] for key in worded}
        found.setdefault(
            tuple(chosen.values()),
            {
                "options": chosen,
                "seats": [say(plays) for plays in form.players],
                "order": list(dict.fromkeys(form.cycle)),
                "sides": [list(side) for side in form.sides],
                "swatches": list(swatches(form)),
            },
        )
    return list(found.values())


def swatches(rules: Game[Any]) -> Iterator[str]:
    """For every seat the pieces it plays with, as small pictures."""
    for seat in range(rules.seats):
        kinds = [kind for kind in rules.kinds if kind.seat == seat]
        yield "".join(map(swatch, kinds))


def swatch(kind: Piece) -> str:
    """One piece beside a name."""
    return element(
        "svg",
        piece_svg(kind, SWATCH_RADIUS),
        class_="picture swatch",
        viewBox="-50 -50 100 104",
        aria_hidden="true",
    )
