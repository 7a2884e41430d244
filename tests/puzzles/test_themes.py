"""Themes: each says what is true of the solution."""

from __future__ import annotations

import pytest

import quinconce
from quinconce.core.registry import game
from quinconce.puzzles.puzzle import HOLD, Puzzle, all_puzzles, puzzles_for
from quinconce.puzzles.themes import THEMES, dividing_themes, themes_of
from quinconce.words import Voice


def own_moves(puzzle: Puzzle) -> list[str]:
    """The moves of the solver; in a game of two, every other one."""
    return list(puzzle.line[::2])


@pytest.mark.parametrize("name", quinconce.names())
def test_the_themes_of_a_puzzle_are_true_by_its_notation(name: str) -> None:
    for puzzle in all_puzzles(name):
        themes = set(themes_of(puzzle))
        assert themes <= THEMES.keys()
        assert len(themes) == 4, puzzle.id  # one of each pair, and one length
        moves = own_moves(puzzle)
        assert ("save" in themes) == (puzzle.goal == HOLD)
        assert ("captures" in themes) == any("x" in move for move in moves), puzzle.id
        assert ("placing" in themes) == ("@" in moves[0]), puzzle.id
        length = {2: "moves-2", 3: "moves-3"}.get(len(moves), "moves-4")
        assert length in themes, puzzle.id


def test_only_themes_that_divide_are_offered() -> None:
    assert dividing_themes(puzzles_for(game("buts"))) == ("moves-2", "moves-3", "moves-4")
    assert set(dividing_themes(puzzles_for(game("diadema")))) == set(THEMES)
    assert dividing_themes(()) == ()


def test_every_theme_is_called_something_in_french() -> None:
    assert all(Voice("fr")(words) != str(words) for words in THEMES.values())
