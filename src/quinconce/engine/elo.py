"""What the results of matches say of the strength of two players: shares, Elo, confidence."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from quinconce.engine.match_runner import MatchResult

Z_95: Final = 1.96  # standard deviations of a confidence of 95 %


@dataclass
class MatchScore:
    """The results so far, as the first player sees them."""

    graded: bool = False  # whether a victory by counting is worth less than one on the board
    shares: dict[int, float] = field(default_factory=dict)  # by the number of the match

    def add(self, played: MatchResult) -> None:
        """Count a match."""
        self.shares[played.number] = played.points if self.graded else played.share

    @property
    def games(self) -> int:
        """How many matches were played."""
        return len(self.shares)

    @property
    def share(self) -> float:
        """What the first player got, of 1 for every match."""
        return sum(self.shares.values()) / self.games

    def wins_draws_losses(self) -> tuple[int, int, int]:
        """How many matches the first player won, drew and lost."""
        won = sum(share > 0.5 for share in self.shares.values())
        lost = sum(share < 0.5 for share in self.shares.values())
        return won, self.games - won - lost, lost

    def opening_shares(self) -> list[float]:
        """What the first player got of each opening: its two matches count as one."""
        pairs: dict[int, list[float]] = {}
        for number, share in self.shares.items():
            pairs.setdefault(number // 2, []).append(share)
        return [sum(pair) / len(pair) for pair in pairs.values()]

    def opening_leads(self) -> tuple[int, int]:
        """In how many openings the first player got more than the other, and in how many less."""
        means = self.opening_shares()
        return sum(mean > 0.5 for mean in means), sum(mean < 0.5 for mean in means)

    def sign_test(self) -> float:
        """How likely openings are to lean so far, either way, between equals: a sign test."""
        better, worse = self.opening_leads()
        n = better + worse
        tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
        return min(1.0, tail * 2.0 ** (1 - n))

    def standard_error(self) -> float:
        """The standard deviation of the share."""
        means = self.opening_shares()
        if len(means) < 2:
            return 0.5
        centre = sum(means) / len(means)
        # One more pair of either kind, so that equal results do not look like certainty.
        spread = sum((mean - centre) ** 2 for mean in means) + (1 - centre) ** 2 + centre**2
        return math.sqrt(spread / (len(means) + 1) / (len(means) + 2))

    def elo_interval(self) -> tuple[float, float, float]:
        """The difference of ratings, and the interval that holds it with a confidence of 95 %."""
        wide = Z_95 * self.standard_error()
        return (
            elo_difference(self.share),
            elo_difference(self.share - wide),
            elo_difference(self.share + wide),
        )


def elo_difference(share: float) -> float:
    """The difference of ratings that a share of the points stands for."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else -400 * math.log10(1 / share - 1)
