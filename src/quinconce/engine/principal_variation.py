"""How a match may go on as a search sees it, and what of that is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from quinconce.core.errors import TooManyMovesError
from quinconce.core.match import LAST_OCCURRENCE, Match
from quinconce.core.value import best_move
from quinconce.engine.position_search import RootMove, move_between
from quinconce.engine.scores import INFINITE, JAM_SCORE, PROVED_THRESHOLD, is_endgame_score
from quinconce.engine.search import search, table_move_row
from quinconce.engine.solved import MoveOracle, oracle_values
from quinconce.engine.transpositions import plies_to_end
from quinconce.engine.workspace import (
    MAX_PLY,
    NODE_LIMIT,
    PROOF_MODE,
    QUIET_LIMIT,
    STOP_FLAG,
    Workspace,
)
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel

MAX_LINE_PLIES: Final = 40  # plies that are shown of what is not proved
MAX_SOLVED_LINE_PLIES: Final = 60  # and of what is
COMPLETION_NODES: Final = 200_000  # nodes to find the rest of a proved line, or to prove a jam


@dataclass(frozen=True)
class Line:
    """A continuation of the match, the score of its first move, its value where it is proved."""

    moves: tuple[str, ...]
    score: int  # in hundredths of a pawn or so, from the view of the player to move
    value: str | None = None  # "win", "draw" or "loss" for the player to move
    plies: int | None = None  # from here to the end, where that is proved too


class VariationBuilder:
    """Tells what a search has found, and searches again for what it has forgotten."""

    def __init__(
        self, match: Match[Any], kernel: Kernel, truth: MoveOracle | None, space: Workspace
    ) -> None:
        self.match = match.copy()
        self.game = match.game
        self.kernel = kernel
        self.oracle = truth
        self.workspace = space
        self.built_lines: dict[str, Line] = {}
        self.stopped = False

    def lines(self, roots: Sequence[RootMove], count: int, depth: int) -> tuple[Line, ...]:
        """What is known now that all was searched to a depth, the best first."""
        known = [self.line(root, roots, depth) for root in roots[:count] if root.score > -INFINITE]
        return tuple(known) or (Line((roots[0].text,), 0),)  # stopped before it began

    def line(self, root: RootMove, roots: Sequence[RootMove], depth: int) -> Line:
        """How the match may go on after a move; when time is over, as was said before."""
        before = self.built_lines.get(root.text)
        proved = before and before.value and abs(root.score) == JAM_SCORE  # by counting: that holds
        if (self.stopped or root.known or proved) and before and before.score == root.score:
            return before
        if root.known:
            value, plies = root.known.value if root.known.certain else (None, None)
            line = Line(self.oracle_line(root), root.score, value, plies)
        else:
            score = self.jam_proof_score(root, roots, depth) or root.score
            value = None if abs(score) <= PROVED_THRESHOLD else "win" if score > 0 else "loss"
            plies = int(plies_to_end(score)) if value and not is_endgame_score(score) else None
            with self.proof_mode(score != root.score):
                moves = self.table_line(root, plies)
            # What comes sooner may be among the moves that were not searched as deep.
            exact = plies if plies is not None and plies <= depth else None
            line = Line(moves, root.score, value, exact)
        self.built_lines[root.text] = line
        return line

    def jam_proof_score(self, root: RootMove, roots: Sequence[RootMove], depth: int) -> int:
        """The score of a move that leads to a jam for certain; 0 if that is not proved.

        The player who is behind has lost only if every move loses: another move may be worth more
        than the search hopes. The plies are those of this move: putting a jam off costs pawns.
        """
        if abs(root.score) != JAM_SCORE or not self.may_reach_jam(root, depth):
            return 0
        with self.extra_nodes(), self.proof_mode():
            score = self.proof_score(root, depth)
            if score < 0 and any(
                self.proof_score(other, depth) >= -PROVED_THRESHOLD for other in roots
            ):
                score = 0
        return score if abs(score) > PROVED_THRESHOLD else 0

    def may_reach_jam(self, root: RootMove, depth: int) -> bool:
        """Whether a search so deep may have met the quiet limit, or a position a third time."""
        limit = self.workspace.control[QUIET_LIMIT]
        return bool(
            (limit and root.quiet_turns + depth > limit)
            or (np.asarray(self.workspace.occurrences)[:, 1] >= LAST_OCCURRENCE).any()
        )

    def proof_score(self, root: RootMove, depth: int) -> int:
        """What is certain of a move where nothing but proofs counts; 0 if time is over."""
        if self.workspace.control[STOP_FLAG]:
            return 0
        score = -search(
            root.state, depth - 1, -INFINITE, INFINITE, 1, root.quiet_turns, self.workspace
        )
        return 0 if self.workspace.control[STOP_FLAG] else int(score)

    @contextmanager
    def proof_mode(self, enabled: bool = True) -> Iterator[None]:
        """Ask what is proved of victories by counting, instead of what they are worth."""
        self.workspace.control[PROOF_MODE] = enabled
        yield
        self.workspace.control[PROOF_MODE] = 0

    @contextmanager
    def extra_nodes(self) -> Iterator[None]:
        """Search a little more, whatever the limits of the search were."""
        control = self.workspace.control
        limit, stopped = int(control[NODE_LIMIT]), int(control[STOP_FLAG])
        control[NODE_LIMIT] = int(self.workspace.nodes[0]) + COMPLETION_NODES
        control[STOP_FLAG] = int(self.stopped)
        yield
        control[NODE_LIMIT] = limit
        control[STOP_FLAG] = int(self.stopped or stopped)  # stopped before, or meanwhile

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

    def table_line(self, root: RootMove, plies: int | None) -> tuple[str, ...]:
        """The moves that the table remembers; if time allows, to the end where that is proved."""
        game = self.game
        moves, position, quiet = [root.text], root.position, root.quiet_turns
        seen, limit = {position}, self.workspace.control[QUIET_LIMIT] or INFINITE
        while len(moves) < (plies or MAX_LINE_PLIES) and quiet < limit and not self.stopped:
            state = self.kernel.encode(position)
            row = int(table_move_row(state, quiet, self.workspace))
            if row < 0 and plies is not None:
                row = self.search_forgotten_row(state, plies - len(moves), quiet)
            if row < 0:
                break
            after = self.kernel.decode(self.successor(state, row))
            if plies is None and after in seen:
                break
            try:
                moves.append(move_between(game, position, after))
            except TooManyMovesError:
                break
            quiet = quiet + 1 if game.is_quiet(position, after) else 0
            position = after
            seen.add(after)
        return tuple(moves)

    def successor(self, state: Any, row: int) -> Any:
        """Where the move of this row leads."""
        out = self.workspace.rows[MAX_PLY]
        with suppress(OverflowError):  # more moves than there are rows: this one is among them
            calls.successors(state, out)
        return calls.load(state, out, row)

    def search_forgotten_row(self, state: Any, depth: int, quiet: int) -> int:
        """The move of a proved line that the table has forgotten, searched again."""
        with self.extra_nodes():
            search(state, depth, -INFINITE, INFINITE, 1, quiet, self.workspace)
        return int(table_move_row(state, quiet, self.workspace))
