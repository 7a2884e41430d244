"""What a device answers beside matches: games, positions, lessons, puzzles, analyses, studies."""

from __future__ import annotations

from typing import Final

from quinconce.core.phrase import _
from quinconce.core.record import Record
from quinconce.core.registry import game, game_class, names
from quinconce.core.variations import check_node_count
from quinconce.device.messages import (
    PLAIN_TYPE,
    DeviceAnswer,
    MalformedError,
    PageRequest,
    answer_headers,
    answer_json,
    answer_text,
)
from quinconce.device.services import DeviceServices
from quinconce.server.answers import analysis, explore, proven, puzzles, studies
from quinconce.server.answers.common import check_game
from quinconce.server.answers.learn import LessonMove, find_step
from quinconce.server.answers.pictures import (
    MAX_LINE_LENGTH,
    MEDIA_TYPES,
    TOO_LONG,
    draw_position,
    read_width,
)
from quinconce.server.answers.reviews import attachment_header
from quinconce.server.answers.streams import NDJSON, SSE, STREAM_HEADERS, accepts_sse
from quinconce.server.engines.analyses import Visitor
from quinconce.server.engines.fair_play import Subject
from quinconce.server.errors import RouteError
from quinconce.server.language import negotiate_voice
from quinconce.server.refusals import NeedsServerError
from quinconce.server.request import wants_flipped
from quinconce.server.security.secrets import link_reach
from quinconce.server.studies.studies import check_study_secret, stored_content
from quinconce.server.studies.study import StudyContent
from quinconce.server.views.analysis import LineView
from quinconce.server.views.editor import EditorView
from quinconce.server.views.engine import EngineView, outage_view
from quinconce.server.views.games import GameView, game_view
from quinconce.server.views.lessons import (
    LessonJudgement,
    LessonStepView,
    judgement_view,
    step_view,
)
from quinconce.study.lesson import judge_step

ADDRESS: Final = "device"  # the address of everybody here
STAGES: Final = ("play", "proofs", "puzzles")
MAX_GAME_LENGTH: Final = 40  # characters of the name of a game


# Games and positions.


async def games(_services: DeviceServices, request: PageRequest) -> list[GameView]:
    """The games, with every option explained."""
    say = negotiate_voice(request)
    return [game_view(name, say) for name in names()]


def asked_game(request: PageRequest) -> str:
    """The game that the query names; MalformedError if it names none."""
    name: str | None = request.query_params.get("game")
    if name is None or len(name) > MAX_GAME_LENGTH:
        raise MalformedError("game")
    return name


async def engine_preparation(services: DeviceServices, request: PageRequest) -> EngineView:
    """Whether the engine can be asked about a game: it is always ready."""
    name = asked_game(request)
    if request.query_params.get("stage", STAGES[0]) not in STAGES:
        raise MalformedError("stage")
    options = {k: v for k, v in request.query_params.items() if k in game_class(name).options}
    game(name, **options)
    return outage_view(services.engines.outage, negotiate_voice(request))


async def explore_position(
    _services: DeviceServices, request: PageRequest
) -> explore.ExploreResult:
    """Look at any position of any game, and what can be played in it."""
    wish = request.read(explore.ExploreRequest)
    return explore.exploration(wish, negotiate_voice(request), wants_flipped(request))


async def write_variations(_services: DeviceServices, request: PageRequest) -> explore.TreeRecord:
    """Check a tree of variations move by move, and write it as a record."""
    wish = request.read(explore.TreeRequest)
    check_node_count(len(wish.nodes))
    return explore.tree_record(wish)


async def edit_position(_services: DeviceServices, request: PageRequest) -> EditorView:
    """Change a position piece by piece."""
    wish = request.read(explore.EditorRequest)
    return explore.change_position(wish, negotiate_voice(request), wants_flipped(request))


async def position_picture(
    _services: DeviceServices, request: PageRequest, file: str
) -> DeviceAnswer:
    """A position as SVG; the address says everything that the picture depends on."""
    name, _dot, kind = file.rpartition(".")
    if kind not in ("svg", "png"):
        raise RouteError(404, "picture", _("a picture is asked for as .svg or .png"))
    check_game(name)
    query = request.query_params
    read_width(query.get("width"))
    if len(query.get("moves", "")) > MAX_LINE_LENGTH:
        raise RouteError(413, "large", TOO_LONG)
    svg = draw_position(name, dict(query), query.get("theme") or None)
    if kind == "png":
        raise NeedsServerError(_("a picture of this kind needs a server: ask for .svg"))
    return answer_text(svg, MEDIA_TYPES["svg"])


# Lessons and puzzles.


async def read_step(
    _services: DeviceServices, request: PageRequest, name: str, step: str
) -> LessonStepView:
    """A step of a lesson: what it says, and the position to play in."""
    return step_view(find_step(name, step), negotiate_voice(request))


async def try_step_move(
    _services: DeviceServices, request: PageRequest, name: str, step: str
) -> LessonJudgement:
    """Whether a move does what the step asks, and the reply to it."""
    wish = request.read(LessonMove)
    one = find_step(name, step)
    return judgement_view(one, judge_step(one, wish.move), negotiate_voice(request))


async def list_puzzles(
    _services: DeviceServices, request: PageRequest
) -> list[puzzles.PuzzleEntry]:
    """The puzzles of a game, from easy to hard for each set of its options."""
    return puzzles.puzzle_entries(asked_game(request))


