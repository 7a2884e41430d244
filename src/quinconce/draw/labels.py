"""Labels for screen readers: of a place, a pile, a pawn, a reserve, and of the whole picture."""

from __future__ import annotations

from collections.abc import Sequence

from quinconce.core.board import Board
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import P


def labels(game: Game[P], board: Board, position: P) -> dict[str, Phrase]:
    """Every place and reserve with its label."""
    pieces = game.pieces(position)
    names = {kind.letter: kind.name for kind in game.kinds}
    inside: dict[str, list[str]] = {place.parent: [] for place in board.places if place.parent}
    for place in board.places:
        if place.parent and place.name in pieces:
            inside[place.parent].append(pieces[place.name])
    regions = {place: region.label for region in board.landmarks() for place in region.places}
    said = {}
    for place in board.places:
        where = place.label
        if region := regions.get(place.name):
            where = _("{place}, {region}", place=where, region=region)
        standing = inside.get(place.name, list(pieces.get(place.name, "")))
        said[place.name] = place_label(where, [names[letter] for letter in standing])
    for kind in board.reserves:
        n = len(pieces[kind.letter])
        said[kind.letter] = _("reserve, {colour}: {n}", colour=kind.name, n=n)
    return said


def place_label(where: Phrase, standing: Sequence[Phrase]) -> Phrase:
    """A place with what stands on it, from the bottom up."""
    if not standing:
        return _("{place}: empty", place=where)
    what, n = standing[0], len(standing)
    for above in standing[1:]:
        what = _("{one} under {other}", one=what, other=above)
    if n == 1:
        return _("{place}: {piece}", place=where, piece=what)
    return _("{place}, pile of {n}: {piece}", place=where, n=n, piece=what)


def picture_title(game: Game[P], position: P, last: str | None) -> Phrase:
    """The picture in one line: the game, the last move, whose turn or how the board decided."""
    title = _("{game} after {move}", game=game.title, move=last) if last else game.title
    if outcome := game.outcome(position):
        return _("{title}: {reason}", title=title, reason=game.reason(outcome))
    return _("{title}: {player} to move", title=title, player=game.players[game.seat(position)])
