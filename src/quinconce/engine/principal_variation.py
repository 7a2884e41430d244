"""How a match may go on as a search sees it, and what of that is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.engine.root_moves import Root, text_between
from quinconce.engine.scores import INFINITE, JAM, PROVED, is_promise, plies_to
from quinconce.engine.search import answered, search
from quinconce.engine.solved import Truth, order
from quinconce.engine.workspace import DEEPEST, NODES, PROVING, QUIET, STOP, Workspace
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel

LONGEST_LINE: Final = 40  # plies that are shown of what is not proved
MOST_KNOWN: Final = 60  # and of what is
TO_COMPLETE: Final = 200_000  # nodes to find the rest of a proved line, or to prove a jam
CROSSED: Final = 0x5BD1E995A7C6B2D3  # with keys, so that proofs do not meet estimates in the table


@dataclass(frozen=True)
class Line:
    """A way the match may go on, the score of its first move, and its value where it is proved."""

    moves: tuple[str, ...]
    score: int  # in hundredths of a pawn or so, from the view of the player to move
    value: str | None = None  # "win", "draw" or "loss" for the player to move
    plies: int | None = None  # from here to the end, where that is proved too


class Teller:
    """Tells what a search has found, and searches again for what it has forgotten."""

    def __init__(
        self, game: Game[Any], numbers: Kernel, truth: Truth | None, space: Workspace
    ) -> None:
        self.game = game
        self.kernel = numbers
        self.truth = truth
        self.space = space
        self.told: dict[str, Line] = {}
        self.stopped = False

    def lines(self, roots: Sequence[Root], most: int, depth: int) -> tuple[Line, ...]:
        """What is known now that all was searched to a depth, the best first."""
        known = [self.line(root, roots, depth) for root in roots[:most] if root.score > -INFINITE]
        return tuple(known) or (Line((roots[0].text,), 0),)  # stopped before it began

    def line(self, root: Root, roots: Sequence[Root], depth: int) -> Line:
        """How the match may go on after a move; when time is over, as was said before."""
        told = self.told.get(root.text)
        proved = told and told.value and abs(root.score) == JAM  # by counting: that holds
        if (self.stopped or root.known or proved) and told and told.score == root.score:
            return told
        if root.known:
            value, plies = root.known.value if root.known.certain else (None, None)
            line = Line(self.best_play(root), root.score, value, plies)
        else:
            score = self.counted(root, roots, depth) or root.score
            value = None if abs(score) <= PROVED else "win" if score > 0 else "loss"
            plies = int(plies_to(score)) if value and not is_promise(score) else None
            with self.proving(score != root.score):
                moves = self.expected(root, plies)
            # What comes sooner may be among the moves that were not searched as deep.
            exact = plies if plies is not None and plies <= depth else None
            line = Line(moves, root.score, value, exact)
        self.told[root.text] = line
        return line

    def counted(self, root: Root, roots: Sequence[Root], depth: int) -> int:
        """The score of a move that leads to a jam for certain; 0 if that is not proved.

        Who is behind has lost only if every move loses: another may be worth more than is hoped
        of it. How long it takes is told of this move: to put a jam off costs pawns.
        """
        if abs(root.score) != JAM or not self.jams(root, depth):
            return 0
        with self.spending(), self.proving():
            score = self.certain(root, depth)
            if score < 0 and any(self.certain(other, depth) >= -PROVED for other in roots):
                score = 0
        return score if abs(score) > PROVED else 0

    def jams(self, root: Root, depth: int) -> bool:
        """Whether a search so deep may have met the quiet limit, or a position a third time."""
        limit = self.space.control[QUIET]
        return bool((limit and root.quiet + depth > limit) or (self.space.seen[:, 1] > 1).any())

    def certain(self, root: Root, depth: int) -> int:
        """What is certain of a move where nothing but proofs counts; 0 if time is over."""
        if self.space.control[STOP]:
            return 0
        score = -search(root.state, depth - 1, -INFINITE, INFINITE, 1, root.quiet, self.space)
        return 0 if self.space.control[STOP] else int(score)

    @contextmanager
    def proving(self, really: bool = True) -> Iterator[None]:
        """Ask what is proved of victories by counting, instead of what they are worth."""
        self.space.control[PROVING] = CROSSED if really else 0
        yield
        self.space.control[PROVING] = 0

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Search a little more, whatever the limits of the search were."""
        control = self.space.control
        before = control[[NODES, STOP]]
        control[[NODES, STOP]] = self.space.nodes[0] + TO_COMPLETE, self.stopped
        yield
        control[[NODES, STOP]] = before
        if self.stopped:  # meanwhile
            control[STOP] = 1

    def best_play(self, root: Root) -> tuple[str, ...]:
        """The moves that follow if both play as well as is known."""
        assert self.truth
        moves, position, seen = [root.text], root.position, {root.position}
        while len(moves) < MOST_KNOWN and not self.game.outcome(position):
            found = self.truth.moves(position)
            if not found:
                break
            best = min(sorted(found), key=lambda text: order(found[text]))
            position = self.game.after(position, best)
            if position in seen:
                break
            seen.add(position)
            moves.append(best)
        return tuple(moves)

    def expected(self, root: Root, plies: int | None) -> tuple[str, ...]:
        """The moves that the table remembers; if time allows, to the end where that is proved."""
        game = self.game
        moves, position, quiet = [root.text], root.position, root.quiet
        seen, limit = {position}, self.space.control[QUIET] or INFINITE
        while len(moves) < (plies or LONGEST_LINE) and quiet < limit and not self.stopped:
            state = self.kernel.encode(position)
            row = int(answered(state, quiet, self.space))
            if row < 0 and plies is not None:
                row = self.completed(state, plies - len(moves), quiet)
            if row < 0:
                break
            after = self.kernel.decode(self.successor(state, row))
            if plies is None and after in seen:
                break
            quiet = quiet + 1 if game.is_quiet(position, after) else 0
            moves.append(text_between(game, position, after))
            position = after
            seen.add(after)
        return tuple(moves)

    def successor(self, state: Any, row: int) -> Any:
        """Where the move of this row leads."""
        out = self.space.rows[DEEPEST]
        with suppress(OverflowError):  # more moves than there are rows: this one is among them
            calls.successors(state, out)
        return calls.load(state, out, row)

    def completed(self, state: Any, depth: int, quiet: int) -> int:
        """The move of a proved line that the table has forgotten, searched again."""
        with self.spending():
            search(state, depth, -INFINITE, INFINITE, 1, quiet, self.space)
        return int(answered(state, quiet, self.space))
