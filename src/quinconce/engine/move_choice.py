"""What the engine decides in a match: the move of a level, and whether it agrees to stop."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.analysis import analyse, iterative_deepening, run_search
from quinconce.engine.levels import LAST_LEVEL, Level, level_by_number
from quinconce.engine.limits import Limits
from quinconce.engine.match_runner import Player
from quinconce.engine.preparation import new_search, prepare
from quinconce.engine.problem_setting import hardest_move
from quinconce.engine.readiness import PLAIN_SECONDS
from quinconce.engine.resistance import stubborn_move
from quinconce.engine.weakness import Weakness
from quinconce.kernels.compiled import IS_PLAIN

OFFER_NODES: Final = 20_000  # nodes before it answers an offer


def choose(
    match: Match[Any],
    level: int = LAST_LEVEL,
    *,
    seed: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
) -> str:
    """The move that a level plays; the same seed chooses the same below the last level.

    In plain Python it comes within PLAIN_SECONDS, and may be another one where they do not suffice;
    the last level raises NotCompiledError where something is proved.
    """
    strength = level_by_number(level, match.game.form_id)
    if match.outcome():
        raise ValueError(_("the game is over: there is no move to choose"))
    chance = random.Random(None if seed is None else f"{seed} {len(match.moves)}")
    if IS_PLAIN and strength.is_full_strength:
        seconds = seconds or PLAIN_SECONDS
    return pick_move(match, strength, chance, seconds or strength.seconds, threads)


def pick_move(
    match: Match[Any], level: Level, chance: random.Random, seconds: float | None, threads: int
) -> str:
    """The move of a player of this strength; equal moves are chosen by chance."""
    first, *others = islice(match.game.moves(match.position), 2)
    if not others:
        return first[0]
    if level.is_full_strength and not IS_PLAIN:
        prepare(match.game, informed=True)
        if known := proved_choice(match, chance, seconds or 0.0):
            return known
    search = new_search(
        match,
        Limits(seconds=seconds, nodes=level.nodes, threads=threads),
        weakness=Weakness(
            level.noise, level.blindness, level.blind_from_ply, chance.getrandbits(62)
        ),
        use_proofs=level.is_full_strength,
        contempt=level.contempt,
    )
    search.keep_moves(level.moves_looked_at(len(search.root_moves)), chance)
    search.shuffle_equal_moves(chance)
    if seconds is None:
        return run_search(search, most_seconds=PLAIN_SECONDS if IS_PLAIN else None)
    *_earlier, last = iterative_deepening(search, 1)
    return last.best


def proved_choice(match: Match[Any], chance: random.Random, seconds: float) -> str | None:
    """The move where a table knows all, or a proof that all is lost; None where one searches."""
    if len(match.game.sides) > 2:
        return None
    return hardest_move(match, chance) or stubborn_move(match, chance, seconds)


def level_player(number: int) -> Player:
    """A player of this level, for a duel."""

    def choose_move(match: Match[Any], chance: random.Random) -> str:
        level = level_by_number(number, match.game.form_id)
        return pick_move(match, level, chance, level.seconds, 1)

    return choose_move


def accepts_offer(match: Match[Any], seat: int) -> bool:
    """Whether a seat is content with what stopping here gives it, rather than to play on."""
    game = match.game
    stopped = game.jammed(match.position, "agreement")
    if stopped.winners:
        return seat in stopped.winners
    *_earlier, last = analyse(match, nodes=OFFER_NODES)
    own = game.side(seat) == game.side(match.seat)
    score = last.lines[0].score
    return (score if own else -score) <= 0
