"""What is certain of a position: how soon a side wins, by a table or by proof search."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from quinconce.core.claim import Claim
from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.value import Result, Value
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.tables import endgame_table
from quinconce.solvers.proofs.prover import Prover, pair_answer
from quinconce.solvers.retrograde import Solution, solution

PROVER_MEGABYTES: Final = 8.0  # of a table of proofs, one for each side
SLICES_PER_QUESTION: Final = 30  # of one question before it is given up: a million positions
NODE_ALLOWANCE: Final = 3_000_000  # positions of all questions together, until one begins anew
DEEPEST_WIN: Final = 40  # plies; no puzzle is that long


TOO_LONG: Final = _("this would take too long to find out")


class TooHardError(ValueError):
    """A question that was not answered in the time one may wait."""


class Oracle:
    """Answers about the positions of one game."""

    complete = False  # whether every position is known for good

    def __init__(
        self,
        game: Game[Any],
        slices: int = SLICES_PER_QUESTION,
        megabytes: float = PROVER_MEGABYTES,
    ) -> None:
        self.game = game
        self.slices = slices
        self.megabytes = megabytes
        self.kernel = kernel_for(game)
        self._provers: dict[int, Prover] = {}
        self.reset_allowance()

    def reset_allowance(self) -> None:
        """Allow as many positions for the next questions as for the first."""
        self.nodes_left = NODE_ALLOWANCE

    def prover(self, side: int) -> Prover:
        """The proofs of a side, which are remembered from one question to the next."""
        if side not in self._provers:
            most = min(DEEPEST_WIN, self.game.quiet_limit or DEEPEST_WIN)
            claim = Claim(self.game, self.game.start(), side, most)
            self._provers[side] = Prover(claim, self.megabytes)
        return self._provers[side]

    def wins_within(self, position: Any, side: int, within: int) -> bool:
        """Whether a side wins within a number of plies, whatever is replied."""
        prover, state = self.prover(side), self.kernel.encode(position)
        pair, slices = prover.probe(state, within), self.slices
        while (found := pair_answer(pair)) is None:
            if not slices or self.nodes_left <= 0:
                raise TooHardError(TOO_LONG)
            slices, searched = slices - 1, prover.progress.nodes
            pair = prover.search_slice(state, within)
            self.nodes_left -= prover.progress.nodes - searched
        return found

    def shortest_win(self, position: Any, side: int, most: int) -> int | None:
        """The fewest plies within which a side wins, if they are no more than `most`."""
        for within in range(most + 1):
            if self.wins_within(position, side, within):
                return within
        return None

    def ever_wins(self, position: Any, side: int) -> bool | None:
        """Whether a side can force its win at all; None where that is not known."""
        return None

    def holds(self, position: Any, side: int) -> bool:
        """Whether a side does not lose."""
        raise TooHardError(TOO_LONG)


class SolutionOracle(Oracle):
    """A game that is solved whole."""

    complete = True

    def __init__(self, game: Game[Any], found: Solution) -> None:
        super().__init__(game)
        self.solution = found

    def value_for(self, position: Any, side: int) -> Value:
        """What a position is worth to a side."""
        value = self.solution.value(position)
        mine = self.game.side(self.game.seat(position)) == side
        return value if mine else value.opposite()

    def wins_within(self, position: Any, side: int, within: int) -> bool:
        return self.shortest_win(position, side, within) is not None

    def shortest_win(self, position: Any, side: int, most: int) -> int | None:
        result, plies = self.value_for(position, side)
        return plies if result == "win" and plies is not None and plies <= most else None

    def ever_wins(self, position: Any, side: int) -> bool | None:
        return self.value_for(position, side).result == "win"

    def holds(self, position: Any, side: int) -> bool:
        return self.value_for(position, side).result != "loss"


class EndgameOracle(Oracle):
    """A game of which the endings with few pieces are solved; they take memory."""

    def ever_wins(self, position: Any, side: int) -> bool | None:
        if outcome := self.game.outcome(position):
            return side in map(self.game.side, outcome.winners)
        found = endgame_table(self.game)
        value = found.value(position) if found else None
        if value is None:
            return None
        mine = self.game.side(self.game.seat(position)) == side
        won: Result = "win" if mine else "loss"
        return value.result == won


@cache
def oracle_for(game: Game[Any]) -> Oracle:
    """The same for everybody in this process, with everything that was found out so far."""
    found = solution(game)
    return SolutionOracle(game, found) if found else Oracle(game)
