"""Full strength in solved games: it sets problems, repeats last, and never gives a value away."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from corpus import random_match
from waiting import until

import quinconce
from benchmarks.fixed_levels import fixed_player
from quinconce import Match
from quinconce.core.value import RESULTS, Value, preference
from quinconce.engine import choose, problem_setting, proved_moves
from quinconce.engine import winning_chances as chances_module
from quinconce.engine.match_runner import any_opening, even_openings, play_match, random_opening
from quinconce.engine.move_choice import level_player
from quinconce.engine.opponent_models import MODELS
from quinconce.engine.preparation import prepare
from quinconce.engine.problem_setting import MatchOutlook, class_of, hardest_move
from quinconce.engine.solved import positions_seen_twice
from quinconce.engine.winning_chances import (
    DRAW_SHARE,
    PATIENCE,
    WinningChances,
    load_chances,
    save_chances,
    winning_chances,
)
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.retrograde import Solution, solution

DIADEMA = quinconce.game("diadema")
KERNEL = kernel_for(DIADEMA)
DRAW = Value("draw")


@pytest.fixture(scope="module")
def table() -> Solution:
    prepare(DIADEMA, informed=True)
    found = solution(DIADEMA)
    assert found
    return found


@pytest.fixture(scope="module")
def chances(table: Solution) -> WinningChances:
    found = winning_chances(table.game)
    assert found
    return found


def step_back(match: Match[Any]) -> list[str]:
    """The moves with which the player to move takes back what they moved last."""
    if len(match.positions) < 3:
        return []
    own = "cf"[match.position.turn]
    before = [ball == own for ball in match.positions[-3].board]
    return [
        text
        for text, after in match.legal().items()
        if [ball == own for ball in after.board] == before
    ]


def restless_matches(chance: random.Random, matches: int) -> Iterator[Match[Any]]:
    """Matches before every turn in which balls go to and fro, so that positions come back."""
    for _match in range(matches):
        match = random_match(DIADEMA, chance, chance.randint(4, 16))
        for _turn in range(14):
            if match.outcome():
                break
            yield match
            back = step_back(match)
            calm = [text for text in match.legal() if "-" in text] or list(match.legal())
            match.play(chance.choice(back if back and chance.random() < 0.8 else calm))


@pytest.mark.slow
def test_no_value_is_given_away_whatever_has_occurred(table: Solution) -> None:
    """Thousands of positions; a draw by repetition is what saves, and what one avoids."""
    chance, seen = random.Random(2), Counter[str]()
    for match in restless_matches(chance, 240):
        legal, twice = match.legal(), positions_seen_twice(match)
        known = proved_moves(match)
        chosen = hardest_move(match, chance)
        assert chosen
        after, value = legal[chosen], table.value(match.position)
        got = DRAW if after in twice else table.value(after).one_ply_earlier()
        if not twice:
            assert got.result == value.result
            assert got == value or value.result == "loss"
        if any(later in twice for later in legal.values()):
            seen["a third time in reach"] += 1
            assert RESULTS.index(got.result) >= RESULTS.index("draw")
        if len(known) == len(legal):
            best = max(known.values(), key=preference)
            assert known[chosen].result == best.result
            assert known[chosen] == best or best.result == "loss"
            seen["all known"] += 1
        seen[value.result] += 1
        seen["history"] += bool(twice)
    assert min(sum(seen[result] for result in RESULTS), seen["all known"]) >= 2000
    assert min(seen[result] for result in RESULTS) >= 100
    assert min(seen["history"], seen["a third time in reach"]) >= 100


def test_a_proved_win_goes_before_a_nearer_one_that_is_doubtful(
    table: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(4)
    while True:
        match = random_match(DIADEMA, chance, 12)
        wins = {text: value for text, value in proved_moves(match).items() if value.result == "win"}
        slowest = max(wins, key=lambda text: wins[text].plies or 0, default="")
        if wins and wins[slowest] != min(wins.values(), key=lambda value: value.plies or 0):
            break
    monkeypatch.setattr(problem_setting, "proved_moves", lambda _match: {slowest: wins[slowest]})
    assert hardest_move(match, chance) == slowest


@pytest.mark.slow
def test_no_position_comes_back_where_another_move_keeps_the_draw(table: Solution) -> None:
    chance, put_off = random.Random(3), 0
    for match in restless_matches(chance, 60):
        if table.value(match.position) != DRAW:
            continue
        times = {
            text: match.positions.count(after)
            for text, after in match.legal().items()
            if table.value(after) == DRAW
        }
        chosen = hardest_move(match, chance)
        assert chosen
        assert times[chosen] == min(times.values())
        put_off += times[chosen] < max(times.values())
    assert put_off >= 20


def test_a_third_time_is_the_last_resort_and_saves_what_is_lost(table: Solution) -> None:
    """Lost, but for a position that has occurred twice."""
    chance, saved = random.Random(4), 0
    for match in restless_matches(chance, 200):
        twice = positions_seen_twice(match)
        ends = [text for text, after in match.legal().items() if after in twice]
        if ends and table.value(match.position).result == "loss":
            assert hardest_move(match, chance) in ends
            saved += 1
    assert saved


def test_hopes_are_what_the_model_makes_of_them(table: Solution, chances: WinningChances) -> None:
    """One more sweep by hand changes nothing: replies are weighed, and answers chosen."""
    chance, checked = random.Random(5), 0
    while checked < 40:
        match = random_match(DIADEMA, chance, chance.randint(3, 20))
        if match.outcome() or table.value(match.position) != DRAW:
            continue
        checked += 1
        alone = Match(DIADEMA, match.position)
        outlook, state = MatchOutlook(alone, chances), KERNEL.encode(match.position)
        place = class_of(state, chances.firsts)
        for model in range(len(MODELS)):
            outlook.workspace.occurrences[:] = 0  # nothing has occurred
            outlook.beliefs = np.eye(len(MODELS), dtype=np.float32)[model]
            points = outlook.points_after(state)
            hope = chances.hopes[model, place]
            assert DRAW_SHARE <= hope <= 1
            assert DRAW_SHARE + PATIENCE * (points - DRAW_SHARE) == pytest.approx(hope, abs=0.02)


def test_replies_are_chosen_by_what_is_seen(table: Solution, chances: WinningChances) -> None:
    """Every model's shares make one; nobody walks into a win at once who can avoid it."""
    chance = random.Random(6)
    for _round in range(30):
        match = random_match(DIADEMA, chance, 9)
        if match.outcome() or table.value(match.position) != DRAW:
            continue
        outlook = MatchOutlook(match, chances)
        outlook.points_after(KERNEL.encode(match.position))
        legal = list(match.legal())
        shares = outlook.workspace.shares[:, : len(legal)] / outlook.beliefs[:, None]
        assert shares.sum(axis=1) == pytest.approx(np.ones(len(MODELS)), abs=1e-3)
        blunders = chances.worths[outlook.workspace.classes[: len(legal)]] == 2
        assert shares[:, blunders].sum() < 1e-3


