"""What answers share: the services that they are handed, names in a body, views of a match."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Protocol

from msgspec import Meta

from quinconce.core.phrase import _
from quinconce.core.registry import names
from quinconce.server.engines.analyses import Analyses
from quinconce.server.engines.remarks import Remarks
from quinconce.server.engines.service import EngineService
from quinconce.server.engines.turns import EngineTurns
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.live import LiveMatch, LiveMatches, News
from quinconce.server.off_loop import run_quick
from quinconce.server.request import IncomingRequest, wants_flipped
from quinconce.server.reviews.reviews import Reviews
from quinconce.server.security.auth import Access
from quinconce.server.security.rate_limits import RateLimits
from quinconce.server.security.secrets import MATCH_ID_LENGTH
from quinconce.server.settings import Settings
from quinconce.server.studies.studies import Studies
from quinconce.server.views.match import MatchView, ViewCaches, is_quickly_made, match_view

MatchName = Annotated[str, Meta(pattern=f"^[A-Za-z0-9]{{{MATCH_ID_LENGTH}}}$")]  # in a body


class AnswerServices(Protocol):
    """What answers are handed, by a server or by a device without one."""

    settings: Settings
    rate_limits: RateLimits
    news: News
    live_matches: LiveMatches
    engines: EngineService
    engine_turns: EngineTurns
    analyses: Analyses
    remarks: Remarks
    reviews: Reviews
    studies: Studies
    caches: ViewCaches
    shutting_down: bool


class Page(NamedTuple):
    """A page: its template, and the values that fill it."""

    template: str
    values: dict[str, Any]


def check_game(name: str) -> None:
    """404 if there is no such game."""
    if name not in names():
        raise RouteError(404, "game", _("there is no game of this name"))


async def view_for(
    services: AnswerServices,
    request: IncomingRequest,
    live: LiveMatch,
    asker: Access,
    flipped: bool | None = None,
) -> MatchView:
    """The view of a locked match for somebody; from which side, the request says unless told."""
    say = negotiate_voice(request)
    other_side = wants_flipped(request) if flipped is None else flipped
    about = (live, asker, say, services.live_matches, services.caches, other_side)
    if is_quickly_made(live, asker, say, services.caches, other_side):
        return match_view(*about)
    return await run_quick(match_view, *about)
