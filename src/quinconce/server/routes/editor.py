"""The route of the position editor: pieces are put on a board, and the rules say what is wrong."""

from __future__ import annotations

from typing import Annotated

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.core.phrase import _, quote
from quinconce.core.position_editor import clear_board, put_piece
from quinconce.core.registry import game
from quinconce.server.language import negotiate_voice
from quinconce.server.matches.setup import Options
from quinconce.server.off_loop import run_slow
from quinconce.server.routes.common import AnyRequest, LanguageQuery, error_responses, wants_flipped
from quinconce.server.views.editor import EditorView, editor_view
from quinconce.words import Voice


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


@post(
    "/api/editor",
    status_code=200,
    responses=error_responses(403, 413, 422, 429),
    tags=["reading"],
    operation_id="editPosition",
)
async def edit_position(
    data: JSONBody[EditorRequest], request: AnyRequest, language: LanguageQuery
) -> EditorView:
    """Change a position piece by piece; says why nobody could play on from it, if so."""
    return await run_slow(change_position, data, negotiate_voice(request), wants_flipped(request))


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
