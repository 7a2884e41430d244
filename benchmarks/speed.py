"""How fast the rules are: moves generated a second, over positions from random play."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import quinconce
from quinconce import Game, Match

POSITIONS: Final = 400
SEED: Final = 20031997


class Subject(NamedTuple):
    """A game with its options, and which of its positions count."""

    name: str
    game: Game[Any]
    wanted: Callable[[Any], bool] = lambda position: True


def subjects(names: Iterable[str]) -> list[Subject]:
    """Every game by its default options, and the forms that work differently."""
    found = [Subject(name, quinconce.game(name)) for name in names]
    if "diam" in names:
        found += [
            Subject(
                f"diam {edition} {players}p",
                quinconce.game("diam", edition=edition, players=players),
            )
            for edition, players in ((2003, 3), (2003, 4), (1997, 2), (1997, 4))
        ]
    if "seega" in names:
        found.append(Subject("seega phase 2", quinconce.game("seega"), lambda p: p.phase == 2))
        found.append(
            Subject("seega 9 phase 2", quinconce.game("seega", size=9), lambda p: p.phase == 2)
        )
    return found


def measured(subject: Subject, seconds: float) -> dict[str, float]:
    """The figures of one subject."""
    return {"rules_moves_per_s": rules_moves_per_s(subject, seconds)}


def rules_moves_per_s(subject: Subject, seconds: float) -> float:
    """Moves generated a second of CPU time: each with its text and where it leads."""
    sample = positions(subject)
    moves = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        for position in sample:
            moves += sum(1 for _move in subject.game.moves(position))
    return moves / spent


def positions(subject: Subject) -> list[Any]:
    """Positions of random games, always the same ones."""
    chance = random.Random(SEED)
    found: list[Any] = []
    while len(found) < POSITIONS:
        match = Match(subject.game)
        while legal := match.legal():
            if subject.wanted(match.position):
                found.append(match.position)
            match.play(chance.choice(sorted(legal)))
    return chance.sample(found, POSITIONS)
