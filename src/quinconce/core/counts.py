"""How many there are of something, as a phrase to stand inside a sentence: «3 plies»."""

from __future__ import annotations

from quinconce.core.phrase import Phrase, ngettext


def plies(n: int) -> Phrase:
    """Single moves of either player."""
    return ngettext("{n} ply", "{n} plies", n)


def variations(n: int) -> Phrase:
    """Other lines beside the moves of a record."""
    return ngettext("{n} variation", "{n} variations", n)


def notes(n: int) -> Phrase:
    """Notes in a record."""
    return ngettext("{n} note", "{n} notes", n)


def positions(n: int) -> Phrase:
    """Positions, of a game or searched."""
    return ngettext("{n} position", "{n} positions", n)


def answers(n: int) -> Phrase:
    """Moves of the winner in a certificate."""
    return ngettext("{n} answer", "{n} answers", n)


def replies(n: int) -> Phrase:
    """Moves of the loser that a certificate is checked against."""
    return ngettext("{n} reply", "{n} replies", n)


def matches(n: int) -> Phrase:
    """Matches that were played."""
    return ngettext("{n} match", "{n} matches", n)


def pawns(n: int) -> Phrase:
    """Pawns on a board."""
    return ngettext("{n} pawn", "{n} pawns", n)


def players(n: int) -> Phrase:
    """People at a board."""
    return ngettext("{n} player", "{n} players", n)


def rows(n: int) -> Phrase:
    """Rows of a board."""
    return ngettext("{n} row", "{n} rows", n)


def cells(n: int) -> Phrase:
    """Cells of a board, or of a row of it."""
    return ngettext("{n} cell", "{n} cells", n)