def test_the_moves_of_a_match_tell_whom_one_plays(table: Solution, chances: WinningChances) -> None:
    """Level 5 is not taken for the one that searches deepest, nor level 9 for the shallowest."""
    believed = {}
    for number in (5, 9):
        chance, beliefs = random.Random(number), np.zeros(len(MODELS))
        opponent = fixed_player(number)
        for _match in range(4):
            match = random_match(DIADEMA, chance, 4)
            while len(match.moves) < 24 and not match.outcome():
                drawn = [
                    text for text, after in match.legal().items() if table.value(after) == DRAW
                ]
                ours = match.seat == 0 and bool(drawn)
                match.play(chance.choice(drawn) if ours else opponent(match, chance))
            if match.seat == 1:
                match.undo()
            beliefs += MatchOutlook(match, chances).beliefs
        believed[number] = beliefs
    assert believed[5][0] > believed[9][0]
    assert believed[9][2:].sum() > believed[5][2:].sum()


def test_level_5_is_beaten_from_drawn_openings_on_both_sides(table: Solution) -> None:
    even = even_openings(DIADEMA)
    results = [
        play_match(DIADEMA, level_player(10), fixed_player(5), n, 1, 4, even) for n in range(8)
    ]
    assert Counter(result.share for result in results)[1.0] >= 7
    assert all(result.share >= 0.5 for result in results)


def test_the_same_seed_chooses_the_same(table: Solution) -> None:
    match = random_match(DIADEMA, random.Random(8), 6)
    assert len({choose(match, 10, seed=5) for _time in range(5)}) == 1
    first = {choose(Match(DIADEMA), 10, seed=seed) for seed in range(12)}
    assert len(first) > 1  # the first moves are equal, and left to chance


def test_chances_come_from_their_file_and_are_worked_out_once(
    chances: WinningChances, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_chances(DIADEMA, chances)
    held = load_chances(DIADEMA)
    assert held
    for field in WinningChances._fields:
        assert np.array_equal(getattr(held, field), getattr(chances, field))
    monkeypatch.delattr(chances_module, "solve_chances")
    monkeypatch.delattr(chances_module, "load_chances")
    assert hardest_move(Match(DIADEMA), random.Random(1))
    assert winning_chances(DIADEMA) is chances


def test_openings_are_even_where_the_game_is_solved(table: Solution) -> None:
    even, chance = even_openings(DIADEMA), random.Random(1)
    for _opening in range(30):
        assert table.value(random_opening(DIADEMA, chance, 4, even).position) == DRAW
    assert even_openings(quinconce.game("buts")) is any_opening


def test_two_who_ask_at_once_do_not_wait_for_chances_that_are_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_start, may_end, solvers = threading.Event(), threading.Event(), list[threading.Thread]()

    class LateThread(threading.Thread):
        """A thread that a test lets start."""

        def start(self) -> None:
            until(may_start.is_set)
            super().start()

    def work_out(_game: Any) -> None:
        solvers.append(threading.current_thread())
        until(may_end.is_set)

    monkeypatch.setattr(chances_module, "IS_NATIVE", False)
    monkeypatch.setattr(chances_module, "FILE_SECONDS", 0)
    monkeypatch.setattr(chances_module, "solving_threads", {})
    monkeypatch.setattr(chances_module, "Thread", LateThread)
    monkeypatch.setattr(chances_module, "winning_chances", work_out)
    with ThreadPoolExecutor(2) as askers:
        answers = [askers.submit(chances_module.available_chances, DIADEMA) for _asker in range(2)]
        until(chances_module.solving_lock.locked)
        may_start.set()
        assert [answer.result() for answer in answers] == [None, None]
    until(lambda: solvers)
    may_end.set()
    assert [type(solver) for solver in solvers] == [LateThread]
