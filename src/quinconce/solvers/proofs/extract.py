"""Writes a certificate: the strategy in a proof, one answer for each position it has to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from quinconce.core.phrase import _
from quinconce.solvers.proofs.certificate import Certificate, SideSymmetries
from quinconce.solvers.proofs.dfpn import PROVED
from quinconce.solvers.proofs.prover import Prover


class StrategyAnswer(NamedTuple):
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
        self.symmetries = SideSymmetries(self.game)
        self.answers: dict[Any, StrategyAnswer] = {}
        self.canonical_positions: dict[Any, Any] = {}

    def canonical(self, position: Any) -> Any:
        """The position that stands for this one."""
        if position not in self.canonical_positions:
            self.canonical_positions[position] = self.symmetries.canonical(position)
        return self.canonical_positions[position]

    def positions_to_answer(self, position: Any) -> list[Any]:
        """The positions that need an answer, from here on without one."""
        if self.game.outcome(position):
            return []
        if self.game.side(self.game.seat(position)) == self.prover.claim.side:
            at_once = self.prover.probe(self.prover.kernel.encode(position), 1) == PROVED
            return [] if at_once else [self.canonical(position)]
        after = (reply for _text, reply in self.game.moves(position))
        return list(
            dict.fromkeys(found for reply in after for found in self.positions_to_answer(reply))
        )

    def shortest_known_win(self, position: Any, most: int) -> int | None:
        """The fewest plies, up to `most`, within which the table knows a position to be won."""
        state = self.prover.kernel.encode(position)
        for left in range(most + 1):
            if self.prover.probe(state, left) == PROVED:
                return left
        return None

    def best_known_answer(self, position: Any, left: int) -> StrategyAnswer | None:
        """The quickest winning move that the table knows; of several, one with fewest replies."""
        known = {
            text: (plies, after)
            for text, after in self.game.moves(position)
            if (plies := self.shortest_known_win(after, left - 1)) is not None
        }
        quickest = min((plies for plies, _after in known.values()), default=0)
        found = [
            StrategyAnswer(text, plies + 1, tuple(self.positions_to_answer(after)))
            for text, (plies, after) in known.items()
            if plies == quickest
        ]
        return min(found, key=lambda answer: (len(answer.replies), answer.text), default=None)

    def find_answer(self, position: Any, left: int) -> StrategyAnswer:
        """A move that wins within `left` plies; what the table has lost is searched again."""
        if self.shortest:
            state = self.prover.kernel.encode(position)
            left = next(n for n in range(1, left + 1) if self.prover.wins_within(state, n))
        found = self.best_known_answer(position, left)
        if found is None:
            self.prover.wins_within(self.prover.kernel.encode(position), left)
            found = self.best_known_answer(position, left)
        if found:
            return found
        # A table so small that it has lost the answer at once.
        for text, after in self.game.moves(position):
            if self.prover.wins_within(self.prover.kernel.encode(after), left - 1):
                return StrategyAnswer(text, left, tuple(self.positions_to_answer(after)))
        raise AssertionError(self.game.write(position))

    def build(self, on_progress: Callable[[int], None]) -> dict[Any, str]:
        """Answers for every position that can be reached."""
        claim = self.prover.claim
        start, within = claim.position, claim.within
        turn = self.game.side(self.game.seat(start)) == self.prover.claim.side
        needed = [(self.positions_to_answer(start), within if turn else within - 1)]
        while needed:
            positions, left = needed.pop()
            for position in positions:
                known = self.answers.get(position)
                if known is None or known.plies > left:
                    self.answers[position] = found = self.find_answer(position, left)
                    needed.append((list(found.replies), found.plies - 2))
                    on_progress(len(self.answers))
        return self.reachable_answers(self.positions_to_answer(start))

    def reachable_answers(self, positions: list[Any]) -> dict[Any, str]:
        """The answers that are still needed: some were for moves that became quicker ones."""
        found: dict[Any, str] = {}
        while positions:
            position = positions.pop()
            if position not in found:
                found[position] = self.answers[position].text
                positions.extend(self.answers[position].replies)
        return found


def extract_certificate(
    prover: Prover, on_progress: Callable[[int], None] = lambda done: None, shortest: bool = False
) -> Certificate:
    """The certificate of a proof that ended with yes; `on_progress` gets its answers so far."""
    if not prover.answer:
        raise ValueError(_("there is no certificate: nothing has been proved"))
    answers = Strategy(prover, shortest).build(on_progress)
    return Certificate(prover.claim, answers, {})
