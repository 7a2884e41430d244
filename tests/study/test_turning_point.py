"""The turning point of a match is proved by a second program, and told in words."""

from __future__ import annotations

import random
from typing import Any

import pytest

import quinconce
from quinconce.core.game import Game
from quinconce.core.match import Match, replay
from quinconce.engine import analyse
from quinconce.puzzles.oracle import Oracle
from quinconce.study.turning_point import TurningPoint, turning_point, turning_point_words
from quinconce.words import Voice

FORMS = [
    quinconce.game("diam"),
    quinconce.game("diam", edition="1997"),
    quinconce.game("diadema"),
    quinconce.game("seega"),
]
LINE = "@A @1 @B @2 @D @3 @C"  # of Diädema, where the first player wins


def decided_match(game: Game[Any], number: int) -> Match[Any] | None:
    """A match of chance that the board has decided, if it ended so."""
    chance, match = random.Random(number), Match(game)
    while not match.outcome():
        match.play(chance.choice(list(match.legal())))
    return match if game.outcome(match.position) else None


@pytest.mark.slow
@pytest.mark.parametrize("game", FORMS, ids=lambda game: game.form_id)
def test_the_winner_can_always_win_after_the_turning_point(game: Game[Any]) -> None:
    oracle, checked = Oracle(game), 0  # proof search, and no table
    for number in range(6):
        match = decided_match(game, number)
        point = None if match is None else turning_point(match)
        if match is None or point is None:
            continue
        outcome = match.outcome()
        assert outcome is not None
        assert point.side == game.side(outcome.winners[0])
        for ply in range(point.ply, len(match.moves)):
            past = replay(game, None, match.moves[:ply])
            *_earlier, last = analyse(past, nodes=40_000)
            within = last.lines[0].plies
            quiet = past.quiet + (within or 0) >= (
                game.quiet_limit or 1000
            )  # it may be by counting
            if within is not None and within <= 5 and not quiet:  # a longer proof takes long
                assert oracle.wins_within(past.position, point.side, within)
                checked += 1
    assert checked


def test_a_match_that_the_board_has_not_decided_has_no_turning_point() -> None:
    match = replay(quinconce.game("diadema"), None, LINE.split()[:-1])
    assert turning_point(match) is None
    match.resign(1)
    assert match.outcome()
    assert turning_point(match) is None


def test_among_four_sides_nothing_is_proved() -> None:
    match = decided_match(quinconce.game("diam", edition="1997", players=4), 1)
    assert match is not None
    assert turning_point(match) is None


def test_the_turning_point_is_told_to_both_sides_in_both_languages() -> None:
    match = replay(quinconce.game("diadema"), None, LINE.split())
    point = turning_point(match)
    assert point is not None
    assert 0 < point.ply < len(match.moves)
    won, lost = (turning_point_words(match, point, seat) for seat in (0, 1))
    move = f"{(point.ply + 1) // 2} ({match.moves[point.ply - 1]})"
    assert won == f"After move {move} the game was won: from there you could always win."
    assert lost.startswith(f"After move {move} the game was lost:")
    assert Voice("fr")(lost).startswith(f"Après le coup {move}, la partie était perdue")
    start = TurningPoint(0, 0)
    told = {turning_point_words(match, start, seat) for seat in (0, 1)}
    assert len(told) == 2
    for words in told:
        assert "start" in words
        assert "début" in Voice("fr")(words)
