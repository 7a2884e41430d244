"""How fast the rules and the kernels are: moves, leaves and random games a second of CPU time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import quinconce
from quinconce import Game, Match
from quinconce.kernels.protocol import kernel, play_outs

POSITIONS: Final = 400
SEED: Final = 20031997
LONGEST: Final = 1000  # plies of a random game


class Subject(NamedTuple):
    """A game with its options, and the position that is measured from."""

    name: str
    game: Game[Any]
    start: Any


def subjects(names: Iterable[str]) -> list[Subject]:
    """Every game by its default options, and the forms that work differently."""
    games = {name: quinconce.game(name) for name in names}
    found = [Subject(name, game, game.start()) for name, game in games.items()]
    if "diam" in games:
        for edition, players in ((2003, 3), (2003, 4), (1997, 2), (1997, 4)):
            game = quinconce.game("diam", edition=edition, players=players)
            found.append(Subject(f"diam {edition} {players}p", game, game.start()))
    if "seega" in games:
        for size in (5, 7, 9):
            game = quinconce.game("seega", size=size)
            found.append(Subject(f"seega {size}×{size} phase 2", game, set_up(game)))
    return found


def set_up(game: Game[Any]) -> Any:
    """The first position of phase 2 after a random placing, always the same."""
    chance = random.Random(SEED)
    position = game.start()
    while position.phase == 1:
        position = chance.choice(list(game.moves(position)))[1]
    return position


def measured(subject: Subject, seconds: float) -> dict[str, float]:
    """The figures of one subject."""
    games, plies = playouts_per_s(subject, seconds)
    return {
        "rules_moves_per_s": rules_moves_per_s(subject, seconds),
        "perft_leaves_per_s": perft_leaves_per_s(subject, seconds),
        "playouts_per_s": games,
        "playout_plies_per_s": plies,
    }


def rules_moves_per_s(subject: Subject, seconds: float) -> float:
    """Moves that the plain rules generate: each with its text and where it leads."""
    sample = positions(subject)

    def work() -> int:
        return sum(sum(1 for _move in subject.game.moves(position)) for position in sample)

    return per_second(work, seconds)


def perft_leaves_per_s(subject: Subject, seconds: float) -> float:
    """Sequences of moves that the kernel counts, the last ply in bulk, as deep as time allows."""
    numbers = kernel(subject.game)
    depth, spent, leaves = 1, 0.0, 0
    numbers.perft(subject.start, depth)  # compiles
    while spent < seconds / 10:
        depth += 1
        started = time.process_time()
        leaves = numbers.perft(subject.start, depth)
        spent = time.process_time() - started
    return leaves / spent


def playouts_per_s(subject: Subject, seconds: float) -> tuple[float, float]:
    """Random games of the kernel to the board's own end, repetition ignored; and their plies."""
    numbers = kernel(subject.game)
    state, out = numbers.encode(subject.start), numbers.rows(1)[0]
    plies = games = 0

    def work() -> int:
        nonlocal plies, games
        plies += play_outs(state, out, SEED + games, 50, LONGEST)[0]
        games += 50
        return 50

    work()  # compiles
    plies = games = 0
    speed = per_second(work, seconds)
    return speed, speed * plies / games


def per_second(work: Callable[[], int], seconds: float) -> float:
    """How many things get done in a second of CPU time; `work` tells how many it did."""
    done = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        done += work()
    return done / spent


def positions(subject: Subject) -> list[Any]:
    """Positions of random games, always the same ones."""
    chance = random.Random(SEED)
    found: list[Any] = []
    while len(found) < POSITIONS:
        match = Match(subject.game, subject.start)
        while legal := match.legal():
            found.append(match.position)
            match.play(chance.choice(sorted(legal)))
    return chance.sample(found, POSITIONS)
