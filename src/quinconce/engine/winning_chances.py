"""What each position of a solved game promises against somebody who errs, worked out once.

A position is worth what the whole game is expected to bring against each model of an opponent: a
win 1, a draw one half, a loss 0. We never give away a proved value; the opponent plays as the model
does. It is found by value iteration over the classes of symmetric positions, and kept in a file
beside the compiled code of the same sources.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, NamedTuple

from quinconce.core.files import atomic_writer
from quinconce.core.game import Game
from quinconce.engine.opponent_models import (
    MODELS,
    Estimates,
    Shares,
    search_every_class,
    write_reply_shares,
)
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels.array_types import HAS_NUMPY, Int32Array
from quinconce.kernels.arrays import NATIVE_ARRAYS
from quinconce.kernels.code_cache import cache_directory
from quinconce.kernels.compiled import IS_NATIVE, entry
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.retrograde import (
    DRAWN,
    OVER,
    ClassGraph,
    Distances,
    class_graph,
    solution,
)

DRAW_SHARE: Final = 0.5  # of a point
PATIENCE: Final = 0.99  # how likely a game goes on after each turn: soon is better than late
TOLERANCE: Final = 1e-4  # of a point: what a sweep changes on average at the end
MAX_SWEEPS: Final = 200
LEAP_SWEEPS: Final = 6
FILE_SECONDS: Final = 0.3  # for chances that lie in a file
chances_lock: Final = Lock()


class WinningChances(NamedTuple):
    """What is known of every class, for compiled code; a row for each model."""

    firsts: Int32Array  # the least index of each class; they go up
    worths: Distances
    glances: Estimates  # what is seen at a glance
    estimates: Estimates  # what each model's search finds
    hopes: Shares  # the points to expect where the opponent is to move


def solve_chances(game: Game[Any]) -> WinningChances | None:
    """The chances against every model, worked out; None if the game is not solved."""
    import numpy as np

    found, kernel = solution(game), kernel_for(game)
    graph = class_graph(kernel, NATIVE_ARRAYS)
    if found is None or graph is None:
        return None
    worths = np.asarray(found.distances)[graph.firsts]
    estimates = search_every_class(
        kernel.encode(game.start()),
        graph,
        worths,
        evaluation_weights(kernel),
        [0, *(model.depth for model in MODELS)],
    )
    glances, estimates = estimates[0], estimates[1:]
    hopes = np.empty(estimates.shape, np.float32)
    ours = (0.5 * np.sign(worths) + DRAW_SHARE).astype(np.float32)
    theirs, shares = 1 - ours, np.empty(len(graph.onward), np.float32)
    for row, model in enumerate(MODELS):
        write_every_share(
            graph.starts,
            graph.onward,
            estimates[row],
            glances,
            model.temperature,
            model.slips,
            shares,
        )
        iterate_values(graph, worths, shares, ours, theirs)
        hopes[row] = theirs
    return read_only(WinningChances(graph.firsts, worths, glances, estimates, hopes))


def read_only(chances: WinningChances) -> WinningChances:
    """The same arrays, which nobody may write to any more."""
    for array in chances:
        array.flags.writeable = False
    return chances


def iterate_values(
    graph: ClassGraph, worths: Distances, shares: Shares, ours: Shares, theirs: Shares
) -> None:
    """Find the points to expect where we are to move, and where the opponent is."""
    import numpy as np

    # What promises most comes first, or is nearest to its end: so one sweep carries a chance far.
    order = np.lexsort((-theirs, np.abs(worths))).astype(np.int32)
    drawn, decided = order[worths[order] == DRAWN], order[np.abs(worths[order]) > OVER]
    for classes, least in ((drawn, DRAW_SHARE), (decided, 0.0)):
        change = np.zeros(len(classes), np.float32)
        for sweep in range(1, MAX_SWEEPS + 1):
            before, last = ours[classes], change
            sweep_classes(
                classes, graph.starts, graph.onward, worths, shares, ours, theirs, PATIENCE
            )
            change = ours[classes] - before
            if np.abs(change).mean() < TOLERANCE:
                break
            if sweep % LEAP_SWEEPS == 0:
                # Changes shrink alike from sweep to sweep: go where they would come to rest.
                shrink = float(change @ last / (last @ last))
                if 0.0 < shrink < 1.0:
                    leap = before + change / np.float32(1.0 - shrink)
                    ours[classes] = np.clip(leap, least, 1.0)


@entry
def sweep_classes(
    classes: Int32Array,
    starts: Int32Array,
    onward: Int32Array,
    worths: Distances,
    shares: Shares,
    ours: Shares,
    theirs: Shares,
    patience: float,
) -> None:
    """Weigh the opponent's replies where they can err, and choose our best where we cannot win."""
    for n in range(classes.size):
        place = classes[n]
        worth = worths[place]
        expected = best = 0.0
        for edge in range(starts[place], starts[place + 1]):
            after = onward[edge]
            expected += shares[edge] * ours[after]
            if worth < DRAWN or worths[after] == DRAWN:
                best = max(best, theirs[after])
        if worth >= DRAWN:
            floor = DRAW_SHARE if worth == DRAWN else 0.0
            theirs[place] = floor + patience * (expected - floor)
        if worth <= DRAWN:
            ours[place] = best


