"""What the engine decides in a match: the move of a level, and whether it agrees to stop."""

from __future__ import annotations

import random
import time
from collections.abc import Generator
from itertools import islice
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.analysis import analyse, iterative_deepening, run_search
from quinconce.engine.levels import LAST_LEVEL, Level, level_by_number
from quinconce.engine.limits import Limits
from quinconce.engine.match_runner import Player
from quinconce.engine.position_search import PositionSearch
from quinconce.engine.preparation import new_search, prepare
from quinconce.engine.problem_setting import hardest_move
from quinconce.engine.resistance import stubborn_move
from quinconce.engine.weakness import Weakness

SLICE_NODES: Final = 60_000  # nodes between two looks at the world: some 20 ms
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

    >>> from quinconce import Match, game
    >>> match = Match(game("seega"))
    >>> choose(match, level=3, seed=1) in match.legal()
    True
    """
    strength = level_by_number(level, match.game.form_id)
    if match.outcome():
        raise ValueError(_("the game is over: there is no move to choose"))
    chance = random.Random(None if seed is None else f"{seed} {len(match.moves)}")
    return pick_move(match, strength, chance, seconds or strength.seconds, threads)


def pick_move(
    match: Match[Any], level: Level, chance: random.Random, seconds: float | None, threads: int
) -> str:
    """The move of a player of this strength; equal moves are chosen by chance."""
    if known := choice_without_search(match, level, chance, seconds):
        return known
    limits = Limits(seconds=seconds, nodes=level.nodes, threads=threads)
    search = level_search(match, level, chance, limits)
    if seconds is None:
        return run_search(search)
    *_earlier, last = iterative_deepening(search, 1)
    return last.best


def pick_move_in_slices(
    match: Match[Any], level: Level, chance: random.Random, seconds: float | None
) -> Generator[None, None, str]:
    """The same without threads: a level that thinks for a time lets others in between.

    >>> from quinconce import Match, game
    >>> match, level = Match(game("buts")), level_by_number(3)
    >>> list(pick_move_in_slices(match, level, random.Random(1), None))  # too quick to be divided
    []
    """
    if known := choice_without_search(match, level, chance, seconds):
        return known
    search = level_search(match, level, chance, Limits(nodes=level.nodes))
    if seconds is None:
        return run_search(search)
    end = time.monotonic() + seconds
    while True:
        search.resume(SLICE_NODES)
        done = search.deepen_until_done(1)
        if done or search.is_final() or time.monotonic() >= end:
            search.resume()
            return search.lines(1)[0].moves[0]
        yield


def choice_without_search(
    match: Match[Any], level: Level, chance: random.Random, seconds: float | None
) -> str | None:
    """The only move, or what full strength knows of a position; None where one searches."""
    first, *others = islice(match.game.moves(match.position), 2)
    if not others:
        return first[0]
    if not level.is_full_strength:
        return None
    prepare(match.game, informed=True)
    return proved_choice(match, chance, seconds or 0.0)


def level_search(
    match: Match[Any], level: Level, chance: random.Random, limits: Limits
) -> PositionSearch:
    """The search by which a level looks for its move: it overlooks what the level overlooks."""
    weakness = Weakness(level.noise, level.blindness, level.blind_from_ply, chance.getrandbits(62))
    search = new_search(
        match,
        limits,
        weakness=weakness,
        use_proofs=level.is_full_strength,
        contempt=level.contempt,
    )
    search.keep_moves(level.moves_looked_at(len(search.root_moves)), chance)
    search.shuffle_equal_moves(chance)
    return search


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
