"""What it saves full strength in lost positions to play the move after which the win is hardest.

    python -m benchmarks.hard_losses diam|seega [--games 100] [--against 5 7 9] [--seconds 0.2]

In Diam 2003 full strength has the seat that the certificate proves lost; in Seega it is to move in
endings of six pawns that are lost by the table. It plays once as it does, and once as it would by
searching alone, the same beginnings against the same opponents: levels 5, 7 and 9 as they were on
2026-11-17.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import click

import quinconce
from benchmarks.fixed_levels import FIXED_LEVELS, fixed_player
from quinconce import Game, Match
from quinconce.engine import move_choice
from quinconce.engine.levels import LAST_LEVEL, level_by_number
from quinconce.engine.match_runner import MAX_MATCH_MOVES, Player, share_of_seats
from quinconce.engine.move_choice import pick_move
from quinconce.engine.preparation import prepare
from quinconce.engine.resistance import stubborn_move
from quinconce.engine.solved import wait_for_endgames
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for

LEAST_TURNS = 5  # to the next capture, of an ending that is not lost at once
LostMatch = Callable[[Game[Any], random.Random], Match[Any]]


def lost_start(game: Game[Any], _chance: random.Random) -> Match[Any]:
    """The start of Diam 2003, which the first player has lost."""
    return Match(game)


def lost_ending(game: Game[Any], chance: random.Random) -> Match[Any]:
    """An ending of chance that the player to move has lost by the table."""
    kernel = kernel_for(game)
    some = kernel.encode(game.start())
    first, last = (int(calls.endgame_layer_start(some, pieces)) for pieces in (6, 7))
    while True:
        position = kernel.decode(calls.from_index(some, chance.randrange(first, last)))
        if any(game.faults(position)) or game.outcome(position):
            continue
        match = Match(game, position)
        table = wait_for_endgames(match)
        value = table.value(match.position) if table else None
        if value and value.result == "loss" and (value.plies or 0) >= LEAST_TURNS:
            return match


BEGINNINGS: dict[str, LostMatch] = {"diam": lost_start, "seega": lost_ending}


def play_on(match: Match[Any], loser: Player, opponent: Player, chance: random.Random) -> float:
    """What the one who is to move, and lost, gets of a match."""
    seat = match.seat
    while not match.outcome() and len(match.moves) < MAX_MATCH_MOVES:
        match.play((loser if match.seat == seat else opponent)(match, chance))
    return share_of_seats(match, (seat,))


def main() -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(BEGINNINGS))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--against", type=int, nargs="+", default=list(FIXED_LEVELS))
    parser.add_argument("--seconds", type=float, default=0.2, help="for a move")
    given = parser.parse_args()
    game, level = quinconce.game(given.game), level_by_number(LAST_LEVEL)
    prepare(game, informed=True)

    def loser(match: Match[Any], chance: random.Random) -> str:
        return pick_move(match, level, chance, given.seconds, 1)

    for number in given.against:
        for way, lost_move in (("hardest", stubborn_move), ("search", lambda *_about: None)):
            shares, moves = list[float](), 0
            with patch.object(move_choice, "stubborn_move", lost_move):
                for n in range(given.games):
                    chance = random.Random(f"{given.game} {n}")
                    match = BEGINNINGS[given.game](game, chance)
                    shares.append(play_on(match, loser, fixed_player(number), chance))
                    moves += len(match.moves)
            click.echo(
                f"{game.form_id} against level {number}, {way}: {shares.count(1.0)} won, "
                f"{shares.count(0.5)} drawn, {shares.count(0.0)} lost, "
                f"{moves / given.games:.1f} moves a match"
            )


if __name__ == "__main__":
    main()
