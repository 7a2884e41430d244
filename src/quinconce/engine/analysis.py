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
from quinconce.core.phrase import Phrase as _
from quinconce.engine.alpha_beta import Thought
from quinconce.engine.mcts import Crowd
from quinconce.engine.principal_variation import Line
from quinconce.engine.root_moves import Weakness
from quinconce.engine.solved import endings_for, endings_of, truth
from quinconce.engine.transpositions import MEMORY, find_memory
from quinconce.kernels.kernel import kernel
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


Results = queue.SimpleQueue[Analysis | BaseException | None]


def analyse(
    match: Match[Any],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    lines: int = 1,
    threads: int = 1,
    memory: float = MEMORY,
) -> Iterator[Analysis]:
    """Deepening results until a limit is reached or nothing can change any more; the last is final.

    Without a limit it goes on until the caller stops asking; closing the iterator stops it.
    """
    if match.outcome():
        raise ValueError(_("the game is over: there is nothing to search"))
    if lines < 1 or threads < 1:
        raise ValueError(_("at least one line and one thread are needed"))
    inform(match)
    started = time.monotonic()
    thought = thinking(match, nodes=nodes, threads=threads, memory=memory, informed=True)
    yield from deepening(thought, started, seconds, depth, lines)


def thinking(
    match: Match[Any],
    *,
    nodes: int | None = None,
    threads: int = 1,
    memory: float = MEMORY,
    weakness: Weakness | None = None,
    weighing: Weights | None = None,
    informed: bool = False,
) -> Thought | Crowd:
    """The kind of search that a game needs, compiled and ready to begin.

    One that is informed knows what was proved before it.
    """
    prepare(match.game, informed=informed)
    if len(match.game.sides) > 2:
        return Crowd(match, nodes=nodes, weakness=weakness, weighing=weighing)
    return Thought(
        match,
        nodes=nodes,
        threads=threads,
        memory=memory,
        weakness=weakness,
        weighing=weighing,
        informed=informed,
    )


def thought_out(thought: Thought | Crowd, depth: int | None = None) -> str:
    """The best move once the nodes are used up, a depth is reached or nothing can change."""
    while thought.deepen(1) and thought.depth != depth and not thought.finished():
        pass
    return thought.roots[0].text


def kind(game: Game[Any]) -> tuple[type, bool]:
    """What is compiled on its own: a kind of state, for two sides or for more."""
    return type(kernel(game).encode(game.start())), len(game.sides) > 2


def kinds(games: Iterable[Game[Any]]) -> list[Game[Any]]:
    """A game of every kind among these."""
    return list({kind(game): game for game in games}.values())


def prepare(game: Game[Any], *, informed: bool = False) -> None:
    """Compile what a game needs, or load it from the cache; quick once that is done.

    Who wants to be informed gets what is proved of the game ready, too. Tables of endings come
    when they are worked out.
    """
    form = kind(game)
    with compiling:
        if form not in prepared:
            match = Match(game)
            (Crowd if form[1] else Thought)(match, nodes=1000).warm_up()
            prepared.add(form)
    if informed and not form[1]:
        truth(game)
        endings_of(game)
        find_memory()


def inform(match: Match[Any]) -> None:
    """Make ready what a search of this match wants to know; few pieces are worth a wait."""
    prepare(match.game, informed=True)
    if len(match.game.sides) == 2:
        endings_for(match)


compiling: Final = threading.Lock()
prepared: Final[set[tuple[type, bool]]] = set()


def deepening(
    thought: Thought | Crowd, started: float, seconds: float | None, depth: int | None, lines: int
) -> Iterator[Analysis]:
    """Let a thread of its own think, and hand on what it finds."""
    results: Results = queue.SimpleQueue()

    def found() -> Analysis:
        depth, spent = max(1, thought.finished_depth), time.monotonic() - started
        return Analysis(depth, thought.nodes, spent, thought.lines(lines))

    def work() -> None:
        try:
            going = True
            while going:
                whole = thought.deepen(lines)
                going = whole and thought.depth != depth and not thought.finished(lines)
                if going:
                    results.put(found())
            results.put(found())
        except BaseException as error:
            results.put(error)
        finally:
            results.put(None)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        yield from until_done(results, thought, None if seconds is None else started + seconds)
    finally:
        thought.stop()
        worker.join()


def until_done(
    results: Results, thought: Thought | Crowd, deadline: float | None
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
