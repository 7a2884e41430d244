"""The routes that tell what the engine is doing, for those who wait for it."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from litestar import get
from litestar.params import QueryParameter

from quinconce.core.registry import game, game_class
from quinconce.server.engines.turns import hint_key
from quinconce.server.language import negotiate_voice
from quinconce.server.routes.common import (
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    error_responses,
)
from quinconce.server.views.engine import EngineView, activity_view, outage_view

GameName = Annotated[
    str,
    QueryParameter(
        name="game",
        description="The game; its options are given by their names beside it.",
        max_length=40,
    ),
]
StageName = Annotated[
    Literal["play", "proofs", "puzzles"],
    QueryParameter(
        description="What is to be asked: a move, what is proved, a puzzle. The answer is the same."
    ),
]


@get(
    "/api/engine",
    responses=error_responses(422),
    tags=["reading"],
    operation_id="enginePreparation",
)
async def engine_preparation(
    name: GameName,
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
    stage: StageName = "play",
) -> EngineView:
    """Whether the engine can be asked about a game: it is always ready, unless it is away."""
    options = {k: v for k, v in request.query_params.items() if k in game_class(name).options}
    game(name, **options)
    return outage_view(services.engines.outage, negotiate_voice(request))


@get(
    "/api/matches/{match:str}/engine",
    responses=error_responses(),
    tags=["match"],
    operation_id="engineActivity",
)
async def engine_activity(
    match: MatchId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> EngineView:
    """What the engine is doing for a match: it thinks or waits."""
    async with services.live_matches.locked(match) as live:
        state = live.state
        waiting = state.waiting_for == "engine"
    services.engine_turns.schedule(live)
    engines = services.engines
    activity = engines.activity(match) or engines.activity(hint_key(match))
    say = negotiate_voice(request)
    return activity_view(activity, waiting, state.seq, engines.outage, say)


ROUTES: Final = [engine_preparation, engine_activity]
