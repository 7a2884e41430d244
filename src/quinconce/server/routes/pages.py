"""The routes of the pages that people see; the API stands beside them under /api."""

from __future__ import annotations

import asyncio
import datetime
import mimetypes
from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
import segno
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.core.registry import find, game, names
from quinconce.draw import picture_of
from quinconce.engine.levels import LEVELS
from quinconce.server import language
from quinconce.server.errors import RefusalError, told
from quinconce.server.language import voice_of
from quinconce.server.matches.seats import csrf
from quinconce.server.routes.common import POSTED, TheHouse, faults
from quinconce.server.routes.games import game_view, told_options
from quinconce.server.routes.play import look
from quinconce.server.security.auth import asker_of, browser_hash
from quinconce.server.security.links import base_of
from quinconce.server.security.middleware import secret_of
from quinconce.server.services import House
from quinconce.server.settings import DAY
from quinconce.server.views.cards import card, cards, offered, players, swatches
from quinconce.server.views.known import known_page
from quinconce.server.views.match import View, names_of
from quinconce.server.views.rules import rules_page
from quinconce.server.views.templates import file, filled, fingerprint
from quinconce.words import LANGUAGES, Voice
from quinconce.words.sentences import ending, player

Asked = Request[Any, Any, Any]
Word = Annotated[str, PathParameter()]
THEME: Final = "theme"  # the cookie of whoever wants it light or dark, whatever the system says
PICTURE: Final = "image/svg+xml"
FOR_EVER: Final = "public, max-age=31536000, immutable"
RUNNING, FINISHED = 24, 6  # of one's own matches on the first page
DIAGRAMS: Final = 6  # at most, of a record on paper


