"""What endings with few pieces come to: who wins how many of them, by the pieces of each side."""

from __future__ import annotations

from typing import NamedTuple

from quinconce.solvers.endgames.tables import EndgameTable


class PiecesStatistics(NamedTuple):
    """The positions of a stronger side against a weaker one, either side to move.

    Where both are equal, the stronger is the player to move.
    """

    stronger: int  # pieces
    weaker: int
    won: int  # by the stronger
    drawn: int
    lost: int
    longest: int  # turns to the next capture, of all that is decided


def statistics_by_pieces(table: EndgameTable) -> list[PiecesStatistics]:
    """All positions of a table where the game goes on, by the pieces of each side."""
    found = []
    for part, (behind, ahead, _classes) in table.statistics.items():
        won, drawn, lost, longest = ahead
        if part.weak != part.strong:
            won, drawn, lost = won + behind.lost, drawn + behind.drawn, lost + behind.won
            longest = max(longest, behind.longest)
        if part.weak:
            found.append(PiecesStatistics(part.strong, part.weak, won, drawn, lost, longest))
    return sorted(found, key=lambda share: (share.stronger + share.weaker, share.weaker))
