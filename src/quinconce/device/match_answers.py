"""Matches on a device: made, played, followed, reviewed and written down."""

from __future__ import annotations

import asyncio
from typing import Final

from quinconce.core.phrase import _
from quinconce.core.record import Record
from quinconce.device.messages import (
    PLAIN_TYPE,
    DeviceAnswer,
    PageRequest,
    answer_headers,
    answer_json,
    answer_text,
)
from quinconce.device.services import DeviceServices
from quinconce.server.answers.common import view_for
from quinconce.server.answers.matches import (
    MAX_OWN_MATCHES,
    MINIMAL,
    ActRequest,
    ActResult,
    Hint,
    MatterRequest,
    Me,
    MoveRequest,
    NewMatchView,
    RemarkView,
    SeatRequest,
    check_maker,
    own_matches,
    ply_view,
    remark_view,
    seat_act,
    submit_act,
)
from quinconce.server.answers.pictures import MEDIA_TYPES
from quinconce.server.answers.reviews import (
    AttemptRequest,
    ReviewRequest,
    annotate,
    attachment_header,
    may_start,
)
from quinconce.server.answers.streams import (
    NDJSON,
    SSE,
    STREAM_HEADERS,
    BrowserTeller,
    Teller,
    accepts_sse,
    first_seq,
    stream_lines,
)
from quinconce.server.engines.turns import hint_key
from quinconce.server.language import negotiate_voice
from quinconce.server.matches import events
from quinconce.server.matches.create import prepare_match
from quinconce.server.matches.events import AnyAct
from quinconce.server.matches.protocols import Glance
from quinconce.server.matches.setup import Setup
from quinconce.server.refusals import NeedsServerError, NotYourSeatError, ReviewMissingError
from quinconce.server.request import wants_flipped
from quinconce.server.reviews.reports import prepare_attempt
from quinconce.server.security.auth import (
    Access,
    authenticate,
    browser_hashes,
    ensure_browser_secret,
)
from quinconce.server.security.secrets import csrf_token, link_reach, new_secret
from quinconce.server.views.engine import EngineView, activity_view
from quinconce.server.views.match import MatchView, record_seats
from quinconce.server.views.position import PositionView
from quinconce.server.views.review import (
    AttemptView,
    ReviewView,
    attempt_view,
    curve_picture,
    review_view,
)

LISTENER: Final = "device"  # the address of everybody here
MAX_SEQ: Final = 2**31
LAST_SIDE: Final = 7


async def look_at(
    services: DeviceServices, request: PageRequest, match: str
) -> tuple[Glance, Access]:
    """A match at a glance, and who asks about it."""
    known = await services.live_matches.glance(match)
    return known, authenticate(request, known.keys)


def announce_soon(services: DeviceServices, match: str) -> None:
    """Tell everybody that a match has news, once its sender has been answered."""
    asyncio.get_running_loop().call_soon(services.live_matches.announce, match)


# Made, read and deleted.


