"""Any position of any game: to explore, to edit, to write its variations down."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from quinconce.core.match import Match
from quinconce.core.move_input import play_typed
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, quote
from quinconce.core.position_editor import clear_board, put_piece
from quinconce.core.record import Record, Seat, read_record
from quinconce.core.registry import game
from quinconce.core.variations import MAX_NODES, Variations
from quinconce.engine.page_search import PageSearch, page_search
from quinconce.server.errors import RouteError
from quinconce.server.matches.setup import Options
from quinconce.server.views.editor import EditorView, editor_view
from quinconce.server.views.games import describe_options
from quinconce.server.views.position import PositionView, position_view
from quinconce.words import Voice
from quinconce.words.sentences import seat_name

DRAWING_COST: Final = 10  # moves that take as long to check as one position to draw
SHORTEST_MOVE: Final = 3  # characters in a record, with the space after it


class ExploreRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A position to look at: a game with moves played in it, or a record up to a ply."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    record: Annotated[str, Meta(max_length=200_000)] | None = None
    ply: Annotated[int, Meta(ge=0)] | None = None
    # The places touched so far, where there are too many moves to list: `scene.narrowed` follows.
    touched: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=100)] | None = None
    search: bool = False  # whether the page wants to search the position itself


class ExploreResult(Struct, frozen=True):
    """The position, with all its legal moves; nobody's game is disturbed."""

    game: str
    title: str
    options: dict[str, str | int]
    start: str | None
    seats: list[str]
    players: list[str]  # every seat by its number and what it plays with
    sides: list[list[int]]  # the seats that win together
    facts: str  # the options that are not the usual ones, in words
    turns: int  # of a round, by which moves are numbered
    moves: list[str]
    scene: PositionView
    nodes: list[dict[str, str | int]] | None = None  # the variations of a record: docs/records.md
    note: str = ""  # of its start
    # What a page needs to search the position itself; null unless it asks, and where it cannot.
    search: PageSearch | None = None


def count_moves(wish: ExploreRequest) -> int:
    """How many moves have to be played for a position, at most, and the drawing of it."""
    if wish.record is None:
        return DRAWING_COST + len(wish.moves)
    return DRAWING_COST + min(MAX_NODES, len(wish.record) // SHORTEST_MOVE)


def match_from_request(wish: ExploreRequest) -> tuple[Match[Any], Record]:
    """What is asked for, played from its start, and its record: who sat there, variations."""
    if wish.record is not None:
        record, match = read_record(wish.record)
        return match, record
    if wish.game is None:
        raise ValueError(_("name a game, or send a record"))
    rules = game(wish.game, **wish.options)
    match = Match(rules, None if wish.position is None else read_position(rules, wish.position))
    play_typed(match, wish.moves)
    return match, Record.of(match)


def exploration(wish: ExploreRequest, say: Voice, flipped: bool = False) -> ExploreResult:
    """The position that is asked for."""
    match, record = match_from_request(wish)
    seats, tree = record.seats, record.variations
    if wish.ply is not None and wish.ply > len(match.moves):
        raise RouteError(422, "ply", _("the match is not that long"))
    start = None if match.start == match.game.start() else match.game.write(match.start)
    return ExploreResult(
        match.game.name,
        say(match.game.title),
        dict(match.game.chosen),
        start,
        [seat.name for seat in seats],
        [say(seat_name(match.game, seat)) for seat in range(match.game.seats)],
        [list(side) for side in match.game.sides],
        " · ".join(describe_options(match.game, say)),
        len(match.game.cycle),
        list(match.moves),
        position_view(match, say, seats, wish.ply, flipped=flipped, touched=wish.touched),
        None if tree is None else tree.json(),
        "" if tree is None else tree.root.note,
        page_search(match) if wish.search and wish.ply is None else None,
    )


class TreeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A tree of variations: its nodes as records have them in JSON, and who played."""

    game: Annotated[str, Meta(max_length=40)]
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    nodes: list[dict[str, str | int]] = []
    note: str = ""  # of the start
    names: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=10)] = []


class TreeRecord(Struct, frozen=True):
    """The tree as the text of a record, and how many moves it has."""

    record: str
    moves: int


def tree_record(wish: TreeRequest) -> TreeRecord:
    """The record of a tree; RecordError at a move that the rules refuse."""
    rules = game(wish.game, **wish.options)
    start = None if wish.position is None else read_position(rules, wish.position)
    tree = Variations.from_nodes(rules, start, wish.nodes, wish.note)
    tree.check()
    line = tree.main_line()
    match = tree.match_at(line[-1] if line else tree.root)
    seats = [Seat(name) for name in wish.names] if any(wish.names) else []
    return TreeRecord(Record.of(match, seats, variations=tree).text(), len(wish.nodes))


class PutPiece(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece by its letter, or `.` for none, and the place where it is put."""

    place: Annotated[str, Meta(max_length=8)]
    piece: Annotated[str, Meta(max_length=1)]


class EditorRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, possible or not, and what is to be changed in it."""

    game: Annotated[str, Meta(max_length=40)]
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None  # by default the start
    clear: bool = False  # take everything off first
    put: PutPiece | None = None
    fields: dict[
        Annotated[str, Meta(max_length=20)], Annotated[int, Meta(ge=0, le=1000)]
    ] = {}  # the turn and other numbers of the position, by name


def change_position(wish: EditorRequest, say: Voice, flipped: bool) -> EditorView:
    """The position as it is asked for."""
    rules = game(wish.game, **wish.options)
    position = rules.start() if wish.position is None else rules.parse(wish.position)
    if wish.clear:
        position = clear_board(position)
    if wish.put:
        position = put_piece(rules, position, wish.put.place, wish.put.piece)
    for name in wish.fields:
        if name not in position._fields[1:]:
            raise ValueError(_("a position of this game has no {name}", name=quote(name)))
    changed = position._replace(**wish.fields)
    return editor_view(rules, rules.parse(rules.write(changed)), say, flipped=flipped)
