"""The table of what a device answers: a function for each method and address."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final, NamedTuple

from quinconce.device import match_answers as matches
from quinconce.device import page_answers as pages
from quinconce.device import reading_answers as reading
from quinconce.device.messages import MalformedError, PageRequest
from quinconce.device.services import DeviceServices
from quinconce.puzzles.puzzle import PUZZLE_ID_LENGTH
from quinconce.server.refusals import NeedsServerError
from quinconce.server.security.secrets import MATCH_ID_LENGTH

Handler = Callable[..., Awaitable[object]]
# What a part of an address has to look like; one that does not cannot be understood.
MATCH_ID: Final = re.compile(f"[A-Za-z0-9]{{{MATCH_ID_LENGTH}}}")
PART_PATTERNS: Final = {
    "match": MATCH_ID,
    "study": MATCH_ID,
    "puzzle": re.compile(f"[a-z2-7]{{{PUZZLE_ID_LENGTH}}}"),
    "name": re.compile(".{0,40}"),
    "step": re.compile(".{0,60}"),
}
NUMBERS: Final = ("ply", "board", "seat")  # parts that are whole numbers
MAX_NUMBER: Final = 100_000


async def needs_server(
    _services: DeviceServices, _request: PageRequest, **_parts: object
) -> object:
    """What others take part in, or only a server makes."""
    raise NeedsServerError


ROUTES: Final[dict[str, Handler]] = {
    # Matches.
    "POST /api/matches": matches.make_match,
    "GET /api/matches/{match}": matches.read_match,
    "DELETE /api/matches/{match}": matches.delete_match,
    "GET /api/matches/{match}/plies/{ply}": matches.read_ply,
    "GET /api/matches/{match}/events": matches.follow_match,
    "POST /api/matches/{match}/moves": matches.move,
    "POST /api/matches/{match}/resignations": matches.resign,
    "POST /api/matches/{match}/agreements": matches.agree,
    "POST /api/matches/{match}/refusals": matches.refuse,
    "POST /api/matches/{match}/seat": matches.change_seat,
    "GET /api/matches/{match}/engine": matches.engine_activity,
    "GET /api/matches/{match}/record": matches.record,
    "GET /api/matches/{match}/record.json": matches.record_json,
    "POST /api/matches/{match}/hints": matches.hint,
    "GET /api/matches/{match}/remark": matches.read_remark,
    "GET /api/matches/{match}/review": matches.read_review,
    "POST /api/matches/{match}/review": matches.make_review,
    "POST /api/matches/{match}/review/attempts": matches.try_reviewed_move,
    "GET /api/matches/{match}/review/curve.svg": matches.read_review_curve,
    "GET /api/me": matches.me,
    # What engines, tables and proofs say; positions, trees and pictures.
    "POST /api/analysis": reading.analyse,
    "POST /api/analysis/words": reading.tell_lines,
    "POST /api/truths": reading.proven_values,
    "POST /api/explore": reading.explore_position,
    "POST /api/variations": reading.write_variations,
    "POST /api/editor": reading.edit_position,
    "GET /picture/{file}": reading.position_picture,
    # Studies.
    "POST /api/studies": reading.make_study,
    "GET /api/studies/{study}": reading.read_study,
    "PUT /api/studies/{study}": reading.change_study,
    "PUT /api/studies/{study}/secret": reading.replace_study_secret,
    "DELETE /api/studies/{study}": reading.delete_study,
    "GET /api/studies/{study}/boards/{board}/record": reading.study_record,
    "GET /api/studies/{study}/boards/{board}/record.json": reading.study_record_json,
    # Games, lessons and puzzles.
    "GET /api/games": reading.games,
    "GET /api/engine": reading.engine_preparation,
    "GET /api/lessons/{name}/{step}": reading.read_step,
    "POST /api/lessons/{name}/{step}/moves": reading.try_step_move,
    "GET /api/puzzles": reading.list_puzzles,
    "GET /api/puzzles/{puzzle}": reading.read_puzzle,
    "GET /api/puzzles/{puzzle}/solution": reading.read_solution,
    "POST /api/puzzles/{puzzle}/hints": reading.give_puzzle_hint,
    "POST /api/puzzles/{puzzle}/moves": reading.try_puzzle_move,
    # Pages.
    "GET /": pages.home,
    "GET /analysis": pages.analysis,
    "GET /explore": pages.explore,
    "GET /game/{name}": pages.game,
    "GET /known": pages.known,
    "GET /learn": pages.learn_games,
    "GET /learn/{name}": pages.lessons,
    "GET /learn/{name}/print": pages.lesson_sheet,
    "GET /learn/{name}/{step}": pages.lesson_step,
    "GET /match/{match}": pages.match,
    "GET /match/{match}/print": pages.print_match,
    "GET /puzzles": pages.puzzle_games,
    "GET /puzzles/run": pages.mixed_run,
    "GET /puzzles/{name}": pages.puzzles,
    "GET /puzzles/{name}/print": pages.puzzle_sheet,
    "GET /puzzles/{name}/run": pages.puzzle_run,
    "GET /puzzles/{name}/today": pages.puzzle_of_day,
    "GET /rules/{name}": pages.rules_sheet,
    "GET /rules/{name}/short": pages.rules_panel,
    "GET /study/{study}": pages.study,
    # What others take part in, or what only a server makes.
    "POST /api/matches/{match}/claims": needs_server,
    "POST /api/matches/{match}/seats/{seat}/links": needs_server,
    "POST /api/matches/{match}/table": needs_server,
    "POST /api/matches/{match}/table/links": needs_server,
    "GET /api/matches/{match}/moving.gif": needs_server,
    "GET /api/matches/{match}/moving.webp": needs_server,
    "POST /api/tags/{tag}/matches": needs_server,
    "POST /api/tags/{tag}/matches.csv": needs_server,
    "GET /api/tags/{tag}/records": needs_server,
    "POST /api/qr": needs_server,
}


class Route(NamedTuple):
    """An address, what its parts are called, and who answers for each method."""

    pattern: re.Pattern[str]
    handlers: dict[str, Handler]


@cache
def route_list() -> tuple[Route, ...]:
    """All addresses; of two that fit, the one with fewer open parts comes first."""
    found: dict[str, dict[str, Handler]] = {}
    for route, handler in ROUTES.items():
        method, _space, path = route.partition(" ")
        found.setdefault(path, {})[method] = handler
    return tuple(
        Route(re.compile(re.sub(r"\{(\w+)\}", part_pattern, re_escape(path))), handlers)
        for path, handlers in sorted(found.items(), key=lambda item: item[0].count("{"))
    )


def re_escape(path: str) -> str:
    """An address as a pattern, its open parts left as they are."""
    return path.replace(".", r"\.")


def part_pattern(part: re.Match[str]) -> str:
    """The pattern of an open part."""
    return f"(?P<{part[1]}>{'[0-9]+' if part[1] in NUMBERS else '[^/]+'})"


class WrongMethodError(Exception):
    """The address knows other methods."""

    def __init__(self, methods: list[str]) -> None:
        super().__init__(", ".join(methods))


def find_handler(method: str, path: str) -> tuple[Handler, dict[str, Any]] | None:
    """Who answers, and the open parts of the address; None if it leads nowhere.

    WrongMethodError if it knows other methods only, MalformedError if a part cannot be one.
    """
    for pattern, handlers in route_list():
        if found := pattern.fullmatch(path.rstrip("/") or "/"):
            if method not in handlers:
                raise WrongMethodError(sorted(handlers))
            return handlers[method], read_parts(found.groupdict(), is_page=path[:5] != "/api/")
    return None


def read_parts(parts: dict[str, str], *, is_page: bool) -> dict[str, Any]:
    """The open parts of an address; MalformedError if one cannot be one."""
    read: dict[str, Any] = {}
    for name, text in parts.items():
        if name in NUMBERS:
            if len(text) > 6 or int(text) > MAX_NUMBER:
                raise MalformedError(name)
            read[name] = int(text)
            continue
        if not is_page and name in PART_PATTERNS and not PART_PATTERNS[name].fullmatch(text):
            raise MalformedError(name)
        read[name] = text
    return read
