"""What matches are worth in a duel."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest

import quinconce
from quinconce import Match
from quinconce.engine import match_runner
from quinconce.engine.elo import MatchScore
from quinconce.engine.match_runner import MatchResult, run_matches, share_of_seats

ENDS = [
    ("w..../...../...../...../ww...", True, 1.0),  # nothing left to White's enemy
    ("b..../...../...../...../bb...", True, 0.0),
    ("wb.../...../...../...../ww...", False, 0.75),
    ("wb.../...../...../...../bb...", False, 0.25),
    ("wb.../...../...../...../wb...", False, 0.5),
]


def ended(board: str, on_the_board: bool) -> Match[Any]:
    game = quinconce.game("seega")
    position = game.start()._replace(board=board.replace("/", ""), phase=2)
    match = Match(game, start=position)
    if not on_the_board:
        match.agree(0)
        match.agree(1)
    return match


@pytest.mark.parametrize(("board", "on_the_board", "grade"), ENDS)
def test_a_victory_by_counting_is_worth_less_where_results_are_graded(
    board: str, on_the_board: bool, grade: float
) -> None:
    match = ended(board, on_the_board)
    played = MatchResult(0, match, (0,), share_of_seats(match, (0,)))
    plain, graded = MatchScore(), MatchScore(graded=True)
    plain.add(played)
    graded.add(played)
    assert graded.share == grade
    assert plain.share == {0.75: 1.0, 0.25: 0.0}.get(grade, grade)
    assert plain.wins_draws_losses() == graded.wins_draws_losses()


def test_the_two_matches_of_an_opening_count_as_one_thing() -> None:
    score = MatchScore(shares={0: 1.0, 3: 0.0, 1: 0.0, 2: 0.5, 4: 1.0})
    assert score.opening_shares() == [0.5, 0.25, 1.0]
    assert score.opening_leads() == (1, 1)


@pytest.mark.parametrize(
    ("means", "likely"),
    [
        ([], 1),
        ([0.5] * 9, 1),
        ([1.0], 1),
        ([0.6] * 6 + [0.5] * 50, 2 / 64),
        ([0, 1, 1, 1], 10 / 16),
    ],
)
def test_openings_that_lean_to_one_side_may_do_so_by_chance(
    means: list[float], likely: float
) -> None:
    score = MatchScore(shares={2 * number: mean for number, mean in enumerate(means)})
    assert score.sign_test() == pytest.approx(likely)


def test_a_match_under_way_is_stopped_after_the_move_that_is_thought_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop, thinking, moves = threading.Event(), threading.Event(), []

    def play_when_stopped(match: Match[Any], _chance: random.Random) -> str:
        thinking.set()
        stop.wait()
        moves.append(min(match.legal()))
        return moves[-1]

    def press_ctrl_c(*_running: Any, **_how: Any) -> Any:
        thinking.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(match_runner, "Event", lambda: stop)
    monkeypatch.setattr(match_runner, "wait", press_ctrl_c)
    players = play_when_stopped, play_when_stopped
    with pytest.raises(KeyboardInterrupt):
        next(run_matches(quinconce.game("buts"), *players, 2))
    assert len(moves) == 1
