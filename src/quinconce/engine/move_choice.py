"""The move that a level of the engine chooses."""

from __future__ import annotations

import random
import time
from typing import Any

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.analysis import (
    iterative_deepening,
    new_search,
    prepare,
    prepare_with_proofs,
    run_search,
)
from quinconce.engine.levels import LAST_LEVEL, Level, level_by_number
from quinconce.engine.match_runner import Player
from quinconce.engine.root_moves import Weakness


def choose(
    match: Match[Any],
    level: int = LAST_LEVEL,
    *,
    seed: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
) -> str:
    """The move that a level plays; the same seed chooses the same below the last level."""
    strength = level_by_number(level)
    if match.outcome():
        raise ValueError(_("the game is over: there is no move to choose"))
    chance = random.Random(None if seed is None else f"{seed} {len(match.moves)}")
    return pick_move(match, strength, chance, seconds or strength.seconds, threads)


def pick_move(
    match: Match[Any], level: Level, chance: random.Random, seconds: float | None, threads: int
) -> str:
    """The move of a player of this strength; equal moves are chosen by chance."""
    if len(match.legal()) == 1:
        return next(iter(match.legal()))
    if level.is_full_strength:
        prepare_with_proofs(match)
    else:
        prepare(match.game)
    started = time.monotonic()
    weakness = Weakness(level.noise, level.blindness, level.blind_from_ply, chance.getrandbits(62))
    thought = new_search(
        match,
        nodes=level.nodes,
        threads=threads,
        weakness=weakness,
        use_proofs=level.is_full_strength,
    )
    thought.shuffle_equal_moves(chance)
    if seconds is None:
        return run_search(thought)
    *_earlier, last = iterative_deepening(thought, started, seconds, None, 1)
    return last.best


def level_player(number: int) -> Player:
    """A player of this level, for a duel."""
    level = level_by_number(number)
    return lambda match, chance: pick_move(match, level, chance, level.seconds, 1)
