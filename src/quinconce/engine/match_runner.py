"""Matches between two players over many openings, and what their results say of their strength."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match

Player = Callable[[Match[Any], random.Random], str]  # a move for the one whose turn it is

Fair = Callable[[Match[Any]], bool]  # whether an opening may be played

LONGEST: Final = 400  # moves; a longer match is stopped, which is a draw by agreement
OPENING: Final = 4  # turns of chance before the players begin
MINOR: Final = 0.75  # of a point, where results are graded, for a victory by counting after a jam
SURE: Final = 1.96  # standard deviations of a confidence of 95 %


def any_opening(_match: Match[Any]) -> bool:
    """Every opening may be played: the sides are exchanged."""
    return True


@dataclass(frozen=True)
class Played:
    """One match: its number, the seats of the first player, and what he got of it."""

    number: int
    match: Match[Any]
    seats: tuple[int, ...]
    share: float

    @property
    def grade(self) -> float:
        """What he got where a victory by counting is worth less than one on the board."""
        outcome = self.match.outcome()
        if outcome is None or outcome.by is None:
            return self.share
        return 0.5 + (self.share - 0.5) * (MINOR - 0.5) / 0.5


@dataclass
class Score:
    """The results so far, from the view of the first player."""

    graded: bool = False  # whether a victory by counting is worth less than one on the board
    shares: dict[int, float] = field(default_factory=dict)  # by the number of the match

    def add(self, played: Played) -> None:
        """Count a match."""
        self.shares[played.number] = played.grade if self.graded else played.share

    @property
    def games(self) -> int:
        """How many matches were played."""
        return len(self.shares)

    @property
    def share(self) -> float:
        """What the first player got, of 1 for every match."""
        return sum(self.shares.values()) / self.games

    def counted(self) -> tuple[int, int, int]:
        """How many he won, drew and lost."""
        won = sum(share > 0.5 for share in self.shares.values())
        lost = sum(share < 0.5 for share in self.shares.values())
        return won, self.games - won - lost, lost

    def openings(self) -> list[float]:
        """What he got of each opening: the two matches of one count as one thing."""
        pairs: dict[int, list[float]] = {}
        for number, share in self.shares.items():
            pairs.setdefault(number // 2, []).append(share)
        return [sum(pair) / len(pair) for pair in pairs.values()]

    def leaning(self) -> tuple[int, int]:
        """In how many openings he got more than the other, and in how many less."""
        means = self.openings()
        return sum(mean > 0.5 for mean in means), sum(mean < 0.5 for mean in means)

    def by_chance(self) -> float:
        """How likely openings are to lean so far, either way, between equals: a sign test."""
        better, worse = self.leaning()
        n = better + worse
        tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1))
        return min(1.0, tail * 2.0 ** (1 - n))

    def deviation(self) -> float:
        """The standard deviation of the share."""
        means = self.openings()
        if len(means) < 2:
            return 0.5
        centre = sum(means) / len(means)
        # One more pair of either kind, so that equal results do not look like certainty.
        spread = sum((mean - centre) ** 2 for mean in means) + (1 - centre) ** 2 + centre**2
        return math.sqrt(spread / (len(means) + 1) / (len(means) + 2))

    def elo(self) -> tuple[float, float, float]:
        """The difference of ratings, and the interval that holds it with a confidence of 95 %."""
        wide = SURE * self.deviation()
        return elo(self.share), elo(self.share - wide), elo(self.share + wide)


def elo(share: float) -> float:
    """The difference of ratings that a share of the points stands for."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else -400 * math.log10(1 / share - 1)


def duel(
    game: Game[Any],
    first: Player,
    second: Player,
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    opening: int = OPENING,
    fair: Fair = any_opening,
) -> Iterator[Played]:
    """Matches between two players, each opening twice with the sides exchanged, as they end."""
    with ThreadPoolExecutor(jobs) as pool:
        numbers = iter(range(games))
        running: set[Future[Played]] = set()
        try:
            while True:
                while len(running) < jobs and (number := next(numbers, None)) is not None:
                    running.add(pool.submit(one, game, first, second, number, seed, opening, fair))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            for task in running:
                task.cancel()


def one(
    game: Game[Any],
    first: Player,
    second: Player,
    number: int,
    seed: int,
    opening: int,
    fair: Fair,
) -> Played:
    """One match of a duel, the same for the same number and seed if the players are."""
    match = opened(game, random.Random(f"{seed} {number // 2}"), opening, fair)
    seats = tuple(seat for seat in range(game.seats) if plays_first(game, seat, number))
    chance = random.Random(f"{seed} {number} players")
    while not match.outcome():
        if len(match.moves) >= LONGEST:
            for seat in range(game.seats):
                match.agree(seat)
            break
        player = first if match.seat in seats else second
        match.play(player(match, chance))
    return Played(number, match, seats, share_of(match, seats))


def plays_first(game: Game[Any], seat: int, number: int) -> bool:
    """Whether the first player has this seat: a side of two, or every other of several sides."""
    return (game.side(seat) + number) % 2 == 0


def opened(
    game: Game[Any], chance: random.Random, turns: int, fair: Fair = any_opening
) -> Match[Any]:
    """A match after some turns of chance that have not decided it, and seem fair."""
    while True:
        match = Match(game)
        for _turn in range(turns):
            if match.outcome():
                break
            match.play(chance.choice(sorted(match.legal())))
        else:
            if not match.outcome() and fair(match):
                return match


def share_of(match: Match[Any], seats: tuple[int, ...]) -> float:
    """What these seats got of a match that is over: all, nothing or a half."""
    outcome = match.outcome()
    if outcome is None or not outcome.winners:
        return 0.5
    return float(outcome.winners[0] in seats)
