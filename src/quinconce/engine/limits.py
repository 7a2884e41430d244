"""How long and how much the engine thinks: the limits of a search.

Depth and proofs are looked at here, after each depth. Nodes are counted by compiled code, which
stops at their limit by itself; seconds are watched in `analysis`, which stops the search when they
are over.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from quinconce.core.phrase import _

if TYPE_CHECKING:
    from quinconce.engine.position_search import PositionSearch

UNLIMITED_NODES: Final = 1 << 60
MAX_DEPTH: Final = 50  # plies that a search between two sides looks ahead
MAX_ROUNDS: Final = 24  # rounds of a search among more sides, each as long as all before it
DEFAULT_TABLE_MEGABYTES: Final = 64  # of the transposition table
TABLE_BYTES_PER_NODE: Final = 64  # where nodes are few, the table is no larger than they need
NODES_PER_SECOND: Final = 5_000_000  # that a thread hardly exceeds
LONGEST_WAIT: Final = 1e9  # seconds; systems refuse to wait for much longer


def check_lines_and_threads(lines: int, threads: int) -> None:
    """An error if there are none of them."""
    if lines < 1 or threads < 1:
        raise ValueError(_("at least one line and one thread are needed"))


@dataclass(frozen=True)
class Limits:
    """How long and how much to think; what is None has no limit."""

    seconds: float | None = None
    nodes: int | None = None  # positions searched, by all threads
    depth: int | None = None  # plies, or rounds among more than two sides
    threads: int = 1
    memory: float = DEFAULT_TABLE_MEGABYTES  # megabytes of the transposition table

    def __post_init__(self) -> None:
        check_lines_and_threads(1, self.threads)

    @property
    def max_nodes(self) -> int:
        """The nodes of a search with one thread; at least one."""
        return UNLIMITED_NODES if self.nodes is None else max(1, node_count(self.nodes))

    @property
    def max_nodes_per_thread(self) -> int:
        """The nodes of each thread; at least one."""
        return max(1, self.max_nodes // self.threads) if self.nodes is not None else UNLIMITED_NODES

    @property
    def table_megabytes(self) -> float:
        """The size of the table: as much memory as is allowed, or as the nodes can fill.

        A table is cleared before a search begins: a short one should not wait for a large one.
        """
        nodes = self.max_nodes_per_thread
        if self.seconds is not None:
            nodes = min(nodes, node_count(self.threads * NODES_PER_SECOND * self.seconds))
        return min(self.memory, table_megabytes_for(nodes))

    def seconds_left(self, started: float) -> float | None:
        """The seconds left to a search that started then; None if there is no limit."""
        if self.seconds is None:
            return None
        return min(max(0.0, started + self.seconds - time.monotonic()), LONGEST_WAIT)

    def is_reached(self, search: PositionSearch, lines: int = 1) -> bool:
        """Whether a search need not deepen: it is deep enough, or deepening changes nothing."""
        deep_enough = self.depth is not None and search.depth >= self.depth
        return deep_enough or search.is_final(lines)


NO_LIMITS: Final = Limits()


def node_count(nodes: float) -> int:
    """A number of nodes as compiled code counts them: whole, and never beyond what it can."""
    return int(min(nodes, UNLIMITED_NODES))


def table_megabytes_for(nodes: int) -> float:
    """The megabytes of a table that a number of nodes can fill."""
    return TABLE_BYTES_PER_NODE * nodes / (1 << 20)