async def make_match(services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """Make a match; who sits where is drawn by lot, unless the order is given."""
    wish = request.read(Setup)
    browser, key = ensure_browser_secret(request), new_secret()
    founding, links = prepare_match(wish, request.base, services.rng, browser, key)
    if wish.tag or any(seat.kind == "friend" for seat in wish.seats):
        raise NeedsServerError
    await services.store.insert(founding, services.now())
    await services.live_matches.get(founding.id)
    announce_soon(services, founding.id)
    reach = link_reach(request.base)
    made = NewMatchView(links.id, links.watch, reach, links.seats, key, csrf_token(browser), None)
    return answer_json(made, 201)


async def me(services: DeviceServices, request: PageRequest) -> Me:
    """The matches of this device, the latest first."""
    held = await services.store.matches_for_keys(browser_hashes(request), MAX_OWN_MATCHES)
    secret = ensure_browser_secret(request)
    return Me(csrf_token(secret), own_matches(held, negotiate_voice(request)))


async def read_match(services: DeviceServices, request: PageRequest, match: str) -> MatchView:
    """The match as it is now."""
    known, asker = await look_at(services, request, match)
    async with services.live_matches.current(match, known) as live:
        view = await view_for(services, request, live, asker)
    services.engine_turns.schedule(live)
    return view


async def read_ply(
    services: DeviceServices, request: PageRequest, match: str, ply: int
) -> PositionView:
    """The position after a number of moves, to leaf through."""
    async with services.live_matches.locked(match) as live:
        state = live.state
    return ply_view(state, ply, negotiate_voice(request), flipped=wants_flipped(request))


async def delete_match(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Delete a match, with everything about it."""
    _known, asker = await look_at(services, request, match)
    check_maker(asker)
    await services.store.delete_match(match)
    services.review_store.kept.pop(match, None)
    services.live_matches.evict(match)
    services.news.tell(match)
    return DeviceAnswer(204, {}, b"")


# Played.


async def submit(
    services: DeviceServices, request: PageRequest, match: str, wish: ActRequest, act: AnyAct
) -> DeviceAnswer:
    """Let a seat do something; the others are told afterwards."""
    look = await look_at(services, request, match)
    done = await submit_act(services, request, match, look, wish, act)
    if done.new:
        announce_soon(services, match)
    applied = {} if isinstance(done, ActResult) else {"Preference-Applied": MINIMAL}
    return answer_json(done, headers=applied)


async def move(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Play a move."""
    wish = request.read(MoveRequest)
    return await submit(services, request, match, wish, events.Move(wish.move))


async def resign(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Give up."""
    return await submit(services, request, match, request.read(ActRequest), events.Resign())


async def agree(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Ask for something or agree to it."""
    wish = request.read(MatterRequest)
    return await submit(services, request, match, wish, events.Agree(wish.matter, wish.about))


async def refuse(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Refuse what was asked for, or ask no longer."""
    wish = request.read(MatterRequest)
    return await submit(services, request, match, wish, events.Refuse(wish.matter))


async def change_seat(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Be called something else, or come back to a seat that the engine plays."""
    wish = request.read(SeatRequest)
    return await submit(services, request, match, wish, seat_act(wish))


async def hint(services: DeviceServices, request: PageRequest, match: str) -> Hint:
    """A good move for the seat to move."""
    known, asker = await look_at(services, request, match)
    asker.require_seat(None)
    return Hint(await services.engine_turns.hint(match, known, asker.seats))


async def read_remark(services: DeviceServices, request: PageRequest, match: str) -> RemarkView:
    """At most one remark for one's seat."""
    known, asker = await look_at(services, request, match)
    told = await services.remarks.remark(match, known, asker.require_seat(None))
    return remark_view(told, negotiate_voice(request))


async def engine_activity(services: DeviceServices, request: PageRequest, match: str) -> EngineView:
    """What the engine is doing for a match."""
    async with services.live_matches.locked(match) as live:
        state = live.state
    services.engine_turns.schedule(live)
    engines = services.engines
    activity = engines.activity(match) or engines.activity(hint_key(match))
    waiting, say = state.waiting_for == "engine", negotiate_voice(request)
    return activity_view(activity, waiting, state.seq, engines.outage, say)


async def follow_match(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """Open a stream of what happens in a match."""
    _known, asker = await look_at(services, request, match)
    after = request.number("after", 0, MAX_SEQ)
    live = await services.live_matches.get(match)
    start = first_seq(request.headers.get("last-event-id"), after)
    services.rate_limits.check_stream(LISTENER)
    page = accepts_sse(request)
    teller = BrowserTeller(services, request, asker) if page else Teller()
    lines = stream_lines(services, live, start, asker, teller, LISTENER)
    return DeviceAnswer(200, answer_headers(SSE if page else NDJSON, STREAM_HEADERS), lines)


# Reviewed.


async def read_review(services: DeviceServices, request: PageRequest, match: str) -> ReviewView:
    """The review of a match that is over, as far as it is; refused before the end."""
    known, asker = await look_at(services, request, match)
    async with services.live_matches.locked(match, known) as live:
        stored, played = await services.reviews.find(live), live.state.match
    say, engine = negotiate_voice(request), services.reviews.engine
    return review_view(played, stored, say, may_start(asker), engine)


async def make_review(services: DeviceServices, request: PageRequest, match: str) -> ReviewView:
    """Let a match be reviewed that is over."""
    wish = request.read(ReviewRequest)
    known, asker = await look_at(services, request, match)
    if not may_start(asker):
        raise NotYourSeatError(_("only the players of a match have it reviewed"))
    async with services.live_matches.locked(match, known) as live:
        stored, played = await services.reviews.begin(live, again=wish.again), live.state.match
    return review_view(played, stored, negotiate_voice(request), True, services.reviews.engine)


async def try_reviewed_move(
    services: DeviceServices, request: PageRequest, match: str
) -> AttemptView:
    """Judge a move that somebody would rather have played."""
    wish = request.read(AttemptRequest)
    known, _asker = await look_at(services, request, match)
    async with services.live_matches.locked(match, known) as live:
        stored, state = await services.reviews.find(live), live.state
    if stored is None:
        raise ReviewMissingError
    attempt = prepare_attempt(state.match, stored.reports, wish.ply, wish.move)
    judged = await services.reviews.judge(state, attempt)
    return attempt_view(judged, attempt.played, negotiate_voice(request))


async def read_review_curve(
    services: DeviceServices, request: PageRequest, match: str
) -> DeviceAnswer:
    """The curve of a review as a picture, once all moves are judged."""
    side, theme = request.number("side", 0, LAST_SIDE), request.theme()
    async with services.live_matches.locked(match) as live:
        stored, state = await services.reviews.find(live), live.state
    if stored is None or stored.state != "done":
        raise ReviewMissingError(_("this game has not been reviewed yet"))
    say = negotiate_voice(request)
    svg = curve_picture(state.match, stored, record_seats(state), say, theme, side)
    return answer_text(svg, MEDIA_TYPES["svg"])


# Written down.


async def match_record(services: DeviceServices, request: PageRequest, match: str) -> Record:
    """The record of a match as it is now, perhaps with what its review says."""
    review = request.flag("review")
    async with services.live_matches.locked(match) as live:
        sheet, played = live.state.record(live.row.made), live.state.match
        if not review:
            return sheet
        stored = await services.reviews.find(live)
    if stored is None:
        raise ReviewMissingError(_("this game has not been reviewed yet"))
    return annotate(sheet, played, stored, negotiate_voice(request))


async def record(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """The record of a match, to save."""
    sheet = await match_record(services, request, match)
    return answer_text(sheet.text(), PLAIN_TYPE, attachment_header(sheet, match, "quinconce"))


async def record_json(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """The record of a match as its JSON twin."""
    sheet = await match_record(services, request, match)
    return answer_json(sheet.json(), headers=attachment_header(sheet, match, "json"))
