"""The pages that people see: the first one, a game's, a match's, and how a page is written."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import msgspec

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, ngettext
from quinconce.core.record import Seat
from quinconce.core.registry import game_class, names
from quinconce.engine.levels import FIRST_LEVEL, LEVELS
from quinconce.server.answers.common import AnswerServices, Page, check_game
from quinconce.server.answers.games import edition_query, other_editions
from quinconce.server.errors import Fault
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.protocols import MatchRow
from quinconce.server.refusals import MatchNotFoundError
from quinconce.server.request import IncomingRequest
from quinconce.server.security.auth import cookie_secret
from quinconce.server.security.secrets import csrf_token
from quinconce.server.views.cards import (
    cards,
    edition_cards,
    player_count,
    seating_option,
    setup_forms,
    swatches,
)
from quinconce.server.views.games import game_view
from quinconce.server.views.lessons import step_ids
from quinconce.server.views.match import MatchView, describe_terms, record_seats
from quinconce.server.views.pictures import print_values
from quinconce.server.views.templates import render_template
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name

THEME_COOKIE: Final = "theme"  # the cookie in which a browser keeps light or dark
MAX_RUNNING, MAX_FINISHED = 24, 6  # of one's own matches on the first page
OwnRow = dict[str, Any]


def page_html(request: IncomingRequest, page: Page) -> str:
    """A page in the language and the colours that its reader wants."""
    say, secret = negotiate_voice(request), cookie_secret(request)
    others = [(k, v) for k, v in query_items(request) if k != "lang"]
    path = request.scope["path"] + (f"?{urlencode(others)}" if others else "")
    return render_template(
        page.template,
        say,
        path,
        request.cookies.get(THEME_COOKIE, ""),
        csrf=csrf_token(secret) if secret else None,
        **page.values,
    )


def query_items(request: IncomingRequest) -> list[tuple[str, str]]:
    """Everything in the query of an address in its order, a name as often as it stands there."""
    sent: bytes = request.scope["query_string"]
    return parse_qsl(sent.decode("latin-1"), keep_blank_values=True)


# The first page.


def level_choices(say: Voice) -> list[tuple[int, str]]:
    """The levels of the engine, by number and name."""
    return [(n, say(level.name)) for n, level in enumerate(LEVELS, start=1)]


async def own_match_rows(
    services: AnswerServices, held: Iterable[tuple[MatchRow, list[int]]], say: Voice
) -> tuple[list[OwnRow], list[OwnRow]]:
    """The matches of a browser that go on, and those that are over."""
    lists: tuple[list[OwnRow], list[OwnRow]] = ([], [])
    for kept, seats in held:
        over = kept.waits == "nobody"
        if len(lists[over]) >= (MAX_RUNNING, MAX_FINISHED)[over]:
            continue
        async with services.live_matches.locked(kept.id) as live:
            state = live.state
            people = record_seats(state)
            turn = state.turn in seats
            if outcome := state.match.outcome():
                status = say(outcome_sentence(state.match, outcome, people, seats))
            else:
                n = kept.moves
                status = say(
                    ngettext("your turn ({n} move)", "your turn ({n} moves)", n)
                    if turn
                    else ngettext("{n} move", "{n} moves", n)
                )
            against = [
                say(player_name(state.match, seat, people))
                for seat in range(state.game.seats)
                if seat not in seats
            ]
            title = say(state.game.title)
        row = {"id": kept.id, "title": title, "state": status, "turn": turn}
        lists[over].append(row | {"against": ", ".join(against)})
    return lists


def home_page(
    running: Sequence[OwnRow],
    finished: Sequence[OwnRow],
    base: str,
    say: Voice,
    site: str | None = None,
) -> Page:
    """The boards, one's own games, and a place for a link; `site` is where one can keep it all."""
    turns = [row for row in running if row["turn"]]
    return Page(
        "home.html",
        {
            "cards": cards(say.language),
            "steps": step_ids(),
            "latest": next(iter([*turns, *running]), None),
            "running": running,
            "finished": finished,
            "levels": level_choices(say),
            "first_level": FIRST_LEVEL,
            "address": base,
            "site": site,
        },
    )


# A game and a match.


def asked_form(request: IncomingRequest, name: str) -> tuple[dict[str, str], Game[Any]]:
    """The options of a game that stand in an address, and the game with them."""
    check_game(name)
    rules = game_class(name)
    wished = {k: v for k, v in request.query_params.items() if k in rules.options}
    return wished, rules(**wished)


