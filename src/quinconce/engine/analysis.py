"""What the engine thinks of a match: deepening results until a limit, a stop, or a proof."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.mcts import TreeSearch
from quinconce.engine.principal_variation import Line
from quinconce.engine.root_moves import Weakness
from quinconce.engine.solved import endgame_distances, move_oracle, wait_for_endgames
from quinconce.engine.transpositions import DEFAULT_TABLE_MEGABYTES, fill_table_pool
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import Weights


@dataclass(frozen=True)
class Analysis:
    """What a search to some depth found: its lines, the best first."""

    depth: int  # plies that were searched whole
    nodes: int
    seconds: float
    lines: tuple[Line, ...]

    @property
    def best(self) -> str:
        """The move to play."""
        return self.lines[0].moves[0]


ResultQueue = queue.SimpleQueue[Analysis | BaseException | None]


def analyse(
    match: Match[Any],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    lines: int = 1,
    threads: int = 1,
    memory: float = DEFAULT_TABLE_MEGABYTES,
) -> Iterator[Analysis]:
    """Deepening results until a limit is reached or nothing can change any more; the last is final.

    Without a limit it goes on until the caller stops asking; closing the iterator stops it.
    """
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    if lines < 1 or threads < 1:
        raise ValueError(_("at least one line and one thread are needed"))
    prepare_with_proofs(match)
    started = time.monotonic()
    thought = new_search(match, nodes=nodes, threads=threads, memory=memory, use_proofs=True)
    yield from iterative_deepening(thought, started, seconds, depth, lines)


def new_search(
    match: Match[Any],
    *,
    nodes: int | None = None,
    threads: int = 1,
    memory: float = DEFAULT_TABLE_MEGABYTES,
    weakness: Weakness | None = None,
    weights: Weights | None = None,
    use_proofs: bool = False,
) -> AlphaBetaSearch | TreeSearch:
    """The kind of search that a game needs, compiled and ready to begin.

    One that is informed knows what was proved before it.
    """
    prepare(match.game, informed=use_proofs)
    if len(match.game.sides) > 2:
        return TreeSearch(match, nodes=nodes, weakness=weakness, weighing=weights)
    return AlphaBetaSearch(
        match,
        nodes=nodes,
        threads=threads,
        memory=memory,
        weakness=weakness,
        weighing=weights,
        informed=use_proofs,
    )


def run_search(thought: AlphaBetaSearch | TreeSearch, depth: int | None = None) -> str:
    """The best move once the nodes are used up, a depth is reached or nothing can change."""
    while thought.deepen(1) and thought.depth != depth and not thought.is_final():
        pass
    return thought.root_moves[0].text


def search_kind(game: Game[Any]) -> tuple[type, bool]:
    """What is compiled on its own: a kind of state, for two sides or for more."""
    return type(kernel_for(game).encode(game.start())), len(game.sides) > 2


def one_game_per_kind(games: Iterable[Game[Any]]) -> list[Game[Any]]:
    """A game of every kind among these."""
    return list({search_kind(game): game for game in games}.values())


def prepare(game: Game[Any], *, informed: bool = False) -> None:
    """Compile what a game needs, or load it from the cache; quick once that is done.

    Who wants to be informed gets what is proved of the game ready, too. Tables of endings come
    when they are worked out.
    """
    form = search_kind(game)
    with compile_lock:
        if form not in prepared_kinds:
            match = Match(game)
            (TreeSearch if form[1] else AlphaBetaSearch)(match, nodes=1000).warm_up()
            prepared_kinds.add(form)
    if informed and not form[1]:
        move_oracle(game)
        endgame_distances(game)
        fill_table_pool()


def prepare_with_proofs(match: Match[Any]) -> None:
    """Make ready what a search of this match wants to know; few pieces are worth a wait."""
    prepare(match.game, informed=True)
    if len(match.game.sides) == 2:
        wait_for_endgames(match)


compile_lock: Final = threading.Lock()
prepared_kinds: Final[set[tuple[type, bool]]] = set()


def iterative_deepening(
    thought: AlphaBetaSearch | TreeSearch,
    started: float,
    seconds: float | None,
    depth: int | None,
    lines: int,
) -> Iterator[Analysis]:
    """Let a thread of its own think, and hand on what it finds."""
    results: ResultQueue = queue.SimpleQueue()

    def snapshot() -> Analysis:
        depth, spent = max(1, thought.depth_reached), time.monotonic() - started
        return Analysis(depth, thought.nodes, spent, thought.lines(lines))

    def deepen_until_done() -> None:
        try:
            going = True
            while going:
                whole = thought.deepen(lines)
                going = whole and thought.depth != depth and not thought.is_final(lines)
                if going:
                    results.put(snapshot())
            results.put(snapshot())
        except BaseException as error:
            results.put(error)
        finally:
            results.put(None)

    worker = threading.Thread(target=deepen_until_done, daemon=True)
    worker.start()
    try:
        yield from results_until(results, thought, None if seconds is None else started + seconds)
    finally:
        thought.stop()
        worker.join()


def results_until(
    results: ResultQueue, thought: AlphaBetaSearch | TreeSearch, deadline: float | None
) -> Iterator[Analysis]:
    """What a worker finds, as it comes; when the time is over it is stopped and has to finish."""
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            found = results.get(timeout=left)
        except queue.Empty:
            thought.stop()
            deadline = None
            continue
        if found is None:
            return
        if isinstance(found, BaseException):
            raise found
        yield found
