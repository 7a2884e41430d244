"""Endings with few pieces, solved layer by layer: who can force the last capture, and how soon.

For games where pieces only ever leave the board and captures are compulsory, as the kernel's
`endgame_layer_start` says. `layers.py` tells how a layer is worked out; a worth tells the turns to
the next capture, the capture included, and not to the end of the game.

With a limit of quiet turns the values are exact for positions where no quiet turn has been played
yet: a side that needs more turns than the limit to the next capture has a jam. Elsewhere a value
holds if its turns still fit in the quiet turns that are left. Repetition cannot matter: a side that
forces a capture comes nearer to it with every turn.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, NamedTuple

from quinconce.core.game import Game
from quinconce.core.value import Value
from quinconce.kernels import calls
from quinconce.kernels.array_types import HAS_NUMPY
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.solvers.endgames.files import (
    PartStatistics,
    default_folder,
    header,
    read_table,
    remove_stale_files,
    table_path,
    write_table,
)
from quinconce.solvers.endgames.layers import (
    MOST_PIECES_KEPT,
    layer_parts,
    part_numbers,
    solve_part,
)
from quinconce.solvers.retrograde import Distances

DEFAULT_PIECES: Final = 6  # what is solved at need; more takes longer and more memory
table_lock: Final = Lock()
request_lock: Final = Lock()
ready_tables: Final[dict[Game[Any], EndgameTable]] = {}  # what `available_table` returns
requested_games: Final[set[Game[Any]]] = set()


class EndgameTable:
    """The table of a game for positions with at most a given number of pieces."""

    def __init__(
        self, game: Game[Any], pieces: int, worths: Distances, figures: PartStatistics
    ) -> None:
        self.game = game
        self.pieces = pieces
        self.distances = worths  # by the index of a position, for compiled code; -1 is no index
        self.statistics = figures  # what each part of a layer comes to
        self._kernel = kernel_for(game)

    def value(self, position: Any) -> Value | None:
        """The value with `plies` to the next capture; a draw is a jam; None if it is not solved."""
        self.game.check(position)
        number = int(calls.index(self._kernel.encode(position)))
        if not 0 <= number < len(self.distances):
            return None
        return Value.from_distance(int(self.distances[number]))


def table_sizes(kernel: Kernel) -> list[int]:
    """How many positions have at most 0, 1, 2 … pieces; empty if none has a number."""
    state, found = kernel.encode(kernel.game.start()), list[int]()
    while (size := int(calls.endgame_layer_start(state, len(found) + 1))) >= 0:
        found.append(size)
    return found


def most_pieces(game: Game[Any]) -> int:
    """The largest number of pieces whose endings can be solved, or 0."""
    return max(len(table_sizes(kernel_for(game))) - 1, 0)


def load_table(
    game: Game[Any], pieces: int, folder: Path, larger: bool = True
) -> EndgameTable | None:
    """The endings that a file holds; with `larger`, also those of a larger table."""
    size = table_sizes(kernel_for(game))
    for held in range(pieces, len(size) if larger else pieces + 1):
        table = read_table(table_path(folder, game, held), header(game, held), size[held])
        if table:
            figures = {part: row for part, row in table.statistics.items() if part.pieces <= pieces}
            return EndgameTable(game, pieces, table.distances[: size[pieces]], figures)
    return None


def solve_table(game: Game[Any], pieces: int) -> EndgameTable:
    """The endings, worked out in this process."""
    import numpy as np

    from quinconce.solvers.endgames.rounds import solve_part_in_rounds

    kernel = kernel_for(game)
    size = table_sizes(kernel)
    worths, figures = np.zeros(size[pieces], np.int16), PartStatistics()
    for layer in range(1, pieces + 1):
        solve = solve_part if layer <= MOST_PIECES_KEPT else solve_part_in_rounds
        for part in layer_parts(layer):
            found = solve(kernel, part, worths[: size[layer - 1]])
            for first, stretch in part_numbers(kernel, part).stretches(found.distances):
                worths[first : first + len(stretch)] = stretch
            figures[part] = found.weak, found.strong, found.classes
    return EndgameTable(game, pieces, worths, figures)


def save_table(found: EndgameTable, folder: Path) -> None:
    """Write endings to a file, if there can be one: the next process need not work them out."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        remove_stale_files(folder, found.game)
        path = table_path(folder, found.game, found.pieces)
        write_table(path, header(found.game, found.pieces), [found.distances], found.statistics)


@cache
def _load_or_solve(game: Game[Any], pieces: int) -> EndgameTable | None:
    """The endings, from a file or worked out."""
    if pieces > most_pieces(game):
        return None
    folder = default_folder()
    found = load_table(game, pieces, folder)
    if not found:
        found = solve_table(game, pieces)
        save_table(found, folder)
    return found


def endgame_table(game: Game[Any], pieces: int = DEFAULT_PIECES) -> EndgameTable | None:
    """The endings of a game, worked out once and kept in a file; None if they have no numbers."""
    with table_lock:
        return _load_or_solve(game, pieces) if HAS_NUMPY else None


def available_table(game: Game[Any]) -> EndgameTable | None:
    """The endings as far as they are known now, without waiting for them.

    What is not in a file is worked out meanwhile, once a process, and is there when it is done.
    A page has neither files nor threads nor NumPy, and does without.
    """
    if not HAS_NUMPY:
        return None
    with request_lock:
        if game not in requested_games:
            requested_games.add(game)
            if table_path(default_folder(), game, DEFAULT_PIECES).exists():
                publish_table(load_table(game, DEFAULT_PIECES, default_folder(), larger=False))
            Thread(target=load_largest_table, args=(game,), daemon=True, name="endings").start()
    return ready_tables.get(game)


def wait_for_table(game: Game[Any]) -> EndgameTable | None:
    """The same, but waited for."""
    return available_table(game) or publish_table(endgame_table(game))


def load_largest_table(game: Game[Any]) -> None:
    """The largest table that a file holds, or else what is solved at need."""
    for pieces in range(most_pieces(game), DEFAULT_PIECES, -1):
        if table_path(default_folder(), game, pieces).exists() and publish_table(
            load_table(game, pieces, default_folder(), larger=False)
        ):
            return
    if game not in ready_tables:
        with suppress(MemoryError):  # nobody waits for it
            publish_table(endgame_table(game))


def publish_table(found: EndgameTable | None) -> EndgameTable | None:
    """Let `available_table` return it."""
    if found:
        ready_tables[found.game] = found
    return found


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
