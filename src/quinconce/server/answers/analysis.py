"""The analysis board: its page, the stream of an analysis, and lines in words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, menu_names, names
from quinconce.engine.page_search import FoundLine, told_lines
from quinconce.server.answers.common import AnswerServices, MatchName, Page
from quinconce.server.answers.explore import ExploreRequest, match_from_request
from quinconce.server.engines.analyses import AnalysisQuestion, Ending, Visitor, ending_by
from quinconce.server.engines.fair_play import Subject
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.guarded_positions import Line
from quinconce.server.matches.setup import Options
from quinconce.server.refusals import (
    FairPlayError,
    TooManyAnalysesError,
    UnreachableError,
)
from quinconce.server.request import IncomingRequest
from quinconce.server.views.analysis import AnalysisView, LineView, line_views, report_view
from quinconce.words import Voice

PATIENCE: Final = 1.0  # seconds after which a stream says that it is alive
MAX_LINES: Final = 5
MAX_STATES_LENGTH: Final = 16_000  # characters of the states of a line: a hundred of twelve words
MAX_SCORE: Final = 2_000_000
WORDS_COST: Final = 10  # moves that take as long to check as a line to put into words


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What to analyse: a game with moves played in it. `match` is the one that it comes from."""

    game: Annotated[str, Meta(max_length=40)]
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    match: MatchName | None = None
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)] = 3
    # What a page calls itself, so that others at its address are not taken for it.
    visitor: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")] | None = None


def read_question(wish: AnalysisRequest) -> tuple[Match[Any], AnalysisQuestion]:
    """What is asked for, played from its start; ValueError if there is nothing to analyse."""
    explored = ExploreRequest(wish.game, wish.options, wish.position, wish.moves)
    match, _seats = match_from_request(explored)
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    return match, AnalysisQuestion.of(match, wish.lines, wish.match)


class FoundLineBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that a page has found by itself: packed states, its score, what is proved of it."""

    states: Annotated[str, Meta(max_length=MAX_STATES_LENGTH)]
    score: Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]
    proved: Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]


class WordsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of a position that a page has searched itself to a depth, the best first."""

    game: Annotated[str, Meta(max_length=40)]
    depth: Annotated[int, Meta(ge=1, le=1000)]
    lines: Annotated[list[FoundLineBody], Meta(min_length=1, max_length=MAX_LINES)]
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    match: MatchName | None = None


def lines_in_words(wish: WordsRequest, say: Voice) -> tuple[Subject, list[LineView]]:
    """The lines in words, and the game that they are about."""
    explored = ExploreRequest(wish.game, wish.options, wish.position, wish.moves)
    match, _record = match_from_request(explored)
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    if len(match.game.sides) > 2:
        raise ValueError(_("the engine of a page knows games between two sides only"))
    found = [FoundLine(line.states, line.score, line.proved) for line in wish.lines]
    views = line_views(match, told_lines(match, wish.depth, found), say)
    return Subject(match=wish.match, line=Line.of(match)), views


def tell_page(view: AnalysisView | None) -> bytes:
    """A view as a server-sent event; a comment is a sign of life."""
    return b": \n\n" if view is None else b"event: analysis\ndata: %s\n\n" % encode(view)


def tell_program(view: AnalysisView | None) -> bytes:
    """A view as a line of JSON; an empty one is a sign of life."""
    return b"\n" if view is None else encode(view) + b"\n"


def encode(view: AnalysisView) -> bytes:
    """A view as JSON."""
    return msgspec.json.encode(view)


async def analysis_lines(
    services: AnswerServices,
    match: Match[Any],
    question: AnalysisQuestion,
    visitor: Visitor,
    say: Voice,
    tell: Callable[[AnalysisView | None], bytes],
) -> AsyncIterator[bytes]:
    """What a stream says, for as long as somebody reads."""
    try:
        with (
            services.rate_limits.count_stream(visitor.address),
            services.analyses.begin(visitor) as analysis,
        ):
            reports = services.analyses.reports_of(analysis, question, PATIENCE)
            async with aclosing(reports):
                async for report in reports:
                    yield tell(report_view(match, report, say) if report else None)
            if analysis.ended:
                yield tell(ending_view(analysis.ended, say))
    except (TooManyAnalysesError, FairPlayError, UnreachableError) as refusal:
        yield tell(ending_view(ending_by(refusal), say))


def ending_view(why: Ending, say: Voice) -> AnalysisView:
    """The last view of an analysis that ends before it is done."""
    words = say(why.phrase) if why.phrase else None
    return AnalysisView(why.state, words=words, code=why.code, done=True)


MAX_LINKED_MOVES: Final = 1500  # characters of the moves in the address of a picture


def analysis_page(request: IncomingRequest, base: str) -> Page:
    """Any position of any game, to try moves and to see what is known of them."""
    values = analysis_values(negotiate_voice(request))
    return Page("analysis.html", {"picture": linked_picture(request, base), **values})


def linked_picture(request: IncomingRequest, base: str) -> str | None:
    """The address of a picture of the position in the address, for programs that show links."""
    wished = request.query_params
    name = wished.get("game")
    if name not in names() or len(wished.get("moves", "")) > MAX_LINKED_MOVES:
        return None
    kept = (*game_class(name).options, "position", "moves")
    query = {key: wished[key] for key in kept if key in wished}
    return f"{base}/picture/{name}.png?{urlencode(query)}"


def analysis_values(say: Voice) -> dict[str, Any]:
    """What the page chooses among: the editions in a menu, the options of every game in words."""
    options = {
        name: [
            {
                "name": key,
                "label": say(option.label),
                "values": {value: say(option.describe(value)) for value in option},
            }
            for key, option in game_class(name).options.items()
        ]
        for name in names()
    }
    return {"faces": menu_editions(say), "games": options}


def menu_editions(say: Voice) -> list[dict[str, str]]:
    """The editions of all games for a menu: their titles, and how an address names them."""
    return [
        {"query": urlencode({"game": name, **edition.options}), "title": say(edition.title)}
        for name in menu_names()
        for edition in game_class(name).editions
    ]
