"""A contest: everybody plays everybody, seats exchanged, three points a win and one a draw."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import combinations
from threading import Event
from typing import Any, Final

from quinconce.bridges.contestants import Contestant, ProgramContestant, TimedPlayer
from quinconce.bridges.time_control import MatchClock, TimeControl, check_two_sides
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.record import Record
from quinconce.engine.match_runner import (
    OPENING_TURNS,
    MatchResult,
    OpeningFilter,
    Player,
    any_opening,
    play_match,
    run_in_threads,
    stoppable,
)

WIN_POINTS: Final = 3
DRAW_POINTS: Final = 1
FROM_START: Final = 2  # matches of a pair that begin at the start of the game, by default


@dataclass(frozen=True)
class ContestMatch:
    """One match of a contest: who played it, how it ended, what time it took."""

    number: int  # from 1
    pair: tuple[int, int]  # contestants by their numbers; the first is the first player of `result`
    result: MatchResult
    clock: MatchClock

    def contestant(self, seat: int) -> int:
        """Who sat in a seat."""
        return self.pair[0 if seat in self.result.seats else 1]

    @property
    def by_side(self) -> tuple[int, int]:
        """The contestants in the order of the sides: who began comes first."""
        sides = self.result.match.game.sides
        return self.contestant(sides[0][0]), self.contestant(sides[1][0])

    def share(self, contestant: int) -> float:
        """What a contestant got of it: 1, 0 or a half."""
        return self.result.share if contestant == self.pair[0] else 1 - self.result.share


@dataclass
class Standing:
    """What a contestant has reached so far."""

    contestant: int
    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    seconds: float = 0.0  # that all its moves took
    moves: int = 0
    longest: float = 0.0  # seconds of its slowest move
    forfeits: Counter[str] = field(default_factory=Counter)  # by kind: "time", "illegal", "crash"
    rank: int = 1

    @property
    def points(self) -> int:
        """Three for a win, one for a draw."""
        return WIN_POINTS * self.won + DRAW_POINTS * self.drawn

    @property
    def played(self) -> int:
        """How many matches it has played."""
        return self.won + self.drawn + self.lost

    @property
    def seconds_a_move(self) -> float:
        """How long its moves took on average."""
        return self.seconds / max(1, self.moves)

    def add(self, match: ContestMatch) -> None:
        """Count a match."""
        share = match.share(self.contestant)
        self.won += share > 0.5
        self.drawn += share == 0.5
        self.lost += share < 0.5
        time = match.clock.sides[match.by_side.index(self.contestant)]
        self.seconds += time.used
        self.moves += time.moves
        self.longest = max(self.longest, time.longest)
        if match.result.forfeit and share < 0.5:
            self.forfeits[match.result.forfeit.kind] += 1


class Contest:
    """Matches between all pairs of contestants over one game."""

    def __init__(
        self,
        game: Game[Any],
        contestants: Sequence[Contestant],
        control: TimeControl,
        *,
        games: int = FROM_START,
        from_start: int = FROM_START,
        seed: int = 0,
        accepts: OpeningFilter = any_opening,
    ) -> None:
        check_two_sides(game)
        self.game = game
        self.contestants = contestants
        self.control = control
        self.games = games  # of each pair
        self.from_start = from_start  # of these, at the start of the game; the others by chance
        self.seed = seed
        self.accepts = accepts
        self.names: list[str] = []  # once it has begun
        self.played: list[ContestMatch] = []

    @property
    def total(self) -> int:
        """How many matches there are."""
        return self.games * len(list(combinations(self.contestants, 2)))

    def run(self, jobs: int = 1) -> Iterator[ContestMatch]:
        """Play all matches, some at a time; each is handed on as it ends."""
        self.learn_names()
        stop = Event()
        pairs = combinations(range(len(self.contestants)), 2)
        order = ((pair, n) for pair in pairs for n in range(self.games))
        tasks = (
            partial(self.play, number, pair, n, stop) for number, (pair, n) in enumerate(order, 1)
        )
        for match in run_in_threads(tasks, jobs, stop):
            self.played.append(match)
            yield match

    def learn_names(self) -> None:
        """Find out what everybody is called; two of one name are told apart by numbers."""
        for contestant in self.contestants:
            if isinstance(contestant, ProgramContestant):
                contestant.learn_name()
        self.names = unique_names([contestant.name for contestant in self.contestants])
        for contestant, name in zip(self.contestants, self.names, strict=True):
            contestant.name = name

    def play(self, number: int, pair: tuple[int, int], n: int, stop: Event) -> ContestMatch:
        """The match of this number, the n-th of its pair."""
        clock = MatchClock(self.control)
        one, other = (self.contestants[each] for each in pair)
        opening, accepts = OPENING_TURNS, self.accepts
        if n < self.from_start:
            opening, accepts = 0, any_opening
        with one.sit_down(self.game) as first, other.sit_down(self.game) as second:
            players = (
                stoppable(with_clock(first, clock), stop),
                stoppable(with_clock(second, clock), stop),
            )
            result = play_match(self.game, *players, n, self.seed, opening, accepts)
        return ContestMatch(number, pair, result, clock)

    def standings(self) -> list[Standing]:
        """All contestants, the best first; equal points have one rank."""
        table = [Standing(n, name) for n, name in enumerate(self.names)]
        for match in self.played:
            for contestant in match.pair:
                table[contestant].add(match)
        table.sort(key=lambda line: (-line.points, -line.won))
        for line in table:
            line.rank = 1 + sum(other.points > line.points for other in table)
        return table

    def record(self, match: ContestMatch) -> Record:
        """The record of a match; what ended it, if not the rules, is in `Termination`."""
        played = match.result.match
        who = (match.contestant(seat) for seat in range(self.game.seats))
        seats = [self.contestants[each].seat() for each in who]
        forfeit = match.result.forfeit
        tags = {"Termination": str(forfeit.why)} if forfeit else {}
        return replace(Record.of(played, seats, date.today()), tags=tags)

    def close(self) -> None:
        """Let all contestants go."""
        for contestant in self.contestants:
            if isinstance(contestant, ProgramContestant):
                contestant.close()


def with_clock(player: TimedPlayer, clock: MatchClock) -> Player:
    """A player whose time is kept by this clock."""

    def choose_move(match: Match[Any], chance: random.Random) -> str:
        return player(match, clock, chance)

    return choose_move


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that were given before."""
    found: list[str] = []
    for name in names:
        n, unique = 1, name
        while unique in found:
            n += 1
            unique = f"{name} ({n})"
        found.append(unique)
    return found
