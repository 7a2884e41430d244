"""Moves as people enter them: typed in any spelling, or by touch, with why no move begins there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from quinconce.core.board import Steps
from quinconce.core.game import MAX_MOVE_LENGTH, PASS, Game
from quinconce.core.match import Match
from quinconce.core.move_limit import MOVE_LIMIT
from quinconce.core.phrase import Phrase, _, quote
from quinconce.core.position import P

LOOKALIKES: Final = str.maketrans({"×": "x", "–": "-", "—": "-", "−": "-", "→": "-"})

FIRST_FROM_RESERVE: Final = _("First choose a pawn from your reserve.")


def parse_typed_move(game: Game[P], position: P, typed: str) -> str:
    """The legal move that was meant, whatever its letter case, spaces or the order of a pair.

    `G6-A4` stands for a longer move with one meaning, and another way to the same end for the same
    move, where the game says so. What means no legal move comes back as it was typed, so that the
    rules can say why; what means several is a ValueError that names them.
    """
    if len(typed) > MAX_MOVE_LENGTH:
        return typed
    tidy = "".join(typed.translate(LOOKALIKES).split())
    folded = sort_joined_places(tidy.casefold())
    found = dict.fromkeys((folded, tidy, tidy.upper().replace("X", "x")))
    spellings = [text for text in found if text == PASS or re.fullmatch(game.notation, text)]
    for text in spellings:  # which is quick, however many moves there are
        if game.successor(position, text) is not None:
            return text
    for text in spellings:
        if text != PASS and (same := game.same_move(position, text)):
            return same
    legal = list(islice((text for text, _after in game.moves(position)), MOVE_LIMIT))
    if meant := [text for text in legal if text.casefold() == folded]:
        return meant[0]
    ends = [frozenset((place,)) for place in folded.split("-")]
    meant = [text for text in legal if len(ends) == 2 and end_places(game, text) == ends]
    if len(meant) > 1:
        some = ", ".join(sorted(meant)[:8])
        raise ValueError(_("{typed} could mean {moves}", typed=quote(typed), moves=some))
    if meant:
        return meant[0]
    # No legal move, but perhaps one in other letters: then the rules can tell why it is refused.
    return next(iter(spellings), tidy)


def play_typed(match: Match[Any], texts: Iterable[str]) -> None:
    """Play moves as people type them; MoveError at the first that the rules refuse."""
    for typed in texts:
        match.play(parse_typed_move(match.game, match.position, typed))


def sort_joined_places(text: str) -> str:
    """A move that names places joined by + with these in order."""
    return text[:1] + "+".join(sorted(text[1:].split("+")))


def end_places(game: Game[P], text: str) -> list[frozenset[str]]:
    """The first and the last step of a move in lower case."""
    steps = [frozenset(place.casefold() for place in step) for step in game.touches(text)]
    return steps[:1] + steps[-1:]


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
    from_reserve = any(kind.letter in starts for kind in game.board().reserves)
    first = FIRST_FROM_RESERVE if from_reserve else _("First touch the piece that goes there.")
    for place in game.board().places:
        if place.name not in starts:
            goal = place.name in ends or place.parent in ends
            reasons[place.name] = (
                game.hindrance(position, place.name)
                or piece_hindrance(pieces.get(place.name), own, duty)
                or (first if goal else duty)
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
