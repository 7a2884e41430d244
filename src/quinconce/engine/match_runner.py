"""Matches between two players over many openings, each opening twice with the sides exchanged."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any, Final, TypeVar

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase
from quinconce.core.value import Value
from quinconce.engine.scores import COUNTED_WIN_SCORE

Player = Callable[[Match[Any], random.Random], str]  # a move for the one whose turn it is

OpeningFilter = Callable[[Match[Any]], bool]  # whether an opening may be played

T = TypeVar("T")

MAX_MATCH_MOVES: Final = 400  # moves; a longer match is stopped, which is a draw by agreement
OPENING_TURNS: Final = 4  # turns of chance before the players begin
EVEN: Final = Value("draw")


class MatchStoppedError(Exception):
    """Nobody waits for this match any more."""


class ForfeitError(ValueError):
    """The player to move cannot go on, for a reason that people are told: their side loses."""

    def __init__(self, kind: str, why: Phrase) -> None:
        super().__init__(why)
        self.kind = kind  # "time", "illegal" or "crash"
        self.why = why

    def end(self, match: Match[Any]) -> None:
        """End a match between two sides as lost for the side to move."""
        if self.kind == "time":
            match.run_out(match.seat)
            return
        for seat in match.game.sides[match.game.side(match.seat)]:
            match.resign(seat)


def any_opening(_match: Match[Any]) -> bool:
    """Every opening may be played: the sides are exchanged."""
    return True


@dataclass(frozen=True)
class MatchResult:
    """One match: its number, the seats of the first player, and what they got of it."""

    number: int
    match: Match[Any]
    seats: tuple[int, ...]
    share: float
    forfeit: ForfeitError | None = None  # what ended it, if a player could not go on

    @property
    def points(self) -> float:
        """The share, where a victory by counting is worth less than one on the board."""
        outcome = self.match.outcome()
        if outcome is None or outcome.by is None:
            return self.share
        return 0.5 + (self.share - 0.5) * (COUNTED_WIN_SCORE - 0.5) / 0.5


def run_matches(
    game: Game[Any],
    first: Player,
    second: Player,
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    opening: int = OPENING_TURNS,
    accepts: OpeningFilter = any_opening,
) -> Iterator[MatchResult]:
    """Matches between two players, each opening twice with the sides exchanged, as they end.

    Closing the iterator stops those under way after the move that is thought of.
    """
    stop = Event()
    players = (stoppable(first, stop), stoppable(second, stop))
    tasks = (
        partial(play_match, game, *players, number, seed, opening, accepts)
        for number in range(games)
    )
    return run_in_threads(tasks, jobs, stop)


def run_in_threads(tasks: Iterator[Callable[[], T]], jobs: int, stop: Event) -> Iterator[T]:
    """The results of tasks, some at a time, as they end; an event is set once nobody waits."""
    with ThreadPoolExecutor(jobs) as pool:
        running: set[Future[T]] = set()
        try:
            while True:
                while len(running) < jobs and (task := next(tasks, None)) is not None:
                    running.add(pool.submit(task))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for ended in done:
                    yield ended.result()
        finally:
            stop.set()
            for left in running:
                left.cancel()


def stoppable(player: Player, stop: Event) -> Player:
    """A player who plays no more moves, by MatchStoppedError, once an event is set."""

    def choose_move(match: Match[Any], chance: random.Random) -> str:
        if stop.is_set():
            raise MatchStoppedError
        return player(match, chance)

    return choose_move


def play_match(
    game: Game[Any],
    first: Player,
    second: Player,
    number: int,
    seed: int,
    opening: int,
    fair: OpeningFilter,
) -> MatchResult:
    """One match of a duel, the same for the same number and seed if the players are."""
    match = random_opening(game, random.Random(f"{seed} {number // 2}"), opening, fair)
    seats = tuple(seat for seat in range(game.seats) if is_first_player_seat(game, seat, number))
    chance = random.Random(f"{seed} {number} players")
    forfeit = None
    while not match.outcome():
        if len(match.moves) >= MAX_MATCH_MOVES:
            for seat in range(game.seats):
                match.agree(seat)
            break
        player = first if match.seat in seats else second
        try:
            match.play(player(match, chance))
        except ForfeitError as error:
            forfeit = error
            forfeit.end(match)
    return MatchResult(number, match, seats, share_of_seats(match, seats), forfeit)


def is_first_player_seat(game: Game[Any], seat: int, number: int) -> bool:
    """Whether the first player has this seat: a side of two, or every other of several sides."""
    return (game.side(seat) + number) % 2 == 0


def random_opening(
    game: Game[Any], chance: random.Random, turns: int, fair: OpeningFilter = any_opening
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


def share_of_seats(match: Match[Any], seats: tuple[int, ...]) -> float:
    """What these seats got of a match that is over: all, nothing or a half."""
    outcome = match.outcome()
    if outcome is None or not outcome.winners:
        return 0.5
    return float(outcome.winners[0] in seats)


def even_openings(game: Game[Any]) -> OpeningFilter:
    """Lets only drawn openings be played where a game is solved and drawn; else any."""
    from quinconce.solvers.retrograde import solution  # compiled code is slow to load

    found = solution(game)
    if found is None or found.value(game.start()) != EVEN:
        return any_opening

    def is_even(match: Match[Any]) -> bool:
        return found.value(match.position) == EVEN

    return is_even