async def read_puzzle(
    _services: DeviceServices, request: PageRequest, puzzle: str
) -> puzzles.PuzzleView:
    """A puzzle with its goal and the position."""
    return puzzles.puzzle_view(puzzles.find_puzzle(puzzle), negotiate_voice(request))


async def read_solution(
    services: DeviceServices, request: PageRequest, puzzle: str
) -> puzzles.PuzzleSolution:
    """How a puzzle is solved."""
    one = puzzles.find_puzzle(puzzle)
    return await puzzles.puzzle_solution(services, one, negotiate_voice(request))


async def try_puzzle_move(
    services: DeviceServices, request: PageRequest, puzzle: str
) -> puzzles.Judgement:
    """Whether the last move keeps the goal, and the reply that lasts longest."""
    wish = request.read(puzzles.Attempt)
    one = puzzles.find_puzzle(puzzle)
    return await puzzles.judge_moves(services, one, wish, negotiate_voice(request))


async def give_puzzle_hint(
    services: DeviceServices, request: PageRequest, puzzle: str
) -> puzzles.PuzzleHint:
    """Where the next move begins."""
    wish = request.read(puzzles.HintRequest)
    return await puzzles.puzzle_hint(services, puzzles.find_puzzle(puzzle), wish)


# What engines, tables and proofs say.


async def analyse(services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """Open an analysis."""
    wish = request.read(analysis.AnalysisRequest)
    await services.engines.fair_play.check(Subject(match=wish.match))
    match, question = analysis.read_question(wish)
    visitor = Visitor(ADDRESS, wish.visitor or "")
    services.rate_limits.check_stream(visitor.address)
    services.analyses.check(visitor)
    page, say = accepts_sse(request), negotiate_voice(request)
    tell = analysis.tell_page if page else analysis.tell_program
    lines = analysis.analysis_lines(services, match, question, visitor, say, tell)
    return DeviceAnswer(200, answer_headers(SSE if page else NDJSON, STREAM_HEADERS), lines)


async def tell_lines(services: DeviceServices, request: PageRequest) -> list[LineView]:
    """Put lines into words that a page has found itself."""
    wish = request.read(analysis.WordsRequest)
    await services.engines.fair_play.check(Subject(match=wish.match))
    _subject, views = analysis.lines_in_words(wish, negotiate_voice(request))
    return views


async def proven_values(services: DeviceServices, request: PageRequest) -> proven.MatchValues:
    """What is proved of a match."""
    wish = request.read(proven.ProofRequest)
    await services.engines.fair_play.check(Subject(match=wish.match))
    match, _record = explore.match_from_request(wish)
    return await proven.proven_values(services, match, wish, negotiate_voice(request))


# Studies.


async def make_study(services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """Keep boards with their variations as a study."""
    made = await services.studies.create(request.read(StudyContent), ADDRESS)
    return answer_json(studies.study_links(made, request.base), 201)


async def read_study(
    services: DeviceServices, request: PageRequest, study: str
) -> studies.StudyView:
    """A study; its secret says who may change it."""
    row = await services.studies.read(study)
    editable = "authorization" in request.headers
    if editable:
        check_study_secret(row, studies.sent_secret(request))
    return studies.study_view(row, editable)


async def change_study(
    services: DeviceServices, request: PageRequest, study: str
) -> studies.StudyVersion:
    """Write a study anew, with its secret as the token; 409 if it was changed since `version`."""
    wish = request.read(studies.StudyChange)
    content, token = StudyContent(wish.boards, wish.title), studies.sent_secret(request)
    version = await services.studies.change(study, token, wish.version, content, ADDRESS)
    return studies.StudyVersion(version)


async def replace_study_secret(
    services: DeviceServices, request: PageRequest, study: str
) -> studies.StudyEditLink:
    """Let a new secret change a study in place of the one that is sent as the token."""
    wish = request.read(studies.StudySecret)
    await services.studies.replace_secret(study, studies.sent_secret(request), wish.secret)
    base = request.base
    return studies.StudyEditLink(f"{base}/study/{study}#{wish.secret}", link_reach(base))


async def delete_study(services: DeviceServices, request: PageRequest, study: str) -> DeviceAnswer:
    """Delete a study, with its secret as the token."""
    await services.studies.delete(study, studies.sent_secret(request))
    return DeviceAnswer(204, {}, b"")


async def board_record(services: DeviceServices, study: str, board: int) -> Record:
    """A board of a study as a record."""
    said = stored_content(await services.studies.read(study))
    return studies.find_board(said, board).record(said.title)


async def study_record(
    services: DeviceServices, _request: PageRequest, study: str, board: int
) -> DeviceAnswer:
    """A board of a study as a record with variations, to save."""
    sheet = await board_record(services, study, board)
    header = attachment_header(sheet, f"{study}-{board + 1}", "quinconce")
    return answer_text(sheet.text(), PLAIN_TYPE, header)


async def study_record_json(
    services: DeviceServices, _request: PageRequest, study: str, board: int
) -> DeviceAnswer:
    """The same as the record's JSON twin."""
    sheet = await board_record(services, study, board)
    header = attachment_header(sheet, f"{study}-{board + 1}", "json")
    return answer_json(sheet.json(), headers=header)
