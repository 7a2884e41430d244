"""Tasks of lessons: every condition, and the reply that shows what is wrong with a move."""

from __future__ import annotations

import pytest

from quinconce.core.match import replay
from quinconce.core.registry import game
from quinconce.study.tasks import Attempt, parse_task

THREAT = "rm../..../n.../..../o.../..../..../.... turn=0"  # brown wants to come to cell 5
FORK = "mr../n.../..../o.../..../..../..../r... turn=0"
BESIDE = "w...b/...../..w.w/...bb/..... turn=0 phase=2 duty=0"  # e3 is about to be caught


@pytest.mark.parametrize(
    ("name", "start", "moves", "task", "met"),
    [
        ("diam", None, "r@1", "like r@?", True),
        ("diam", None, "r@1", "like o@? m@*", False),
        ("diam", None, "r@1", "places", True),
        ("diam", THREAT, "1.1-2", "places", False),
        ("diam", THREAT, "r@5", "safe", True),
        ("diam", THREAT, "r@6", "safe", False),
        ("diam", THREAT, "r@5", "wins", False),
        ("diam", FORK, "r@4", "wins", False),
        ("diam", FORK, "r@4", "wins 2", True),
        ("diam", FORK, "r@3", "wins 2", False),
        ("diam", FORK, "r@4 m@8 4.1-5", "wins", True),
        # Whoever made it, the highest diam has lost the game.
        ("diam", "mon./..../m.../..../r.../on../..../.... turn=0", "6.1-5", "wins", False),
        ("diam", "mon./..../m.../..../r.../on../..../.... turn=0", "6.1-5", "safe", False),
        ("diadema", "c....../f...... turn=0", "Ax2", "captures", True),
        ("diadema", "c....../f...... turn=0", "Ax2", "captures 2", False),
        ("diadema", "c....../f...... turn=0", "A-G", "captures", False),
        ("diadema", "c....../f...... turn=0", "A-G", "draws", False),
        ("seega", BESIDE, "e3-d3", "unharmed", True),
        ("seega", BESIDE, "a5-a4", "unharmed", False),
        ("seega", "..w../..b../...w./.wb../..w.. turn=0 phase=2 duty=0", "d3xc3", "wins", True),
        ("seega", "..w../..b../...w./.wb../..w.. turn=0 phase=2 duty=0", "d3xd2", "wins", False),
    ],
)
def test_a_condition_is_met_or_not(
    name: str, start: str | None, moves: str, task: str, met: bool
) -> None:
    match = replay(game(name), start, moves.split())
    assert parse_task(task).is_met(Attempt(match)) is met


def test_a_partner_does_not_threaten() -> None:
    rules = game("diam", players=4)
    # After red comes brown; a black pawn on level 2 waits for black, who is not next.
    match = replay(rules, "on../..../..../..../r.../..../..../m... turn=0", ["r@7"])
    assert parse_task("safe").is_met(Attempt(match))


@pytest.mark.parametrize(
    ("name", "start", "move", "task", "words"),
    [
        ("diam", THREAT, "r@6", "safe", "Player 2 (brown and black) would win with m@5."),
        ("seega", BESIDE, "a5-a4", "unharmed", "Player 2 (Black) would capture with e5xe4."),
        ("diam", THREAT, "r@5", "wins", None),
        ("diam", THREAT, "r@5", "safe", None),
    ],
)
def test_the_reply_that_shows_it_is_told(
    name: str, start: str, move: str, task: str, words: str | None
) -> None:
    match = replay(game(name), start, [move])
    assert parse_task(task).refutation(Attempt(match)) == words
