"""The routes of reviews: what a match that is over was like, and what would have been better."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter

from quinconce.core.phrase import _
from quinconce.server.answers.analysis import WORDS_COST
from quinconce.server.answers.pictures import MEDIA_TYPES, is_known, picture_name
from quinconce.server.answers.reviews import AttemptRequest, ReviewRequest, may_start
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.refusals import NotYourSeatError, ReviewMissingError
from quinconce.server.reviews.reports import StoredReview, prepare_attempt
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    error_responses,
    look_at,
)
from quinconce.server.routes.pictures import CHECK_AGAIN, ThemeQuery, picture_response
from quinconce.server.routes.table import run_charged
from quinconce.server.security.auth import Access
from quinconce.server.services import Services
from quinconce.server.views.match import record_seats
from quinconce.server.views.review import (
    AttemptView,
    ReviewView,
    attempt_view,
    curve_picture,
    review_view,
)

SideQuery = Annotated[
    int, QueryParameter(required=False, ge=0, le=7, description="The side that it is drawn for.")
]


@get(
    "/api/matches/{match:str}/review",
    responses=error_responses(401, 422),
    tags=["match"],
    operation_id="readReview",
)
async def read_review(
    match: MatchId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> ReviewView:
    """The review of a match that is over, as far as it is; refused before the end."""
    known, asker = await look_at(services, request, match)
    async with services.live_matches.locked(match, known) as live:
        stored, state = await services.reviews.find(live), live.state
    return await view_of(services, request, match, state, asker, stored)


@post(
    "/api/matches/{match:str}/review",
    status_code=200,
    responses=error_responses(*POST_ERRORS),
    tags=["match"],
    operation_id="makeReview",
)
async def make_review(
    data: JSONBody[ReviewRequest],
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> ReviewView:
    """Let a match be reviewed that is over, once for all; its players and its maker may ask."""
    known, asker = await look_at(services, request, match)
    if not may_start(asker):
        raise NotYourSeatError(_("only the players of a match have it reviewed"))
    async with services.live_matches.locked(match, known) as live:
        state = live.state
    await services.reviews.check(state)
    async with services.live_matches.locked(match, known) as live:
        stored, state = await services.reviews.begin(live, again=data.again), live.state
    return await view_of(services, request, match, state, asker, stored)


@post(
    "/api/matches/{match:str}/review/attempts",
    status_code=200,
    responses=error_responses(503, *POST_ERRORS),
    tags=["match"],
    operation_id="tryReviewedMove",
)
async def try_reviewed_move(
    data: JSONBody[AttemptRequest],
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> AttemptView:
    """Judge a move that somebody would rather have played, by proof or by the engine."""
    known, _asker = await look_at(services, request, match)
    async with services.live_matches.locked(match, known) as live:
        stored = await services.reviews.find(live)
        if stored is None:
            raise ReviewMissingError
        state = live.state
    attempt = await run_charged(
        services,
        request,
        len(state.match.moves) + (WORDS_COST * len(data.found.lines) if data.found else 0),
        prepare_attempt,
        state.match,
        stored.reports,
        data.ply,
        data.move,
        data.found.findings if data.found else None,
    )
    judged = await services.reviews.judge(state, attempt)
    return attempt_view(judged, attempt.played, negotiate_voice(request))


@get(
    "/api/matches/{match:str}/review/curve.svg",
    media_type=MEDIA_TYPES["svg"],
    responses=error_responses(422),
    tags=["match"],
    operation_id="readReviewCurve",
)
async def read_review_curve(
    match: MatchId,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
    theme: ThemeQuery = "light",
    side: SideQuery = 0,
) -> Response[bytes]:
    """The curve of a review as a picture, once all moves are judged."""
    say = negotiate_voice(request)
    async with services.live_matches.locked(match) as live:
        stored = await services.reviews.find(live)
        if stored is None or stored.state != "done":
            raise ReviewMissingError(_("this game has not been reviewed yet"))
        played, seats = live.state.match, record_seats(live.state)
    moves = len(played.moves)
    svg = await run_charged(
        services, request, moves, curve_picture, played, stored, seats, say, theme, side
    )
    tag = picture_name("svg", svg)
    if is_known(request, tag):
        return picture_response(b"", "svg", tag, CHECK_AGAIN, 304)
    return picture_response(svg.encode(), "svg", tag, CHECK_AGAIN)


async def view_of(
    services: Services,
    request: AnyRequest,
    match: str,
    state: OnlineMatch,
    asker: Access,
    stored: StoredReview | None,
) -> ReviewView:
    """The view of the review of a match; made once for all who see the same."""
    say, may, engine = negotiate_voice(request), may_start(asker), services.reviews.engine
    found = stored and (*stored[:-1], len(stored.reports))
    key = (match, state.seq, found, engine, say.language, may)
    if (view := services.caches.reviews.get(key)) is None:
        moves = len(state.match.moves)
        view = await run_charged(
            services, request, moves, review_view, state.match, stored, say, may, engine
        )
        services.caches.reviews[key] = view
    return view


ROUTES: Final = [read_review, make_review, try_reviewed_move, read_review_curve]
