"""Full strength in lost positions: the move after which the win is hardest to find."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpus import few_pawns

import quinconce
from quinconce import Match
from quinconce.core.value import Value
from quinconce.engine import analyse, choose, proved_moves
from quinconce.engine.resistance import stubborn_move
from quinconce.solvers.endgames.tables import EndgameTable, endgame_table

DIAM = quinconce.game("diam")
SEEGA = quinconce.game("seega")


def losing_replies(table: EndgameTable, position: Any) -> int:
    """How many moves give the win away."""
    if SEEGA.outcome(position):
        return 0
    values = [table.value(after) for _text, after in SEEGA.moves(position)]
    return sum(value is not None and value.result != "loss" for value in values)


def winning_move(match: Match[Any]) -> str:
    """What full strength plays that knows what is proved, the same on every machine."""
    *_earlier, found = analyse(match, nodes=2000)
    return found.best


@pytest.mark.slow
def test_a_lost_ending_leaves_the_winner_something_to_do_wrong() -> None:
    """Not a capture that they must make: that is the only move, and found by anybody."""
    table, chance, lost, mattered = endgame_table(SEEGA), random.Random(1), 0, 0
    assert table
    while lost < 12 or mattered < 3:
        match = Match(SEEGA, few_pawns(SEEGA, chance, chance.choice((5, 6))))
        values = proved_moves(match)
        legal = match.legal()
        if len(values) < len(legal) or {value.result for value in values.values()} != {"loss"}:
            continue
        lost += 1
        ways = {text: losing_replies(table, after) for text, after in legal.items()}
        chosen = choose(match, 10, seed=1, seconds=0.2)
        assert ways[chosen] or not max(ways.values())
        mattered += min(ways.values()) < max(ways.values())


def test_what_is_not_lost_is_searched() -> None:
    match = Match(SEEGA)
    assert stubborn_move(match, random.Random(1), 0.1) is None
    assert stubborn_move(Match(quinconce.game("buts")), random.Random(1), 0.1) is None


def test_the_loser_of_a_certificate_holds_out_to_the_last_ply() -> None:
    """Against the winner's own moves nothing is lost sooner than it must be."""
    match = Match(DIAM)
    while not match.outcome():
        if match.seat == 0:
            before = proved_moves(match)
            assert {value.result for value in before.values()} == {"loss"}
            chosen = choose(match, 10, seed=3, seconds=0.2)
            assert chosen in before
            match.play(chosen)
        else:
            match.play(winning_move(match))
    outcome = match.outcome()
    assert outcome
    assert outcome.winners == (1,)
    assert len(match.moves) >= 16


def test_the_loser_sets_problems_that_a_short_search_does_not_solve() -> None:
    """Lost in few plies, no move is chosen after which a win at once is in sight, if one can."""
    chance, tried = random.Random(5), 0
    for _match in range(6):
        match = Match(DIAM)
        while not match.outcome():
            if match.seat == 0:
                values = proved_moves(match)
                if len(values) == len(match.legal()):
                    longest = max(value.plies or 0 for value in values.values())
                    chosen = stubborn_move(match, chance, 0.1)
                    assert chosen
                    assert longest == 2 or values[chosen] != Value("loss", 2)
                    tried += 1
                match.play(chance.choice(list(match.legal())))
            else:
                match.play(winning_move(match))
    assert tried >= 20
