"""The routes of the games, and of one's own matches."""

from __future__ import annotations

from typing import Final

from litestar import get
from msgspec import Struct

from quinconce.core.registry import game_class, names
from quinconce.server.language import negotiate_voice
from quinconce.server.routes.common import AnyRequest, LanguageQuery, ServicesDep, error_responses
from quinconce.server.security.auth import browser_hash, cookie_secret
from quinconce.server.security.secrets import csrf_token
from quinconce.server.views.games import GameView, game_view

MAX_OWN_MATCHES: Final = 100


class OwnMatch(Struct, frozen=True):
    """A match in which this browser has a seat."""

    id: str
    game: str
    title: str
    seats: list[int]
    names: list[str]
    moves: int
    waits: str  # for people, for the engine, or nobody when it is over
    touched: float


class Me(Struct, frozen=True):
    """What this browser has here; `csrf` goes along with everything it sends."""

    csrf: str | None
    matches: list[OwnMatch]


@get("/api/games", responses=error_responses(), tags=["reading"], operation_id="listGames")
async def games(request: AnyRequest, language: LanguageQuery) -> list[GameView]:
    """The games, with every option explained."""
    say = negotiate_voice(request)
    return [game_view(name, say) for name in names()]


@get("/api/me", responses=error_responses(), tags=["reading"], operation_id="whatIsMine")
async def me(request: AnyRequest, services: ServicesDep, language: LanguageQuery) -> Me:
    """The matches of this browser, the latest first."""
    secret, hash_ = cookie_secret(request), browser_hash(request)
    if secret is None or hash_ is None:
        return Me(None, [])
    say = negotiate_voice(request)
    own = [
        OwnMatch(
            kept.id,
            kept.setup.game,
            say(game_class(kept.setup.game).title),
            seats,
            [seat.name for seat in kept.setup.seats],
            kept.moves,
            kept.waits,
            kept.touched,
        )
        for kept, seats in await services.store.matches_for_key(hash_, MAX_OWN_MATCHES)
    ]
    return Me(csrf_token(secret), own)
