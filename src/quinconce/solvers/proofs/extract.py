"""Writes a certificate: the strategy in a proof, one answer for each position it has to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from quinconce.core.phrase import Phrase as _
from quinconce.solvers.proofs.dfpn import PROVED
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.verify import Certificate, Symmetries


class Answer(NamedTuple):
    """A move, within how many plies it wins, and the positions after it that need an answer."""

    text: str
    plies: int
    replies: tuple[Any, ...]


class Strategy:
    """The winning moves in a table, each position taken up to symmetry.

    A position can be needed with fewer plies left than its answer takes; then it gets a quicker
    one. So an answer always leads to positions that are won sooner, whichever way one came.
    The shortest strategy has no quicker one anywhere, which takes longer to find.
    """

    def __init__(self, prover: Prover, shortest: bool = False) -> None:
        self.prover = prover
        self.shortest = shortest
        self.game = prover.game
        self.symmetries = Symmetries(self.game)
        self.answers: dict[Any, Answer] = {}
        self.firsts: dict[Any, Any] = {}

    def first(self, position: Any) -> Any:
        """The position that stands for this one."""
        if position not in self.firsts:
            self.firsts[position] = self.symmetries.first(position)
        return self.firsts[position]

    def asked(self, position: Any) -> list[Any]:
        """The positions that need an answer, from here on without one."""
        if self.game.outcome(position):
            return []
        if self.game.side(self.game.seat(position)) == self.prover.side:
            at_once = self.prover.look(self.prover.kernel.encode(position), 1) == PROVED
            return [] if at_once else [self.first(position)]
        after = (reply for _text, reply in self.game.moves(position))
        return list(dict.fromkeys(found for reply in after for found in self.asked(reply)))

    def least(self, position: Any, most: int) -> int | None:
        """Within how few plies the table knows a position to be won, if within so many."""
        state = self.prover.kernel.encode(position)
        for left in range(most + 1):
            if self.prover.look(state, left) == PROVED:
                return left
        return None

    def best(self, position: Any, left: int) -> Answer | None:
        """The quickest winning move that the table knows; of several, one with fewest replies."""
        known = {
            text: (plies, after)
            for text, after in self.game.moves(position)
            if (plies := self.least(after, left - 1)) is not None
        }
        quickest = min((plies for plies, _after in known.values()), default=0)
        found = [
            Answer(text, plies + 1, tuple(self.asked(after)))
            for text, (plies, after) in known.items()
            if plies == quickest
        ]
        return min(found, key=lambda answer: (len(answer.replies), answer.text), default=None)

    def answer(self, position: Any, left: int) -> Answer:
        """A move that wins within so many plies; what the table has lost is searched again."""
        if self.shortest:
            state = self.prover.kernel.encode(position)
            left = next(n for n in range(1, left + 1) if self.prover.settled(state, n))
        found = self.best(position, left)
        if found is None:
            self.prover.settled(self.prover.kernel.encode(position), left)
            found = self.best(position, left)
        if found:
            return found
        # A table so small that it has lost the answer at once.
        for text, after in self.game.moves(position):
            if self.prover.settled(self.prover.kernel.encode(after), left - 1):
                return Answer(text, left, tuple(self.asked(after)))
        raise AssertionError(self.game.write(position))

    def build(self, watch: Callable[[int], None]) -> dict[Any, str]:
        """Answers for every position that can be reached."""
        start, within = self.prover.position, self.prover.within
        turn = self.game.side(self.game.seat(start)) == self.prover.side
        needed = [(self.asked(start), within if turn else within - 1)]
        while needed:
            positions, left = needed.pop()
            for position in positions:
                known = self.answers.get(position)
                if known is None or known.plies > left:
                    self.answers[position] = found = self.answer(position, left)
                    needed.append((list(found.replies), found.plies - 2))
                    watch(len(self.answers))
        return self.reached(self.asked(start))

    def reached(self, positions: list[Any]) -> dict[Any, str]:
        """The answers that are still needed: some were for moves that became quicker ones."""
        found: dict[Any, str] = {}
        while positions:
            position = positions.pop()
            if position not in found:
                found[position] = self.answers[position].text
                positions.extend(self.answers[position].replies)
        return found


def certificate(
    prover: Prover, watch: Callable[[int], None] = lambda done: None, shortest: bool = False
) -> Certificate:
    """The certificate of a proof that has ended with yes; `watch` is told of every new answer."""
    if not prover.answer:
        raise ValueError(_("there is no certificate: nothing has been proved"))
    answers = Strategy(prover, shortest).build(watch)
    game = prover.game
    return Certificate(game, prover.position, prover.side, prover.within, answers, {})
