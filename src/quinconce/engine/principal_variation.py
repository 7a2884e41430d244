"""How a match may go on as a search sees it, and what of that is proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.core.value import best_move
from quinconce.engine.deepening import INTERRUPTED, LINE_SCORE, Roots, variation
from quinconce.engine.position_search import RootMove, moves_along
from quinconce.engine.scores import INFINITE, JAM_SCORE, PROVED_THRESHOLD, is_endgame_score
from quinconce.engine.solved import MoveOracle, oracle_values
from quinconce.engine.transpositions import plies_to_end
from quinconce.engine.workspace import Workspace
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.kernel import Kernel

MAX_SOLVED_LINE_PLIES: Final = 60  # plies that are shown of what is known without a search


@dataclass(frozen=True)
class Line:
    """A continuation of the match, the score of its first move, its value where it is proved.

    >>> from quinconce import Match, game
    >>> from quinconce.engine import analyse
    >>> match = Match(game("diam"))
    >>> for move in ("r@1", "m@1", "r@5"):
    ...     position = match.play(move)
    >>> *_earlier, last = analyse(match, depth=1)
    >>> last.lines[0].moves, last.lines[0].value, last.lines[0].plies
    (('m@5',), 'win', 1)
    """

    moves: tuple[str, ...]
    score: int  # in hundredths of a pawn or so, from the view of the player to move
    value: str | None = None  # "win", "draw" or "loss" for the player to move
    plies: int | None = None  # from here to the end, where that is proved too


def searched_line(moves: tuple[str, ...], score: int, proved: int, depth: int) -> Line:
    """A line that a search to a depth found; `proved` is its score, or what is proved of it."""
    value = None if abs(proved) <= PROVED_THRESHOLD else "win" if proved > 0 else "loss"
    plies = plies_to_end(proved) if value and not is_endgame_score(proved) else None
    # What comes sooner may be among the moves that were not searched as deep.
    return Line(moves, score, value, plies if plies is not None and plies <= depth else None)


class VariationBuilder:
    """Puts into words what a search has found, and keeps what it said before."""

    def __init__(
        self,
        match: Match[Any],
        kernel: Kernel,
        truth: MoveOracle | None,
        roots: Roots,
        space: Workspace,
        states: Int64Array,
    ) -> None:
        self.match = match.copy()
        self.game = match.game
        self.kernel = kernel
        self.oracle = truth
        self.state = kernel.encode(match.position)
        self.roots = roots
        self.workspace = space
        self.states = states  # of a variation, a row for each
        self.built_lines: dict[str, Line] = {}

    def lines(self, roots: Sequence[RootMove], count: int, depth: int) -> tuple[Line, ...]:
        """What is known now that all was searched to a depth, the best first."""
        known = [self.line(root, depth) for root in roots[:count] if root.score > -INFINITE]
        return tuple(known) or (Line((roots[0].text,), 0),)  # stopped before it began

    def line(self, root: RootMove, depth: int) -> Line:
        """How the match may go on after a move; when time is over, as was said before."""
        before = self.built_lines.get(root.text)
        proved = before and before.value and abs(root.score) == JAM_SCORE  # by counting: that holds
        stopped = self.roots.progress[INTERRUPTED]
        if (stopped or root.known or proved) and before and before.score == root.score:
            return before
        if root.known:
            value, plies = root.known.value if root.known.certain else (None, None)
            line = Line(self.oracle_line(root), root.score, value, plies)
        else:
            moves = self.table_line(root)
            line = searched_line(moves, root.score, int(self.roots.progress[LINE_SCORE]), depth)
        self.built_lines[root.text] = line
        return line

    def oracle_line(self, root: RootMove) -> tuple[str, ...]:
        """The moves that follow if both play as well as is known; a draw until it repeats."""
        assert self.oracle
        match = self.match.copy()
        match.play(root.text)
        seen = {match.position}
        while len(match.moves) - len(self.match.moves) < MAX_SOLVED_LINE_PLIES:
            found = {} if match.outcome() else oracle_values(match, self.oracle)
            certain = {text: worth.value for text, worth in found.items() if worth.certain}
            if not certain:
                break
            best = best_move(certain)
            after = self.game.after(match.position, best)
            if after in seen:
                break
            seen.add(match.play(best))
        return tuple(match.moves[len(self.match.moves) :])

    def table_line(self, root: RootMove) -> tuple[str, ...]:
        """The moves that the table remembers; if time allows, to the end where that is proved."""
        count = int(variation(self.state, root.number, self.states, self.roots, self.workspace))
        make = type(self.state)._make
        fields = range(len(self.state))
        positions = [
            self.kernel.decode(make(int(self.states[row, field]) for field in fields))
            for row in range(1, count)
        ]
        return (root.text, *moves_along(self.game, root.position, positions))