def game_page(request: IncomingRequest, name: str) -> Page:
    """The rules of a game, and the form in which a match of it is set up."""
    from quinconce.server.views.rules import details_html, edition_number, short_rules  # Markdown

    wished, form = asked_form(request, name)
    say, rules = negotiate_voice(request), game_class(name)
    chosen = form.chosen if wished else {}
    edition = edition_number(name, chosen)
    face, shown = rules.editions[edition], edition_cards(name, say.language)[edition]
    position = request.query_params.get("position")
    if position is not None:
        read_position(form, position)
    facts = (say(player_count(name, {})), say(_("{n} min", n=face.minutes)), shown.known)
    return Page(
        "game.html",
        {
            "name": name,
            "title": say(rules.title),
            "summary": say(rules.summary),
            "facts": " · ".join(facts),
            "svg": shown.svg,
            "forms": setup_forms(name, say.language),
            "options": option_choices(name, chosen, say),
            "chosen": chosen,
            "form": form,
            "position": position,
            "friends": request.query_params.get("with") == "friends",
            "levels": level_choices(say),
            "first_level": FIRST_LEVEL,
            "short": short_rules(name, edition, say.language),
            "details": details_html(name, say.language),
            "edition_query": edition_query(face),
            "other_editions": other_editions(name, edition, say),
        },
    )


def option_choices(name: str, chosen: dict[str, str], say: Voice) -> list[dict[str, Any]]:
    """The options of a game as its form offers them."""
    rules, seating = game_class(name), seating_option(name)
    return [
        msgspec.to_builtins(option)
        | {
            "chosen": chosen.get(option.name, rules.options[option.name][0]),
            "words": {v: say(rules.options[option.name].describe(v)) for v in option.values},
            "seating": option.name == seating,
        }
        for option in game_view(name, say).options
    ]


def match_page(rules: Game[Any], view: MatchView, flipped: bool, say: Voice) -> Page:
    """The board of a match; the browser does the rest."""
    return Page(
        "match.html",
        {
            "view": view,
            "told": msgspec.to_builtins(view),
            "pieces": {
                "swatches": list(swatches(rules)),
                "turns": len(rules.cycle),
                "order": list(dict.fromkeys(rules.cycle)),
                "flipped": flipped,
            },
            "how": say(rules.how_to_write),
            "query": f"?{urlencode(view.options)}" if view.options else "",
            "facts": describe_terms(rules, say, view),
        },
    )


def print_page(
    id_: str, match: Match[Any], people: tuple[Seat, ...], made: float, say: Voice
) -> Page:
    """The record of a match, to be printed."""
    day = datetime.datetime.fromtimestamp(made, datetime.UTC).date()
    values = print_values(match, people, say)
    return Page("print.html", {"id": id_, "day": day.isoformat(), **values})


# What went wrong.

ERROR_HELP: Final = {
    403: _("Open the link that you were given again, or reload the page."),
    404: _("Check the address, or go on from here:"),
    421: _("The person who runs this server can allow this name: quinconce serve --name NAME"),
    422: _("There is a mistake in the address."),
    429: _("Wait a minute, then load the page again."),
    507: _("The disk of the server may be full: tell the person who runs it."),
    500: _("Load the page again in a moment. Games are safe: every move is stored when played."),
}


MATCH_HELP: Final = _(
    "A match that nobody has begun is deleted after a week, and the person who "
    "made a match may delete it at any time. If you were sent a link, check "
    "that it was copied whole."
)
NO_SUCH_PAGE: Final = _("there is no page at this address")


def fault_reason(fault: Fault, say: Voice) -> str:
    """Why a page is not shown."""
    return say(NO_SUCH_PAGE if fault.code == "missing" else fault.why)


def fault_page(fault: Fault, say: Voice) -> Page:
    """The page that tells people what went wrong."""
    status = fault.status
    no_match = fault.code == MatchNotFoundError.code
    return Page(
        "fault.html",
        {
            "heading": say(_("Nothing here") if status == 404 else _("This did not work")),
            "why": fault_reason(fault, say),
            "help": say(MATCH_HELP if no_match else ERROR_HELP.get(status, ERROR_HELP[500])),
            "games": game_titles(say) if status == 404 else {},
        },
    )


def game_titles(say: Voice) -> dict[str, str]:
    """The title of every game, by its name."""
    return {name: say(game_class(name).title) for name in names()}
