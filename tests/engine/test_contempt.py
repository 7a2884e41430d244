"""A player who wants more than a draw avoids going round in circles, and nothing that is proved."""

from __future__ import annotations

import random

import pytest

import quinconce
from quinconce import Match
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.limits import Limits
from quinconce.engine.scores import PROVED_THRESHOLD
from quinconce.engine.search import jam_score
from quinconce.engine.workspace import DRAW_SCORE, PROOF_MODE

BUTS = quinconce.game("buts")


@pytest.mark.parametrize("moves", [0, 1])
def test_an_even_jam_costs_the_one_who_wants_more(moves: int) -> None:
    match = Match(BUTS)
    for text in ("G6^E4",)[:moves]:
        match.play(text)
    search = AlphaBetaSearch(match, Limits(nodes=100), contempt=40)
    space, state = search.workspaces[0], search.kernel.encode(match.position)
    assert jam_score(state, space) == -40
    assert jam_score(search.root_moves[0].state, space) == 40
    space.control[PROOF_MODE] = 1  # while one asks what is proved
    assert jam_score(state, space) == 0


def test_without_contempt_a_draw_is_worth_nothing() -> None:
    search = AlphaBetaSearch(Match(BUTS), Limits(nodes=100))
    assert search.workspaces[0].control[DRAW_SCORE] == 0


def test_what_is_proved_stays_the_same() -> None:
    """Wins and losses have the same distance, whatever a draw is worth."""
    game, chance, proved = quinconce.game("diam"), random.Random(1), 0
    while proved < 8:
        match = Match(game)
        for _ply in range(12):
            if not match.outcome():
                match.play(chance.choice(list(match.legal())))
        if match.outcome():
            continue
        scores = []
        for contempt in (0, 60):
            search = AlphaBetaSearch(match, Limits(depth=4), contempt=contempt)
            while search.deepen(1) and not search.limits.is_reached(search):
                pass
            scores.append(search.root_moves[0].score)
        if abs(scores[0]) > PROVED_THRESHOLD:
            proved += 1
            assert scores[0] == scores[1]
