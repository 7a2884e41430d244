"""The puzzle of the day: one for a date, whoever asks and whenever; none twice in a round."""

from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import pytest

import quinconce
from quinconce.core.game import Game
from quinconce.puzzles.puzzle import daily_puzzle, games_with_puzzles, puzzles_for, today

FORMS = [rules for name in quinconce.names() for rules in games_with_puzzles(name)]
DAY = datetime.date(2026, 11, 17)


def puzzle_ids(rules: Game[Any], first: datetime.date, days: int) -> list[str]:
    found = [daily_puzzle(rules, first + datetime.timedelta(days=n)) for n in range(days)]
    return [puzzle.id for puzzle in found if puzzle]


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_every_puzzle_has_its_day_before_one_comes_again(rules: Game[Any]) -> None:
    every = {puzzle.id for puzzle in puzzles_for(rules)}
    n = len(every)
    first = datetime.date.fromordinal(n * (DAY.toordinal() // n))
    found = puzzle_ids(rules, first, n)
    assert set(found) == every
    assert len(found) == n
    assert puzzle_ids(rules, first + datetime.timedelta(days=n), n) != found


@pytest.mark.process
def test_another_process_finds_the_same() -> None:
    """Python's own hashes differ from process to process."""
    code = (
        "import datetime; from quinconce.core.registry import game;"
        "from quinconce.puzzles.puzzle import daily_puzzle;"
        f"print(daily_puzzle(game('diadema'), datetime.date.fromordinal({DAY.toordinal()})).id)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [told.stdout.strip()] == puzzle_ids(quinconce.game("diadema"), DAY, 1)


def test_a_form_without_puzzles_has_none_of_the_day() -> None:
    assert daily_puzzle(quinconce.game("seega", size=9), DAY) is None


def test_today_is_the_date_in_utc() -> None:
    before = datetime.datetime.now(datetime.UTC).date()
    assert before <= today() <= datetime.datetime.now(datetime.UTC).date()
