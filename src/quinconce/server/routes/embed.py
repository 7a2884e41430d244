"""Pages that other sites may show in a frame: a board, a game, a puzzle, a study, to look at."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, get

from quinconce.core.option import parse_number
from quinconce.core.phrase import _
from quinconce.core.registry import game_class
from quinconce.puzzles.messages import goal_message
from quinconce.server.answers.common import check_game, view_for
from quinconce.server.answers.pictures import MAX_LINE_LENGTH, TOO_LONG
from quinconce.server.answers.puzzles import find_puzzle, is_flipped, puzzle_position
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    AnyRequest,
    PathText,
    ServicesDep,
    embed_response,
    look_at,
)
from quinconce.server.studies.studies import stored_content
from quinconce.server.views.cards import swatches
from quinconce.server.views.match import describe_terms

LAST_NUMBER: Final = 100_000  # of a ply or a board in an address


def wants_turned(request: AnyRequest) -> bool:
    """Whether a board is seen from its other side, as pictures say it: `?turned=1`."""
    return request.query_params.get("turned") == "1"


def number_of(request: AnyRequest, key: str) -> int | None:
    """A whole number of the address; None if it says nothing, or nonsense."""
    number = parse_number(request.query_params.get(key, ""))
    return None if number is None or number > LAST_NUMBER else number


@get("/embed/board", include_in_schema=False)
async def board_frame(request: AnyRequest) -> Response[str]:
    """A line of any game to step through, which the address says as that of the analysis board."""
    query = request.query_params
    name = query.get("game", "")
    check_game(name)
    if len(query.get("moves", "")) > MAX_LINE_LENGTH:
        raise RouteError(413, "large", TOO_LONG)
    rules = game_class(name)
    options = {key: query[key] for key in rules.options if key in query}
    rules(**options)  # refused here, and not in the page
    line = {key: query[key] for key in ("position", "moves") if query.get(key)}
    moves = query.get("moves", "").split()
    ply = number_of(request, "ply")
    board = {
        "title": "",
        "game": name,
        "options": options,
        "position": query.get("position") or None,
        "moves": moves,
    }
    return embed_response(
        request,
        "embed_board.html",
        title=negotiate_voice(request)(rules.title),
        full=f"/analysis?{urlencode({'game': name, **options, **line})}",
        told={
            "boards": [board],
            "shown": 0,
            "ply": len(moves) if ply is None else ply,
            "flipped": wants_turned(request),
        },
    )


@get("/embed/study/{study:str}", include_in_schema=False)
async def study_frame(study: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """The boards of a study, with their variations and notes."""
    content = stored_content(await services.studies.read(study))
    say, boards = negotiate_voice(request), len(content.boards)
    wanted = number_of(request, "board") or 1
    shown = min(max(wanted, 1), boards) - 1
    titles = {name: say(game_class(name).title) for name in {each.game for each in content.boards}}
    return embed_response(
        request,
        "embed_board.html",
        title=content.title or say(_("Study")),
        full=f"/study/{study}" + (f"?board={shown + 1}" if shown else ""),
        told={
            "boards": [
                msgspec.to_builtins(each) | {"title": each.title or titles[each.game]}
                for each in content.boards
            ],
            "shown": shown,
            "ply": number_of(request, "ply") or 0,
            "flipped": wants_turned(request),
        },
    )


@get("/embed/match/{match:str}", include_in_schema=False)
async def match_frame(match: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """A game as strangers see it, live while it is played."""
    known, stranger = await look_at(services, request, match)
    flipped = wants_turned(request)
    async with services.live_matches.current(match, known) as live:
        rules = live.state.game
        view = await view_for(services, request, live, stranger, flipped)
    services.engine_turns.schedule(live)
    return embed_response(
        request,
        "embed_match.html",
        title=view.title,
        facts=describe_terms(rules, negotiate_voice(request), view),
        full=f"/match/{match}",
        view=view,
        told={
            "view": msgspec.to_builtins(view),
            "swatches": list(swatches(rules)),
            "turns": len(rules.cycle),
            "order": list(dict.fromkeys(rules.cycle)),
            "flipped": flipped,
        },
    )


@get("/embed/puzzle/{puzzle:str}", include_in_schema=False)
async def puzzle_frame(puzzle: PathText, request: AnyRequest) -> Response[str]:
    """A puzzle to solve."""
    one, say = find_puzzle(puzzle), negotiate_voice(request)
    scene = await run_brief(puzzle_position, one, say)
    query = urlencode(one.game.chosen)
    told: dict[str, Any] = {
        "id": one.id,
        "game": one.game.name,
        "options": one.game.chosen,
        "position": one.game.write(one.position),
        "words": say(goal_message(one)),
        "flipped": is_flipped(one),
        "scene": msgspec.to_builtins(scene),
    }
    return embed_response(
        request,
        "embed_puzzle.html",
        title=say(one.game.title),
        facts=say(_("Puzzle, grade {grade}", grade=one.grade)),
        full=f"/puzzles/{one.game.name}?{query}#{one.id}",
        scene=scene,
        told=told,
    )


ROUTES: Final = [board_frame, study_frame, match_frame, puzzle_frame]
