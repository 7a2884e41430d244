"""The routes of the pages that people see; the API stands beside them under /api."""

from __future__ import annotations

import datetime
import mimetypes
from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
import segno
from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, ngettext
from quinconce.core.registry import game_class
from quinconce.engine.levels import FIRST_LEVEL, LEVELS
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    PathText,
    ServicesDep,
    check_game,
    error_responses,
    link_base,
    look_at,
    page_response,
    view_for,
)
from quinconce.server.routes.games import edition_query, other_editions
from quinconce.server.routes.table import run_charged
from quinconce.server.security.auth import browser_hashes
from quinconce.server.services import Services
from quinconce.server.views.cards import (
    cards,
    edition_cards,
    player_count,
    seating_option,
    setup_forms,
    swatches,
)
from quinconce.server.views.facts import facts_html
from quinconce.server.views.games import game_view
from quinconce.server.views.lessons import step_ids
from quinconce.server.views.match import describe_terms, plays_on_far_side, record_seats
from quinconce.server.views.pictures import print_values
from quinconce.server.views.rules import details_html, edition_number, short_rules
from quinconce.server.views.templates import read_static, static_version
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name

SVG_TYPE: Final = "image/svg+xml"
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
QR_MASK: Final = 3  # of the eight by which a code avoids large even fields
MAX_RUNNING, MAX_FINISHED = 24, 6  # of one's own matches on the first page


# What is served beside the pages.


@get("/static/{version:str}/{name:str}", include_in_schema=False)
async def static_file(version: PathText, name: PathText) -> Response[bytes]:
    """A module, a style sheet or a picture; its name changes when it does."""
    try:
        content = read_static(name)
    except FileNotFoundError:
        raise RouteError(404, "missing") from None
    kind = mimetypes.types_map.get(f".{name.rpartition('.')[2]}", "application/octet-stream")
    caching = CACHE_FOREVER if version == static_version() else "no-store"
    return Response(content, media_type=kind, headers={"Cache-Control": caching})


@get("/favicon.ico", include_in_schema=False)
async def favicon() -> Response[bytes]:
    """For browsers that ask without having read the page."""
    return Response(read_static("mark.svg"), media_type=SVG_TYPE)


