"""What a page shows of a position that is being set up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _
from quinconce.core.position_editor import find_fault
from quinconce.draw import picture
from quinconce.server.views.cards import swatch
from quinconce.words import Voice
from quinconce.words.sentences import seat_name


class PieceView(Struct, frozen=True):
    """A kind of piece that can be put on the board, and how many stand there."""

    letter: str
    name: str
    n: int
    svg: str


class FieldView(Struct, frozen=True):
    """What is to be said of a position beside its board: who is to move, the phase."""

    name: str
    label: str
    value: int
    values: list[str]  # in words, the first for `first`
    first: int


class EditorView(Struct, frozen=True):
    """A position, its drawing, and why nobody can play on from it, if so."""

    position: str
    svg: str
    fault: str | None
    pieces: list[PieceView]
    fields: list[FieldView]


def editor_view(game: Game[Any], position: Any, say: Voice, *, flipped: bool) -> EditorView:
    """A position that is being set up."""
    fault = find_fault(game, position)
    drawn = picture(game, position, say=say, flipped=flipped, standalone=False, still=True)
    return EditorView(
        game.write(position),
        drawn.svg,
        say(fault) if fault else None,
        [
            PieceView(kind.letter, say(kind.name), position.board.count(kind.letter), swatch(kind))
            for kind in game.kinds
        ],
        list(field_views(game, position, say)),
    )


def field_views(game: Game[Any], position: Any, say: Voice) -> Iterator[FieldView]:
    """The turn, and what else the game has to know."""
    turns = [say(turn_name(game, turn)) for turn in range(len(game.cycle))]
    yield FieldView("turn", say(_("to move")), position.turn, turns, 0)
    for field in game.fields:
        values = [say(words) for words in field.values.values()]
        label, value = say(field.label), getattr(position, field.name)
        yield FieldView(field.name, label, value, values, min(field.values))


def turn_name(game: Game[Any], turn: int) -> Phrase:
    """The player of a turn; if they have several in a round, with the one who follows."""
    seat, following = game.cycle[turn], game.cycle[(turn + 1) % len(game.cycle)]
    if game.cycle.count(seat) == 1:
        return seat_name(game, seat)
    return _("{player}, then player {n}", player=seat_name(game, seat), n=following + 1)
