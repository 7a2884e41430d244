"""Why nothing can be begun at a place of the board: what somebody who touches it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _
from quinconce.core.position import P
from quinconce.core.touch_path import Steps


def hindrances(
    game: Game[P], position: P, legal: Mapping[str, P], paths: Iterable[Steps]
) -> dict[str, Phrase]:
    """Every place where no legal move begins, with the reason; `paths` are those of `legal`."""
    starts: set[str] = set()
    ends: set[str] = set()
    for path in paths:
        starts |= path[0] if path else set()
        ends |= path[-1] if len(path) > 1 else set()
    side = game.sides[game.side(game.seat(position))]
    own = {kind.letter for kind in game.kinds if kind.seat in side}
    duty, pieces = game.duty(position, legal), game.pieces(position)
    reasons = {}
    for place in game.board().places:
        if place.name not in starts:
            goal = place.name in ends or place.parent in ends
            reasons[place.name] = (
                game.hindrance(position, place.name)
                or piece_hindrance(pieces.get(place.name), own, duty)
                or (_("First touch the piece that goes there.") if goal else duty)
                or _("There is nothing to play here now.")
            )
    placing = any("@" in text for text in legal)
    for kind in game.board().reserves:
        own_reserve = kind.seat == game.seat(position)
        # Where a placement names no reserve, one's own may be touched, and nothing is wrong.
        if kind.letter not in starts and not (placing and own_reserve and pieces[kind.letter]):
            reasons[kind.letter] = reserve_hindrance(own_reserve, bool(pieces[kind.letter]))
    return reasons


def piece_hindrance(letter: str | None, own: set[str], duty: Phrase | None) -> Phrase | None:
    """Why a piece cannot move; None where no piece stands."""
    if letter is None:
        return None
    if letter not in own:
        return _("This is not yours to play.")
    return duty or _("This cannot move now.")


def reserve_hindrance(own: bool, held: bool) -> Phrase:
    """Why nothing comes from a reserve."""
    if not held:
        return _("This reserve is empty.")
    return _("There is no place for a new piece now.") if own else _("This is not yours to play.")
