"""Endings with few pieces, solved layer by layer: who can force the last capture, and how soon.

For games where pieces only ever leave the board and captures are compulsory, as `ending` of the
kernel says. `layers.py` tells how a layer is worked out; a worth tells the turns to the next
capture, the capture included, and not to the end of the game.

With a limit of quiet turns the values are exact for positions where no quiet turn has been played
yet: who needs more turns than the limit to the next capture has a jam. Elsewhere a value holds if
its turns still fit in the quiet turns that are left. Repetition cannot matter: whoever forces a
capture comes nearer to it with every turn.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

import numpy as np

from quinconce.core.game import Game
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel
from quinconce.solvers.endgames.files import (
    Figures,
    about,
    read,
    sweep,
    table_path,
    usual_folder,
    write,
)
from quinconce.solvers.endgames.layers import parts, span_of, worked_out
from quinconce.solvers.retrograde import Value, Worths

PIECES: Final = 6  # what is solved at need; more takes longer and more memory
solving: Final = Lock()
asking: Final = Lock()
at_hand: Final[dict[Game[Any], Endings]] = {}  # what `ready` has to offer
asked_for: Final[set[Game[Any]]] = set()


class Endings:
    """The table of a game for positions with at most so many pieces."""

    def __init__(self, game: Game[Any], pieces: int, worths: Worths, figures: Figures) -> None:
        self.game = game
        self.pieces = pieces
        self.worths = worths  # by the index of a position, for compiled code; -1 is no index
        self.figures = figures  # what each part of a layer comes to
        self._numbers = kernel(game)

    def value(self, position: Any) -> Value | None:
        """The value with `plies` to the next capture; a draw is a jam; None if it is not solved."""
        self.game.check(position)
        number = int(calls.index(self._numbers.encode(position)))
        if not 0 <= number < len(self.worths):
            return None
        return Value.of(int(self.worths[number]))


def sizes(numbers: Kernel) -> list[int]:
    """How many numbers there are with at most so many pieces; nothing if there are none at all."""
    state, found = numbers.encode(numbers.game.start()), list[int]()
    while (size := int(calls.endgame_layer_start(state, len(found) + 1))) >= 0:
        found.append(size)
    return found


def most_pieces(game: Game[Any]) -> int:
    """The largest number of pieces whose endings can be solved, or 0."""
    return max(len(sizes(kernel(game))) - 1, 0)


def from_file(game: Game[Any], pieces: int, folder: Path, larger: bool = True) -> Endings | None:
    """The endings that a file holds; a larger table will do, if it may."""
    size = sizes(kernel(game))
    for held in range(pieces, len(size) if larger else pieces + 1):
        table = read(table_path(folder, game, held), about(game, held), size[held])
        if table:
            figures = {part: row for part, row in table.figures.items() if part.pieces <= pieces}
            return Endings(game, pieces, table.worths[: size[pieces]], figures)
    return None


def in_memory(game: Game[Any], pieces: int) -> Endings:
    """The endings, worked out in this process."""
    numbers = kernel(game)
    size = sizes(numbers)
    worths, figures = np.zeros(size[pieces], np.int16), Figures()
    for layer in range(1, pieces + 1):
        for part in parts(layer):
            found = worked_out(numbers, part, worths[: size[layer - 1]])
            for first, stretch in span_of(numbers, part).stretches(found.worths):
                worths[first : first + len(stretch)] = stretch
            figures[part] = found.weak, found.strong, found.classes
    return Endings(game, pieces, worths, figures)


def keep(found: Endings, folder: Path) -> None:
    """Write endings to a file, if there can be one: the next process need not work them out."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder, found.game)
        path = table_path(folder, found.game, found.pieces)
        write(path, about(found.game, found.pieces), [found.worths], found.figures)


@cache
def solved(game: Game[Any], pieces: int) -> Endings | None:
    """The endings, from a file or worked out."""
    if pieces > most_pieces(game):
        return None
    folder = usual_folder()
    found = from_file(game, pieces, folder)
    if not found:
        found = in_memory(game, pieces)
        keep(found, folder)
    return found


def endings(game: Game[Any], pieces: int = PIECES) -> Endings | None:
    """The endings of a game, worked out once and kept in a file; None if they have no numbers."""
    with solving:
        return solved(game, pieces)


def ready(game: Game[Any]) -> Endings | None:
    """The endings as far as they are known now, without waiting for them.

    What is not in a file is worked out meanwhile, once a process, and is there when it is done.
    """
    with asking:
        if game not in asked_for:
            asked_for.add(game)
            if table_path(usual_folder(), game, PIECES).exists():
                offer(from_file(game, PIECES, usual_folder(), larger=False))
            Thread(target=look_for, args=(game,), daemon=True, name="endings").start()
    return at_hand.get(game)


def awaited(game: Game[Any]) -> Endings | None:
    """The same, but waited for."""
    return ready(game) or offer(endings(game))


def look_for(game: Game[Any]) -> None:
    """The largest table that a file holds, or else what is solved at need."""
    for pieces in range(most_pieces(game), PIECES, -1):
        if table_path(usual_folder(), game, pieces).exists() and offer(
            from_file(game, pieces, usual_folder(), larger=False)
        ):
            return
    if game not in at_hand:
        with suppress(MemoryError):  # nobody waits for it
            offer(endings(game))


def offer(found: Endings | None) -> Endings | None:
    """Let `ready` have it."""
    if found:
        at_hand[found.game] = found
    return found
