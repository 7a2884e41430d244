"""A position that is set up piece by piece: the rules need not allow it until it is done."""

from __future__ import annotations

from quinconce.core.board import replace_letter
from quinconce.core.game import EMPTY, Game
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import Phrase, _, quote
from quinconce.core.position import P


def put_piece(game: Game[P], position: P, place: str, letter: str) -> P:
    """A position with a piece put on a place, or with the piece there taken off: letter `.`.

    What stood there goes. A pile is a place too: there, the piece is put on top or taken from it.
    ValueError if there is no such place or piece, or if the pile is full.
    """
    if letter != EMPTY and (len(letter) != 1 or letter not in game.letters):
        raise ValueError(_("there is no piece {letter}", letter=quote(letter)))
    board = replace_letter(position.board, find_cell(game, position, place, letter), letter)
    return position._replace(board=settle(game, board))


def find_cell(game: Game[P], position: P, place: str, letter: str) -> int:
    """The cell that a touch means: in a pile, the first free one or the last that is not."""
    if place in game.cells:
        return game.cells.index(place)
    pile = piles(game).get(place)
    if pile is None:
        raise ValueError(_("there is no place {place}", place=quote(place)))
    free = [cell for cell in pile if position.board[cell] == EMPTY]
    if letter != EMPTY and not free:
        raise ValueError(_("the pile on {place} is full", place=place))
    if letter != EMPTY:
        return free[0]
    return next((cell for cell in reversed(pile) if cell not in free), pile[0])


def piles(game: Game[P]) -> dict[str, list[int]]:
    """The cells of each pile, from below; none where pieces do not lie on each other."""
    parents = {place.name: place.parent for place in game.board().places}
    found: dict[str, list[int]] = {}
    for number, cell in enumerate(game.cells):
        if parent := parents[cell]:
            found.setdefault(parent, []).append(number)
    return found


def settle(game: Game[P], board: str) -> str:
    """The board once everything in a pile has fallen down as far as it can."""
    for pile in piles(game).values():
        standing = "".join(board[cell] for cell in pile).replace(EMPTY, "")
        for cell, letter in zip(pile, standing.ljust(len(pile), EMPTY), strict=True):
            board = replace_letter(board, cell, letter)
    return board


def clear_board(position: P) -> P:
    """The position with no piece on the board."""
    return position._replace(board=EMPTY * len(position.board))


def find_fault(game: Game[P], position: P) -> Phrase | None:
    """Why nobody can play on from a position; None if the rules allow it."""
    try:
        read_position(game, game.write(position))
    except ValueError as error:
        fault: Phrase = error.args[0]
        return fault
    return None
