"""How often somebody who has just learnt a game beats the weakest levels: `python -m` this module.

    python -m benchmarks.beginner [FORM …] [--games 200] [--level 1]

The stand-in for a beginner wins in one where they can, parries a threat to win in one where they
can, and else plays at random. A form is named as files are: `diam-2003-2`, `diadema`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from typing import Any, Final, NamedTuple

from quinconce import Game, Match
from quinconce.core.registry import game_class, names
from quinconce.engine.match_runner import Player
from quinconce.engine.move_choice import level_player
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import WIN_IN_ONE

MAX_MOVES: Final = 2000  # of a match, as on a server; a longer one is drawn
NICENESS: Final = 10  # others may need this machine meanwhile


class Tally(NamedTuple):
    """What became of the matches of one seat."""

    won: int
    drawn: int
    games: int
    moves: float  # a match, on average
    slowest: float  # seconds of CPU time that the level took for one move

    def __str__(self) -> str:
        return (
            f"{self.won / self.games:.0%} won, {self.drawn / self.games:.0%} drawn of {self.games}"
            f" ({self.moves:.0f} moves, at most {self.slowest:.2f} s each)"
        )


def measured_forms() -> list[Game[Any]]:
    """Every edition of every game, for two."""
    rules = [game_class(name) for name in names()]
    return [each(**edition.options) for each in rules for edition in each.editions]


def beginner(match: Match[Any], chance: random.Random) -> str:
    """The move of somebody who sees what wins at once, and nothing further."""
    game, kernel, side = match.game, kernel_for(match.game), match.game.side(match.seat)
    safe = []
    moves = list(game.moves(match.position))
    for text, after in moves:
        outcome = game.outcome(after)
        if outcome is None:
            if calls.urgency(kernel.encode(after)) != WIN_IN_ONE:
                safe.append(text)
        elif side in map(game.side, outcome.winners):
            return text
        elif not outcome.winners:
            safe.append(text)
    return chance.choice(safe or [text for text, _after in moves])


def measure_seat(game: Game[Any], level: Player, seat: int, games: int) -> Tally:
    """Matches in which the beginner has a seat."""
    won = drawn = moves = 0
    slowest = 0.0
    for number in range(games):
        chance = random.Random(f"{game.form_id} {seat} {number}")
        match = Match(game)
        while not match.outcome() and len(match.moves) < MAX_MOVES:
            started = time.process_time()
            player = beginner if match.seat == seat else level
            match.play(player(match, chance))
            if player is level and number:  # the first match may compile
                slowest = max(slowest, time.process_time() - started)
        outcome = match.outcome()
        won += outcome is not None and seat in outcome.winners
        drawn += outcome is None or not outcome.winners
        moves += len(match.moves)
    return Tally(won, drawn, games, moves / games, slowest)


def main() -> None:
    """Print a line for each form and seat."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--level", type=int, default=1)
    given = parser.parse_args()
    os.nice(NICENESS)
    for game in measured_forms():
        if given.forms and game.form_id not in given.forms:
            continue
        for seat in range(game.seats):
            tally = measure_seat(game, level_player(given.level), seat, given.games)
            sys.stdout.write(f"{game.form_id}, seat {seat}: {tally}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
