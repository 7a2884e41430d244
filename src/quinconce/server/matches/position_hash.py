"""Fair play: while people play each other, nobody is told what an engine or a proof says of it.

A match that people are at is known by where it stands: the hash of its position lies in the
database beside the match, under an index, so that every server finds it with one look and without
reading any match. The position is taken and not the moves, because a position that somebody sets
up is the same help as the line that led to it. Two limits keep others from being refused: openings
are everybody's, and a line that went through such a position long ago is another game. Somebody
who turns the board round is not found, nor who asks an engine of their own.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.server.matches.online_match import OnlineMatch

FIRST_PLY: Final = 8  # of a match from which its positions are its own
NEAR_PLIES: Final = 12  # before the end of a line, in which a match that goes on is looked for


def is_guarded(state: OnlineMatch) -> bool:
    """Whether people are at a match who have not all agreed to hints."""
    return not (state.over or state.hints_allowed)


def position_hash(game: Game[Any], position: Any) -> str:
    """The name of a position of a form of a game."""
    text = f"{game.form_id} {game.write(position)}"
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def guarded_hash(state: OnlineMatch) -> str | None:
    """The hash under which a match is looked for; None if anybody may analyse it."""
    if not is_guarded(state) or len(state.match.moves) < FIRST_PLY:
        return None
    return position_hash(state.game, state.match.position)


def line_hashes(match: Match[Any]) -> list[str]:
    """The hashes of the last positions of a line: somebody may have gone on from a match."""
    return [position_hash(match.game, place) for place in match.positions[-NEAR_PLIES - 1 :]]
