"""The analysis board: its page, and the stream of what the engine thinks, deeper and deeper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody
from litestar.response import Redirect, Stream
from msgspec import Meta, Struct

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, menu_names, names
from quinconce.engine.warmup import Step, form_of
from quinconce.server.engines.analyses import AnalysisQuestion, Ending, Visitor, ending_by
from quinconce.server.engines.fair_play import Subject
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.setup import Options
from quinconce.server.refusals import (
    EnginesAwayError,
    FairPlayError,
    StoppingError,
    TooManyAnalysesError,
    UnreachableError,
)
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    MatchName,
    ServicesDep,
    error_responses,
    link_base,
    page_response,
)
from quinconce.server.routes.explore import ExploreRequest, match_from_request
from quinconce.server.routes.streams import NDJSON, SSE, STREAM_HEADERS, accepts_sse
from quinconce.server.routes.table import run_charged
from quinconce.server.security.middleware import client_address
from quinconce.server.services import Services
from quinconce.server.views.analysis import AnalysisView, preparation_event, report_view
from quinconce.words import Voice

PATIENCE: Final = 1.0  # seconds after which a stream says that it is alive, or how far it is
MAX_LINES: Final = 5


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What to analyse: a game with moves played in it. `match` is the one that it comes from."""

    game: Annotated[str, Meta(max_length=40)]
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    match: MatchName | None = None
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)] = 3
    # What a page calls itself, so that others at its address are not taken for it.
    visitor: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")] | None = None


@post(
    "/api/analysis",
    status_code=200,
    responses=error_responses(403, 413, 422, 503),
    tags=["reading"],
    operation_id="analyse",
    description=(
        "What the engine thinks of a position, deeper and deeper until a limit, a proof, or the"
        " reader leaves: server-sent events for a client that accepts text/event-stream, else one"
        " JSON object a line; empty ones are signs of life. A visitor has one: a second ends the"
        " first. Not of a game that people play just now."
    ),
)
async def analyse(
    data: JSONBody[AnalysisRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> Stream:
    """Open an analysis."""
    await services.engines.fair_play.check(Subject(match=data.match))
    match, question = await run_charged(services, request, len(data.moves), read_question, data)
    await services.engines.fair_play.check(question.subject)
    visitor = Visitor(client_address(request), data.visitor or "")
    services.rate_limits.check_stream(visitor.address)
    services.analyses.check(visitor)
    if services.shutting_down:
        raise StoppingError(retry_after=5)
    if services.engines.outage == "waiting":
        raise EnginesAwayError
    page, say = accepts_sse(request), negotiate_voice(request)
    return Stream(
        analysis_lines(
            services, match, question, visitor, say, tell_page if page else tell_program
        ),
        media_type=SSE if page else NDJSON,
        headers=STREAM_HEADERS,
    )


def read_question(wish: AnalysisRequest) -> tuple[Match[Any], AnalysisQuestion]:
    """What is asked for, played from its start; ValueError if there is nothing to analyse."""
    explored = ExploreRequest(wish.game, wish.options, wish.position, wish.moves)
    match, _seats = match_from_request(explored)
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    return match, AnalysisQuestion.of(match, wish.lines, wish.match)


def tell_page(view: AnalysisView | None) -> bytes:
    """A view as a server-sent event; a comment is a sign of life."""
    return b": \n\n" if view is None else b"event: analysis\ndata: %s\n\n" % encode(view)


def tell_program(view: AnalysisView | None) -> bytes:
    """A view as a line of JSON; an empty one is a sign of life."""
    return b"\n" if view is None else encode(view) + b"\n"


def encode(view: AnalysisView) -> bytes:
    """A view as JSON."""
    return msgspec.json.encode(view)


async def analysis_lines(
    services: Services,
    match: Match[Any],
    question: AnalysisQuestion,
    visitor: Visitor,
    say: Voice,
    tell: Callable[[AnalysisView | None], bytes],
) -> AsyncIterator[bytes]:
    """What a stream says, for as long as somebody reads."""
    engines, step = services.engines, Step(form_of(match.game), "proofs")
    try:
        with (
            services.rate_limits.count_stream(visitor.address),
            services.analyses.begin(visitor) as analysis,
        ):
            if (share := engines.share(step)) is not None:
                yield tell(preparation_event(match, share, say))
            reports = services.analyses.reports_of(analysis, question, PATIENCE)
            async with aclosing(reports):
                async for report in reports:
                    if report:
                        yield tell(report_view(match, report, say))
                    elif (share := engines.share(step)) is not None:
                        yield tell(preparation_event(match, share, say))
                    else:
                        yield tell(None)
            if analysis.ended:
                yield tell(ending_view(analysis.ended, say))
    except (TooManyAnalysesError, FairPlayError, UnreachableError) as refusal:
        yield tell(ending_view(ending_by(refusal), say))


def ending_view(why: Ending, say: Voice) -> AnalysisView:
    """The last view of an analysis that ends before it is done."""
    words = say(why.phrase) if why.phrase else None
    return AnalysisView(why.state, words=words, code=why.code, done=True)


MAX_LINKED_MOVES: Final = 1500  # characters of the moves in the address of a picture


@get("/analysis", include_in_schema=False)
async def analysis_page(request: AnyRequest, services: ServicesDep) -> Response[str]:
    """Any position of any game, to try moves and to see what is known of them."""
    return page_response(
        request,
        "analysis.html",
        picture=linked_picture(request, services),
        **analysis_values(negotiate_voice(request)),
    )


def linked_picture(request: AnyRequest, services: Services) -> str | None:
    """The address of a picture of the position in the address, for programs that show links."""
    wished = request.query_params
    name = wished.get("game")
    if name not in names() or len(wished.get("moves", "")) > MAX_LINKED_MOVES:
        return None
    kept = (*game_class(name).options, "position", "moves")
    query = {key: wished[key] for key in kept if key in wished}
    return f"{link_base(request, services.settings)}/picture/{name}.png?{urlencode(query)}"


@get("/explore", include_in_schema=False)
async def explore_page(request: AnyRequest) -> Redirect:
    """Where the analysis board stood before: links to it still work."""
    query = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"/analysis?{query}" if query else "/analysis", status_code=301)


def analysis_values(say: Voice) -> dict[str, Any]:
    """What the page chooses among: the editions in a menu, the options of every game in words."""
    options = {
        name: [
            {
                "name": key,
                "label": say(option.label),
                "values": {value: say(option.describe(value)) for value in option},
            }
            for key, option in game_class(name).options.items()
        ]
        for name in names()
    }
    return {"faces": menu_editions(say), "games": options}


def menu_editions(say: Voice) -> list[dict[str, str]]:
    """The editions of all games for a menu: their titles, and how an address names them."""
    return [
        {"query": urlencode({"game": name, **edition.options}), "title": say(edition.title)}
        for name in menu_names()
        for edition in game_class(name).editions
    ]


ROUTES: Final = [analysis_page, explore_page]
