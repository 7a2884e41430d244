"""The route that checks a tree of variations and writes it as a record, to save."""

from __future__ import annotations

from typing import Annotated

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.core.move_limit import read_position
from quinconce.core.record import Record, Seat
from quinconce.core.registry import game
from quinconce.core.variations import Variations
from quinconce.server.matches.setup import Options
from quinconce.server.off_loop import run_slow
from quinconce.server.routes.common import LanguageQuery, error_responses


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


@post(
    "/api/variations",
    status_code=200,
    responses=error_responses(403, 413, 422),
    tags=["reading"],
    operation_id="writeVariations",
)
async def write_variations(data: JSONBody[TreeRequest], language: LanguageQuery) -> TreeRecord:
    """Check a tree of variations move by move, and write it as a record."""
    return await run_slow(tree_record, data)


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