class QrText(Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be drawn."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


@post(
    "/api/qr",
    status_code=200,
    media_type=SVG_TYPE,
    responses=error_responses(*POST_ERRORS),
    tags=["reading"],
    operation_id="drawQr",
)
async def qr(data: JSONBody[QrText]) -> Response[str]:
    """A link as a QR code in SVG. It comes in a body, because a secret stands in no address."""
    return Response(await run_brief(qr_svg, data.text), media_type=SVG_TYPE)


def qr_svg(text: str) -> str:
    """A QR code, its mask given: to compare all of them takes three times as long."""
    code = segno.make_qr(text, error="m", mask=QR_MASK)
    return code.svg_inline(omitsize=True, svgclass="qr", lineclass="")


# The pages.


@get("/", include_in_schema=False)
async def home_page(request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The boards, one's own games, and a place for a link."""
    say = negotiate_voice(request)
    running, finished = await own_match_rows(request, services, say)
    shown = await run_brief(cards, say.language)
    turns = [row for row in running if row["turn"]]
    return page_response(
        request,
        "home.html",
        cards=shown,
        steps=await run_brief(step_ids),
        latest=next(iter(turns + running), None),
        running=running,
        finished=finished,
        levels=level_choices(say),
        first_level=FIRST_LEVEL,
        address=link_base(request, services.settings),
    )


def level_choices(say: Voice) -> list[tuple[int, str]]:
    """The levels of the engine, by number and name."""
    return [(n, say(level.name)) for n, level in enumerate(LEVELS, start=1)]


async def own_match_rows(
    request: AnyRequest, services: Services, say: Voice
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The matches of this browser that go on, and those that are over."""
    hashes, most = browser_hashes(request), MAX_RUNNING + MAX_FINISHED
    held = await services.store.matches_for_keys(hashes, most) if hashes else []
    lists: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
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


@get("/game/{name:str}", include_in_schema=False)
async def game_page(request: AnyRequest, name: PathText, services: ServicesDep) -> Response[str]:
    """The rules of a game, and the form in which a match of it is set up."""
    check_game(name)
    say, rules = negotiate_voice(request), game_class(name)
    wished = {k: v for k, v in request.query_params.items() if k in rules.options}
    chosen = rules(**wished).chosen if wished else {}
    edition = edition_number(name, chosen)
    face = rules.editions[edition]
    shown = (await run_brief(edition_cards, name, say.language))[edition]
    players = await run_brief(player_count, name, {})
    seating = await run_brief(seating_option, name)
    options = [
        msgspec.to_builtins(option)
        | {
            "chosen": chosen.get(option.name, rules.options[option.name][0]),
            "words": {v: say(rules.options[option.name].describe(v)) for v in option.values},
            "seating": option.name == seating,
        }
        for option in game_view(name, say).options
    ]
    position = request.query_params.get("position")
    if position is not None:
        await run_brief(read_position, rules(**wished), position)
    services.engine_turns.expect(rules(**wished))
    return page_response(
        request,
        "game.html",
        name=name,
        title=say(rules.title),
        summary=say(rules.summary),
        facts=" · ".join((say(players), say(_("{n} min", n=face.minutes)), shown.known)),
        svg=shown.svg,
        forms=await run_brief(setup_forms, name, say.language),
        options=options,
        chosen=chosen,
        form=rules(**wished),
        position=position,
        friends=request.query_params.get("with") == "friends",
        levels=level_choices(say),
        first_level=FIRST_LEVEL,
        short=await run_brief(short_rules, name, edition, say.language),
        details=await run_brief(details_html, name, say.language),
        edition_query=edition_query(face),
        other_editions=other_editions(name, edition, say),
    )


@get("/match/{match:str}", include_in_schema=False)
async def match_page(match: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The board of a match; the browser does the rest."""
    known, asker = await look_at(services, request, match)
    async with services.live_matches.current(match, known) as live:
        rules = live.state.game
        flipped = plays_on_far_side(rules, asker.seats)
        view = await view_for(services, request, live, asker, flipped or None)
    services.engine_turns.schedule(live)
    say = negotiate_voice(request)
    return page_response(
        request,
        "match.html",
        view=view,
        told=msgspec.to_builtins(view),
        pieces={
            "swatches": list(swatches(rules)),
            "turns": len(rules.cycle),
            "order": list(dict.fromkeys(rules.cycle)),
            "flipped": flipped,
        },
        how=say(rules.how_to_write),
        query=f"?{urlencode(view.options)}" if view.options else "",
        facts=describe_terms(rules, say, view),
    )


@get("/match/{match:str}/print", include_in_schema=False)
async def print_page(match: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The record of a match, to be printed."""
    say = negotiate_voice(request)
    async with services.live_matches.locked(match) as live:
        state, made = live.state, live.row.made
    moves = len(state.match.moves)
    values = await run_charged(
        services, request, moves, print_values, state.match, record_seats(state), say
    )
    day = datetime.datetime.fromtimestamp(made, datetime.UTC).date()
    return page_response(request, "print.html", id=match, day=day.isoformat(), **values)


@get("/known", include_in_schema=False)
async def known_page(request: AnyRequest) -> Response[str]:
    """What is known of the games, with plots."""
    text = await run_brief(facts_html, negotiate_voice(request).language)
    return page_response(request, "known.html", text=text)


@get("/{path:path}", include_in_schema=False)
async def not_found(path: PathText) -> Response[str]:
    """Whatever has no page."""
    raise RouteError(404, "missing")


ROUTES: Final = [
    static_file,
    favicon,
    qr,
    home_page,
    game_page,
    match_page,
    print_page,
    known_page,
    not_found,
]
