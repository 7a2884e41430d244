"""The routes of any position of any game: to explore, to edit, to write its variations down."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

from quinconce.core.variations import check_node_count
from quinconce.server.answers.explore import (
    DRAWING_COST,
    EditorRequest,
    ExploreRequest,
    ExploreResult,
    TreeRecord,
    TreeRequest,
    change_position,
    count_moves,
    exploration,
    tree_record,
)
from quinconce.server.language import negotiate_voice
from quinconce.server.request import wants_flipped
from quinconce.server.routes.common import AnyRequest, LanguageQuery, ServicesDep, error_responses
from quinconce.server.routes.table import run_charged
from quinconce.server.views.editor import EditorView


@post(
    "/api/explore",
    status_code=200,
    responses=error_responses(403, 413, 422, 429),
    tags=["reading"],
    operation_id="explore",
)
async def explore(
    data: JSONBody[ExploreRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> ExploreResult:
    """Look at any position of any game, and what can be played in it."""
    say, flipped = negotiate_voice(request), wants_flipped(request)
    return await run_charged(services, request, count_moves(data), exploration, data, say, flipped)


@post(
    "/api/variations",
    status_code=200,
    responses=error_responses(403, 413, 422),
    tags=["reading"],
    operation_id="writeVariations",
)
async def write_variations(
    data: JSONBody[TreeRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> TreeRecord:
    """Check a tree of variations move by move, and write it as a record."""
    check_node_count(len(data.nodes))
    return await run_charged(services, request, len(data.nodes), tree_record, data)


@post(
    "/api/editor",
    status_code=200,
    responses=error_responses(403, 413, 422, 429),
    tags=["reading"],
    operation_id="editPosition",
)
async def edit_position(
    data: JSONBody[EditorRequest],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> EditorView:
    """Change a position piece by piece; says why nobody could play on from it, if so."""
    say, flipped = negotiate_voice(request), wants_flipped(request)
    return await run_charged(services, request, DRAWING_COST, change_position, data, say, flipped)