def page(request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
    """A page in the language and the colours that its reader wants."""
    say, secret = voice_of(request), secret_of(request)
    others = [(k, v) for k, v in request.query_params.multi_items() if k != "lang"]
    path = request.url.path + (f"?{urlencode(others)}" if others else "")
    text = filled(
        template,
        say,
        path,
        request.cookies.get(THEME, ""),
        csrf=csrf(secret) if secret else None,
        **values,
    )
    cookies = []
    if request.query_params.get("lang") in LANGUAGES:
        cookies.append(
            Cookie(
                language.COOKIE,
                value=say.language,
                path="/",
                max_age=int(400 * DAY),
                samesite="lax",
            )
        )
    return Response(
        text,
        status_code=status,
        media_type=MediaType.HTML,
        cookies=cookies,
        headers={"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"},
    )


# What is served beside the pages.


@get("/static/{version:str}/{name:str}", include_in_schema=False)
async def static(version: Word, name: Word) -> Response[bytes]:
    """A module, a style sheet or a picture; its name changes when it does."""
    try:
        content = file(name)
    except FileNotFoundError:
        raise RefusalError(404, "missing") from None
    kind = mimetypes.types_map.get(f".{name.rpartition('.')[2]}", "application/octet-stream")
    caching = FOR_EVER if version == fingerprint() else "no-store"
    return Response(content, media_type=kind, headers={"Cache-Control": caching})


@get("/favicon.ico", include_in_schema=False)
async def favicon() -> Response[bytes]:
    """For browsers that ask without having read the page."""
    return Response(file("mark.svg"), media_type=PICTURE)


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be drawn."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


@post(
    "/api/qr",
    status_code=200,
    media_type=PICTURE,
    responses=faults(*POSTED),
    tags=["reading"],
    operation_id="drawQr",
)
async def qr(data: JSONBody[Text]) -> Response[str]:
    """A link as a QR code in SVG. It comes in a body, because a secret stands in no address."""
    svg = segno.make_qr(data.text, error="m").svg_inline(omitsize=True, svgclass="qr", lineclass="")
    return Response(svg, media_type=PICTURE)


# The pages.


@get("/", include_in_schema=False)
async def home(request: Asked, house: TheHouse) -> Response[str]:
    """The boards, one's own games, and a place for a link."""
    say = voice_of(request)
    running, finished = await own(request, house, say)
    shown = await asyncio.to_thread(cards, say.language)
    base = base_of(request, house.settings)
    return page(request, "home.html", cards=shown, running=running, finished=finished, address=base)


async def own(
    request: Asked, house: House, say: Voice
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The matches of this browser that go on, and those that are over."""
    hash_ = browser_hash(request)
    held = await house.store.held(hash_, RUNNING + FINISHED) if hash_ else []
    lists: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    for kept, seats in held:
        over = kept.waits == "nobody"
        if len(lists[over]) >= (RUNNING, FINISHED)[over]:
            continue
        async with house.live.entered(kept.id) as room:
            course = room.course
            people = names_of(course)
            turn = course.turn in seats
            if outcome := course.match.outcome():
                state = say(ending(course.match, outcome, people))
            else:
                n = kept.moves
                state = say(_("your turn ({n} moves)", n=n) if turn else _("{n} moves", n=n))
            against = [
                say(player(course.match, seat, people))
                for seat in range(course.game.seats)
                if seat not in seats
            ]
            title = say(course.game.title)
        row = {"id": kept.id, "title": title, "state": state, "turn": turn}
        lists[over].append(row | {"against": ", ".join(against)})
    return lists


@get("/game/{name:str}", include_in_schema=False)
async def game_page(request: Asked, name: Word) -> Response[str]:
    """The rules of a game, and the form in which a match of it is set up."""
    if name not in names():
        raise RefusalError(404, "game", _("there is no game of this name in the house"))
    say, rules = voice_of(request), find(name)
    wished = {k: v for k, v in request.query_params.items() if k in rules.options}
    chosen = rules(**wished).chosen if wished else {}
    face = next(
        (face for face in rules.faces if face.options.items() <= chosen.items()), rules.faces[0]
    )
    shown = await asyncio.to_thread(card, name, face, say)
    options = [
        msgspec.to_builtins(option)
        | {"chosen": chosen.get(option.name, rules.options[option.name][0])}
        for option in game_view(name, say).options
    ]
    position = request.query_params.get("position")
    if position is not None:
        rules(**wished).read(position)
    return page(
        request,
        "game.html",
        name=name,
        title=say(rules.title),
        summary=say(rules.summary),
        facts=f"{say(players(name, {}))} · {say(_('{n} min', n=face.minutes))} · {shown.known}",
        svg=shown.svg,
        forms=offered(name, say),
        options=options,
        chosen=chosen,
        position=position,
        levels=[(n, say(level.name)) for n, level in enumerate(LEVELS, start=1)],
        rules=await asyncio.to_thread(rules_page, name, say.language),
    )


@get("/match/{match:str}", include_in_schema=False)
async def match_page(match: Word, request: Asked, house: TheHouse) -> Response[str]:
    """The board of a match; the browser does the rest."""
    asker = await asker_of(request, house.store, match)
    view = await look(house, request, match, asker)
    sides = {seat.side for seat in view.seats if seat.mine}
    # Whoever plays the second side sees the board from there.
    flipped = sides == {1} and len(view.seats) == 2
    if flipped:
        view = await look(house, request, match, asker, flipped)
    say, rules = voice_of(request), game(view.game, **view.options)
    return page(
        request,
        "match.html",
        view=view,
        told=msgspec.to_builtins(view),
        pieces={
            "swatches": list(swatches(rules)),
            "turns": len(rules.cycle),
            "flipped": flipped,
        },
        how=say(rules.how_to_write),
        query=f"?{urlencode(view.options)}" if view.options else "",
        facts=told_terms(rules, say, view),
    )


def told_terms(rules: Game[Any], say: Voice, view: View) -> str:
    """The options that are not the usual ones, and the clock, on one line."""
    unusual = told_options(rules, say)
    if view.clock:
        terms = view.clock.terms
        clock = (
            _("{n} days a move", n=f"{terms.days:g}")
            if terms.days
            else _("{n} min + {s} s", n=f"{terms.minutes:g}", s=f"{terms.increment:g}")
        )
        unusual.append(say(clock))
    return " · ".join(unusual)


@get("/match/{match:str}/print", include_in_schema=False)
async def print_page(match: Word, request: Asked, house: TheHouse) -> Response[str]:
    """The record of a match, to be printed."""
    say = voice_of(request)
    async with house.live.entered(match) as room:
        course, made = room.course, room.kept.made
        values = await asyncio.to_thread(on_paper, course.match, names_of(course), say)
    day = datetime.datetime.fromtimestamp(made, datetime.UTC).date()
    return page(request, "print.html", id=match, day=day.isoformat(), **values)


def on_paper(match: Match[Any], people: tuple[Any, ...], say: Voice) -> dict[str, Any]:
    """A match as a sheet of paper shows it: its moves a round a row, and some diagrams."""
    rules, moves, outcome = match.game, match.moves, match.outcome()
    turns, n = len(rules.cycle), len(moves)
    plies = sorted({round(n * (i + 1) / DIAGRAMS) for i in range(DIAGRAMS)} - {0}) or [0]
    looks = {"touchable": False, "still": True, "standalone": False}
    first = rules.cycle.index(rules.seat(match.start))
    heads = [rules.cycle[(first + i) % turns] for i in range(turns)]
    return {
        "title": say(rules.title),
        "facts": " · ".join(told_options(rules, say, usual=True)),
        "seats": [
            say(player(match, seat, people) if named else rules.players[seat])
            for seat, named in enumerate(person.name or person.level for person in people)
        ],
        "heads": [say(rules.players[seat]) for seat in heads],
        "rows": [moves[i : i + turns] for i in range(0, n, turns)],
        "result": say(ending(match, outcome, people) if outcome else _("The match goes on.")),
        "diagrams": [
            (ply, picture_of(match, ply, say=say, prefix=f"after-{ply}-", **looks).svg)
            for ply in plies
        ],
    }


@get("/explore", include_in_schema=False)
async def explore_page(request: Asked) -> Response[str]:
    """Any position of any game, to try moves on one's own."""
    say = voice_of(request)
    faces = [
        {"query": urlencode({"game": name, **face.options}), "title": say(face.title)}
        for name in names()
        for face in find(name).faces
    ]
    options = {name: list(find(name).options) for name in names()}
    return page(request, "explore.html", faces=faces, games=options)


@get("/known", include_in_schema=False)
async def known(request: Asked) -> Response[str]:
    """What is known of the games, with plots."""
    text = await asyncio.to_thread(known_page, voice_of(request).language)
    return page(request, "known.html", text=text)


@get("/{path:path}", include_in_schema=False)
async def missing(path: Word) -> Response[str]:
    """Whatever has no page."""
    raise RefusalError(404, "missing")


# What went wrong, told to people on a page of its own.

HELP: Final = {
    403: _("Open the link that you were given once more, or load the page again."),
    404: _(
        "A match that nobody has begun is forgotten after a week, and its maker may delete it at"
        " any time. If you were sent a link, see that it was copied to its end."
    ),
    421: _("Whoever runs this house can let it go by this name: quinconce serve --name NAME"),
    422: _("Something in the address is not as it should be."),
    429: _("Wait a minute, then load the page again."),
    500: _("Load the page again in a moment. Games are safe: every move is stored when played."),
}


def shown(request: Asked, fault: Exception) -> Response[Any]:
    """The answer to a request that failed: a page for somebody who looks, else as programs want."""
    answer = told(request, fault)
    looks = "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith("/api") or not looks:
        return answer
    status = answer.status_code or 500
    say = voice_of(request)
    return page(
        request,
        "fault.html",
        status,
        heading=say(_("Nothing here") if status == 404 else _("This did not work")),
        why=str(answer.content["error"]),
        help=say(HELP.get(status, HELP[500])),
    )


ROUTES: Final = [
    static,
    favicon,
    qr,
    home,
    game_page,
    match_page,
    print_page,
    explore_page,
    known,
    missing,
]
