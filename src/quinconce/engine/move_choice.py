"""The move that a level of the engine chooses."""

from __future__ import annotations

import random
import time
from typing import Any

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.engine.analysis import deepening, inform, prepare, thinking, thought_out
from quinconce.engine.levels import LAST, Level, level_of
from quinconce.engine.match_runner import Player
from quinconce.engine.root_moves import Weakness


def choose(
    match: Match[Any],
    level: int = LAST,
    *,
    seed: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
) -> str:
    """The move that a level plays; the same seed chooses the same below the last level."""
    strength = level_of(level)
    if match.outcome():
        raise ValueError(_("the game is over: there is no move to choose"))
    chance = random.Random(None if seed is None else f"{seed} {len(match.moves)}")
    return chosen(match, strength, chance, seconds or strength.seconds, threads)


def chosen(
    match: Match[Any], level: Level, chance: random.Random, seconds: float | None, threads: int
) -> str:
    """The move of a player of this strength; equal moves are chosen by chance."""
    if len(match.legal()) == 1:
        return next(iter(match.legal()))
    if level.full:
        inform(match)
    else:
        prepare(match.game)
    started = time.monotonic()
    weakness = Weakness(level.noise, level.blind, level.sight, chance.getrandbits(62))
    thought = thinking(
        match, nodes=level.nodes, threads=threads, weakness=weakness, informed=level.full
    )
    thought.vary(chance)
    if seconds is None:
        return thought_out(thought)
    *_earlier, last = deepening(thought, started, seconds, None, 1)
    return last.best


def at_level(number: int) -> Player:
    """A player of this level, for a duel."""
    level = level_of(number)
    return lambda match, chance: chosen(match, level, chance, level.seconds, 1)