@entry
def write_every_share(
    starts: Int32Array,
    onward: Int32Array,
    estimates: Estimates,
    glances: Estimates,
    temperature: float,
    slips: float,
    shares: Shares,
) -> None:
    """How likely a model plays each move of each class."""
    for place in range(starts.size - 1):
        write_reply_shares(
            estimates, glances, temperature, slips, onward, starts[place], starts[place + 1], shares
        )


def chances_path(game: Game[Any]) -> Path:
    """Where the chances of a game are kept: anew for other sources."""
    return cache_directory() / f"{game.form_id}.chances.npz"


def load_chances(game: Game[Any]) -> WinningChances | None:
    """What a file holds; None if there is none, or it cannot be read."""
    import numpy as np

    try:
        with np.load(chances_path(game)) as held:
            return read_only(WinningChances(*(held[name] for name in WinningChances._fields)))
    except (OSError, ValueError, KeyError, EOFError):
        return None


def save_chances(game: Game[Any], found: WinningChances) -> None:
    """Write chances to a file, if there can be one: the next process need not work them out."""
    import numpy as np

    try:
        with atomic_writer(chances_path(game)) as file:
            np.savez(file, **found._asdict())
    except OSError:
        return


@cache
def _load_or_solve(game: Game[Any]) -> WinningChances | None:
    """The chances, from a file or worked out."""
    found = load_chances(game)
    if found is None:
        found = solve_chances(game)
        if found:
            save_chances(game, found)
    return found


solving_lock: Final = Lock()  # of the threads: a second asker meets one that has started
solving_threads: Final[dict[Game[Any], Thread]] = {}  # by the game whose chances are worked out


def available_chances(game: Game[Any]) -> WinningChances | None:
    """The chances of a solved game as soon as they are there.

    In the native home that is at once. A module takes its time: meanwhile nobody waits, and they
    are None; so they are for good in a page, where there is no NumPy.
    """
    if not HAS_NUMPY:
        return None
    if IS_NATIVE:
        return winning_chances(game)
    with solving_lock:
        solving = solving_threads.get(game)
        if solving is None:
            solving = solving_threads[game] = Thread(
                target=winning_chances, args=(game,), daemon=True
            )
            solving.start()
            solving.join(FILE_SECONDS)
    return None if solving.is_alive() else winning_chances(game)


def winning_chances(game: Game[Any]) -> WinningChances | None:
    """The chances of a solved game, made ready once a process; None if it is not solved."""
    with chances_lock:
        return _load_or_solve(game)
