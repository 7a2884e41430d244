"""The route that opens an analysis: a stream of what the engine thinks, deeper and deeper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any, Final

import msgspec
from litestar import post
from litestar.params import JSONBody
from litestar.response import Stream
from msgspec import Meta, Struct

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.warmup import Step, form_of
from quinconce.server.engines.analyses import AnalysisQuestion, Ending, Visitor, ending_by
from quinconce.server.engines.fair_play import Subject
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.setup import Options
from quinconce.server.off_loop import run_slow
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
)
from quinconce.server.routes.explore import ExploreRequest, match_from_request
from quinconce.server.routes.streams import NDJSON, SSE, STREAM_HEADERS, accepts_sse
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
    match, question = await run_slow(read_question, data)
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
