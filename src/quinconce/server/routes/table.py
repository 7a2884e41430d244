"""The table of all routes: by what each is limited, who may ask, and whether it tells knowledge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, ParamSpec, TypeVar

from quinconce.server.off_loop import run_slow
from quinconce.server.routes.common import AnyRequest
from quinconce.server.security.middleware import client_address
from quinconce.server.services import Services

# Who may ask: anybody, the player of a seat, who made a match, or who has the secret of a tag, a
# study, or the metrics.
Who = Literal["anybody", "player", "maker", "secret"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class RouteRow(NamedTuple):
    """A route. Every request counts in `requests_per_minute`, every change in `writes_per_minute`.

    Knowledge is whatever an engine, a table or a proof says of a position.
    """

    limits: tuple[str, ...] = ()  # the other limits, by their names in docs/hosting.md
    who: Who = "anybody"
    knowledge: bool = False


CHEAP: Final = RouteRow()  # made once for all, or of bounded size
PLAY: Final = RouteRow(("match_length",), "player")
MOVES: Final = RouteRow(("moves_per_minute",))
RENDERED: Final = RouteRow(("pictures_per_minute",))

ROUTE_TABLE: Final[dict[str, RouteRow]] = {
    # Matches.
    "POST /api/matches": RouteRow(("matches_per_hour", "total_matches_per_hour")),
    "GET /api/matches/{match}": CHEAP,
    "DELETE /api/matches/{match}": RouteRow((), "maker"),
    "GET /api/matches/{match}/plies/{ply}": CHEAP,
    "GET /api/matches/{match}/events": RouteRow(("streams_per_address", "total_streams")),
    "POST /api/matches/{match}/moves": PLAY,
    "POST /api/matches/{match}/resignations": PLAY,
    "POST /api/matches/{match}/agreements": PLAY,
    "POST /api/matches/{match}/refusals": PLAY,
    "POST /api/matches/{match}/seat": PLAY,
    "POST /api/matches/{match}/claims": RouteRow(("wrong_secrets_per_hour",), "secret"),
    "POST /api/matches/{match}/seats/{seat}/links": RouteRow(("links_per_seat",), "player"),
    "POST /api/matches/{match}/table": RouteRow(("wrong_secrets_per_hour",), "secret"),
    "POST /api/matches/{match}/table/links": RouteRow(("links_per_seat",), "maker"),
    "GET /api/matches/{match}/engine": CHEAP,
    "GET /api/matches/{match}/record": RouteRow(("moves_per_minute",), knowledge=True),
    "GET /api/matches/{match}/record.json": RouteRow(("moves_per_minute",), knowledge=True),
    "GET /api/matches/{match}/moving.gif": RENDERED,
    "GET /api/matches/{match}/moving.webp": RENDERED,
    # What engines, tables and proofs say.
    "POST /api/matches/{match}/hints": RouteRow(
        ("hints_per_match", "engine_queue"), "player", knowledge=True
    ),
    "GET /api/matches/{match}/remark": RouteRow(("engine_queue",), "player", knowledge=True),
    "GET /api/matches/{match}/review": RouteRow(("moves_per_minute",), knowledge=True),
    "POST /api/matches/{match}/review": RouteRow(
        ("reviews_per_address", "reviews_waiting", "review_length", "moves_per_minute"),
        "player",
        knowledge=True,
    ),
    "POST /api/matches/{match}/review/attempts": RouteRow(
        ("moves_per_minute", "engine_queue"), knowledge=True
    ),
    "GET /api/matches/{match}/review/curve.svg": RouteRow(("moves_per_minute",), knowledge=True),
    "POST /api/analysis": RouteRow(
        ("moves_per_minute", "analyses_per_address", "total_analyses", "streams_per_address"),
        knowledge=True,
    ),
    "POST /api/analysis/words": RouteRow(("moves_per_minute",), knowledge=True),
    "POST /api/truths": RouteRow(("moves_per_minute", "engine_queue"), knowledge=True),
    # Positions, trees and pictures.
    "POST /api/explore": MOVES,
    "POST /api/variations": MOVES,
    "POST /api/editor": MOVES,
    "GET /picture/{file}": RouteRow(("moves_per_minute", "pictures_per_minute")),
    "POST /api/qr": CHEAP,
    # Clubs and studies.
    "POST /api/tags/{tag}/matches": RouteRow(
        ("matches_per_request", "matches_per_hour", "total_matches_per_hour"), "secret"
    ),
    "POST /api/tags/{tag}/matches.csv": RouteRow(
        ("matches_per_request", "matches_per_hour", "total_matches_per_hour"), "secret"
    ),
    "GET /api/tags/{tag}/records": RouteRow(("wrong_secrets_per_hour",), "secret"),
    "POST /api/studies": RouteRow(
        (
            "studies_per_hour",
            "studies_per_address",
            "total_studies",
            "study_moves",
            "moves_per_minute",
        )
    ),
    "GET /api/studies/{study}": RouteRow(("study_moves",)),
    "PUT /api/studies/{study}": RouteRow(("study_moves", "moves_per_minute"), "secret"),
    "PUT /api/studies/{study}/secret": RouteRow(("wrong_secrets_per_hour",), "secret"),
    "DELETE /api/studies/{study}": RouteRow(("wrong_secrets_per_hour",), "secret"),
    "GET /api/studies/{study}/boards/{board}/record": MOVES,
    "GET /api/studies/{study}/boards/{board}/record.json": MOVES,
    # Games, lessons and puzzles: knowledge of positions that are nobody's game.
    "GET /api/games": CHEAP,
    "GET /api/me": CHEAP,
    "GET /api/engine": CHEAP,
    "GET /api/lessons/{name}/{step}": CHEAP,
    "POST /api/lessons/{name}/{step}/moves": RouteRow(knowledge=True),
    "GET /api/puzzles": CHEAP,
    "GET /api/puzzles/{puzzle}": CHEAP,
    "GET /api/puzzles/{puzzle}/solution": RouteRow(knowledge=True),
    "POST /api/puzzles/{puzzle}/hints": RouteRow(("engine_queue",), knowledge=True),
    "POST /api/puzzles/{puzzle}/moves": RouteRow(("engine_queue",), knowledge=True),
    # Pages.
    "GET /": CHEAP,
    "GET /analysis": CHEAP,
    "GET /site/{path}": CHEAP,
    "GET /embed/board": CHEAP,
    "GET /embed/match/{match}": CHEAP,
    "GET /embed/puzzle/{puzzle}": CHEAP,
    "GET /embed/study/{study}": RouteRow(("study_moves",)),
    "GET /explore": CHEAP,
    "GET /game/{name}": CHEAP,
    "GET /known": RouteRow(knowledge=True),
    "GET /learn": CHEAP,
    "GET /learn/{name}": CHEAP,
    "GET /learn/{name}/print": CHEAP,
    "GET /learn/{name}/{step}": CHEAP,
    "GET /match/{match}": CHEAP,
    "GET /match/{match}/print": MOVES,
    "GET /puzzles": CHEAP,
    "GET /puzzles/run": CHEAP,
    "GET /puzzles/{name}": CHEAP,
    "GET /puzzles/{name}/print": RouteRow(("moves_per_minute",), knowledge=True),
    "GET /puzzles/{name}/run": CHEAP,
    "GET /puzzles/{name}/today": CHEAP,
    "GET /rules/{name}": CHEAP,
    "GET /rules/{name}/short": CHEAP,
    "GET /study/{study}": RouteRow(("study_moves",)),
    # The server itself.
    "GET /api/health": CHEAP,
    "GET /api/ready": CHEAP,
    "GET /metrics": RouteRow((), "secret"),
    "GET /api/schema": CHEAP,
    "GET /api/schema/openapi.json": CHEAP,
    "GET /api/schema/{path}": CHEAP,
    "GET /static/{version}/{name}": CHEAP,
    "GET /favicon.ico": CHEAP,
    "GET /{path}": CHEAP,
}


def row_of(request: AnyRequest) -> RouteRow:
    """The row of the route that answers a request."""
    return ROUTE_TABLE[f"{request.method} {request.scope['path_template']}"]


def charge(services: Services, request: AnyRequest, limit: str, amount: float) -> None:
    """Count what a request costs, by a limit that the row of its route names.

    TooManyRequestsError if its address has asked for too much; KeyError for a limit without a row.
    """
    counters: dict[str, Callable[[str, float], Any]] = {
        "moves_per_minute": services.rate_limits.check_moves,
        "pictures_per_minute": services.rate_limits.check_pictures,
    }
    if limit not in row_of(request).limits:
        raise KeyError(limit)
    counters[limit](client_address(request), amount)


async def run_charged(
    services: Services,
    request: AnyRequest,
    moves: float,
    do: Callable[Arguments, Result],
    /,
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Result:
    """Do off the event loop what takes as long as so many moves, which count for the asker."""
    charge(services, request, "moves_per_minute", moves)
    return await run_slow(moves, do, *args, **kwargs)
