"""The analysis board: its page, and the stream of what the engine thinks, deeper and deeper."""

from __future__ import annotations

from typing import Final

from litestar import Response, get, post
from litestar.params import JSONBody
from litestar.response import Redirect, Stream

from quinconce.server.answers.analysis import (
    WORDS_COST,
    AnalysisRequest,
    WordsRequest,
    analysis_lines,
    lines_in_words,
    read_question,
    tell_page,
    tell_program,
)
from quinconce.server.answers.analysis import analysis_page as analysis_page_of
from quinconce.server.answers.streams import NDJSON, SSE, STREAM_HEADERS, accepts_sse
from quinconce.server.engines.analyses import Visitor
from quinconce.server.engines.fair_play import Subject
from quinconce.server.language import negotiate_voice
from quinconce.server.refusals import (
    EnginesAwayError,
    StoppingError,
)
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    ServicesDep,
    error_responses,
    link_base,
    page_response,
)
from quinconce.server.routes.table import run_charged
from quinconce.server.security.middleware import client_address
from quinconce.server.views.analysis import LineView


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


@post(
    "/api/analysis/words",
    status_code=200,
    responses=error_responses(403, 413, 422),
    tags=["reading"],
    operation_id="tellLines",
)
async def tell_lines(
    data: JSONBody[WordsRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> list[LineView]:
    """Put lines into words that a page has found itself; not of a game that people play now."""
    await services.engines.fair_play.check(Subject(match=data.match))
    say = negotiate_voice(request)
    cost = len(data.moves) + WORDS_COST * len(data.lines)
    subject, views = await run_charged(services, request, cost, lines_in_words, data, say)
    await services.engines.fair_play.check(subject)
    return views


@get("/analysis", include_in_schema=False)
async def analysis_page(request: AnyRequest, services: ServicesDep) -> Response[str]:
    """Any position of any game, to try moves and to see what is known of them."""
    base = link_base(request, services.settings)
    return page_response(request, analysis_page_of(request, base))


@get("/explore", include_in_schema=False)
async def explore_page(request: AnyRequest) -> Redirect:
    """Where the analysis board stood before: links to it still work."""
    query = request.scope["query_string"].decode("ascii", "ignore")
    return Redirect(f"/analysis?{query}" if query else "/analysis", status_code=301)


ROUTES: Final = [analysis_page, explore_page]
