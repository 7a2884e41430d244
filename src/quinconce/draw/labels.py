"""Labels for screen readers: of a place, a pile, a pawn, a reserve, and of the whole picture."""

from __future__ import annotations

from collections.abc import Sequence

from quinconce.core.board import Board
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import P


def place_phrases(board: Board) -> dict[str, Phrase]:
    """Every place as it is called, with the region that it lies in."""
    regions = {place: region.label for region in board.landmarks() for place in region.places}
    return {
        place.name: _("{place}, {region}", place=place.label, region=regions[place.name])
        if place.name in regions
        else place.label
        for place in board.places
    }


def reserve_label(colour: Phrase, n: int) -> Phrase:
    """A reserve with how many wait there."""
    return _("reserve, {colour}: {n}", colour=colour, n=n)


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
