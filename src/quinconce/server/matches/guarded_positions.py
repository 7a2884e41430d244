"""Fair play: while people play each other, nobody is told what an engine or a proof says of it.

Where a match stands that people are at lies in the database beside the match, so that every server
knows it. The position is taken and not the moves, because a position that somebody sets up is the
same help as the line that led to it; so is one that is turned, mirrored or recoloured, and so are
those one move before and after it. Two limits keep others from being refused: openings are
everybody's, and a line that went through such a position long ago is another game. Somebody who
asks an engine of their own is not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.symmetry import Symmetry
from quinconce.server.matches.online_match import OnlineMatch

FIRST_PLY: Final = 8  # of a match from which its positions are its own
NEAR_PLIES: Final = 12  # before the end of a line, in which a match that goes on is looked for
# A position of more moves tells too little of each of them.
MAX_MOVES: Final = 200
MAX_FORMS: Final = 64  # whose disguises are kept
MAX_KEPT: Final = 4096  # positions of matches that are kept with what follows from them


class GuardedPosition(NamedTuple):
    """Where a match stands that people are at: one for all its disguises."""

    form: str
    position: str


class Line(NamedTuple):
    """Positions of which somebody wants to know something, and the last with its moves."""

    game: Game[Any]
    positions: Sequence[Any]
    last: Any | None  # None in an opening

    @classmethod
    def of(cls, match: Match[Any], since: int | None = None) -> Line:
        """The last positions of a match, where somebody may have gone on from another.

        With `since` all from that one on, if these are more.
        """
        end = len(match.moves)
        near = max(0, end - NEAR_PLIES)
        return cls.between(match, near if since is None else min(since, near), end)

    @classmethod
    def between(cls, match: Match[Any], first: int, last: int) -> Line:
        """The positions of a match from one ply to another; an opening is everybody's."""
        opening = last < FIRST_PLY and match.positions[0] == match.game.start()
        positions = match.positions[first : last + 1]
        return cls(match.game, positions, None if opening else positions[-1])


def is_guarded(state: OnlineMatch) -> bool:
    """Whether people are at a match who have not all agreed to hints."""
    return not (state.over or state.hints_allowed)


def is_looked_for(state: OnlineMatch) -> bool:
    """Whether the position of a match is its own, and nobody may analyse it."""
    return is_guarded(state) and len(state.match.moves) >= FIRST_PLY


def guarded_position(state: OnlineMatch) -> GuardedPosition | None:
    """Where a match is looked for; None if anybody may analyse it."""
    if not is_looked_for(state):
        return None
    game = state.game
    return GuardedPosition(guarded_form(game), game.write(canonical(game, state.match.position)))


def guarded_form(game: Game[Any]) -> str:
    """The game with the options that change what a move is worth."""
    kept = (value for name, value in game.chosen.items() if name not in game.jam_options)
    return "-".join((game.name, *kept))


@lru_cache(MAX_FORMS)
def disguises_of(game: Game[Any]) -> Sequence[Symmetry]:
    """The disguises of the positions of a game, which take a while to be made."""
    return tuple(game.disguises())


def images(game: Game[Any], position: Any) -> Iterable[Any]:
    """A position in all its disguises."""
    return (game.image(disguise, position) for disguise in disguises_of(game))


def canonical(game: Game[Any], position: Any) -> Any:
    """The first of the disguises of a position."""
    return min(images(game, position))


def piece_counts(position: Any) -> tuple[int, ...]:
    """How many pieces there are of each colour, which is the same in every disguise."""
    board = position.board
    return tuple(sorted(board.count(letter) for letter in set(board)))


def next_positions(game: Game[Any], position: Any) -> list[Any]:
    """Where the moves of a position lead; nowhere if there are too many."""
    found = [after for _move, after in islice(game.moves(position), MAX_MOVES + 1)]
    return [] if len(found) > MAX_MOVES else found


@lru_cache(MAX_KEPT)
def guarded_counts(game: Game[Any], text: str) -> tuple[int, ...]:
    """The numbers of pieces where a match stands."""
    return piece_counts(game.parse(text))


@lru_cache(MAX_KEPT)
def hashes_after(game: Game[Any], text: str) -> frozenset[int]:
    """The hashes of the positions to which a match can go on."""
    return frozenset(map(hash, next_positions(game, game.parse(text))))


def is_near(line: Line, guarded: Sequence[str]) -> bool:
    """Whether a line tells of a match that stands at one of some positions of its form.

    That is one of them, one to which such a match can go on, or from which it can have come.
    """
    game, texts = line.game, frozenset(guarded)
    counts = {guarded_counts(game, text) for text in texts}
    before = [] if line.last is None else next_positions(game, line.last)
    told = [place for place in (*line.positions, *before) if piece_counts(place) in counts]
    if any(game.write(canonical(game, place)) in texts for place in told):
        return True
    disguised = {hash(image) for place in line.positions for image in images(game, place)}
    return any(not disguised.isdisjoint(hashes_after(game, text)) for text in texts)
