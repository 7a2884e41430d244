"""Solving: right and wrong moves, replies that last, and puzzles that are looked for."""

from __future__ import annotations

from typing import Any

import pytest

import quinconce
from quinconce.core.errors import MoveError
from quinconce.core.game import Game
from quinconce.core.registry import game
from quinconce.puzzles.judge import judge_move
from quinconce.puzzles.messages import goal_message, uniqueness_message, verdict_message
from quinconce.puzzles.miner import Miner
from quinconce.puzzles.oracle import EndgameOracle, Oracle, TooHardError
from quinconce.puzzles.puzzle import HOLD, WIN, Puzzle, games_with_puzzles, puzzles_for

FORMS = [rules for name in quinconce.names() for rules in games_with_puzzles(name)]


def some(rules: Game[Any]) -> list[Puzzle]:
    """The first of every length that is quickly judged."""
    lengths = {each.plies: each for each in reversed(puzzles_for(rules)) if each.plies <= 7}
    return list(lengths.values())


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_the_solution_solves_and_the_replies_are_those_that_last(rules: Game[Any]) -> None:
    for puzzle in some(rules):
        moves: tuple[str, ...] = ()
        while len(moves) < puzzle.plies:
            answer = judge_move(puzzle, (*moves, puzzle.line[len(moves)]))
            moves = answer.moves
            assert moves == puzzle.line[: len(moves)]
        assert answer.verdict == "solved"
        assert str(verdict_message(puzzle, answer)) == "Solved!"


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_every_other_first_move_is_refused(rules: Game[Any]) -> None:
    puzzle = puzzles_for(rules)[0]
    for text, _after in rules.moves(puzzle.position):
        answer = judge_move(puzzle, (text,))
        if text == puzzle.line[0]:
            assert answer.verdict == "right"
            assert f"The opponent plays {answer.moves[1]}" in verdict_message(puzzle, answer)
        else:
            assert answer.verdict in ("wrong", "late", "slow")
            assert answer.moves == ()
            assert "win" in verdict_message(puzzle, answer)


def test_another_way_to_win_in_time_is_right_too() -> None:
    """Not the stored solution alone: what still wins within the plies that are left."""
    met = 0
    for puzzle in puzzles_for(game("diam")):
        match = puzzle.match(puzzle.line[:2])
        if puzzle.plies == 3 and not match.outcome():
            for text, after in match.legal().items():
                outcome = puzzle.game.outcome(after)
                wins = bool(outcome and puzzle.side in map(puzzle.game.side, outcome.winners))
                answer = judge_move(puzzle, (*puzzle.line[:2], text))
                assert (answer.verdict == "solved") == wins
                met += wins and text != puzzle.line[2]
    assert met


def test_a_slower_win_is_told_from_none() -> None:
    verdicts = set()
    for puzzle in [each for each in puzzles_for(game("diadema")) if each.plies == 9][:10]:
        for text in puzzle.match(puzzle.line[:2]).legal():
            answer = judge_move(puzzle, (*puzzle.line[:2], text))
            verdicts.add(answer.verdict)
            if answer.verdict not in ("right", "solved"):
                assert answer.moves == puzzle.line[:2]
    assert verdicts >= {"right", "slow", "wrong"}


def test_who_holds_may_hold_otherwise_but_not_lose() -> None:
    puzzle = next(each for each in puzzles_for(game("diadema")) if each.goal == HOLD)
    wrong = next(text for text in puzzle.match().legal() if text != puzzle.line[0])
    answer = judge_move(puzzle, (wrong,))
    assert answer.verdict == "wrong"
    assert verdict_message(puzzle, answer) == "That loses."
    assert "Save the draw" in goal_message(puzzle)
    assert uniqueness_message(puzzle) == "Every other first move loses."


def test_the_goal_is_told_in_words() -> None:
    puzzle = next(each for each in puzzles_for(game("diadema")) if each.goal == WIN)
    assert goal_message(puzzle).endswith(". Win in 2 moves.")
    assert uniqueness_message(puzzle) == "No other first move wins."
    puzzle = next(each for each in puzzles_for(game("diam")) if each.alone == 5)
    assert uniqueness_message(puzzle) == "No other first move wins within 3 moves."


def test_nonsense_is_refused() -> None:
    puzzle = puzzles_for(game("diam"))[0]
    with pytest.raises(ValueError, match="play a move"):
        judge_move(puzzle, ())
    with pytest.raises(MoveError):
        judge_move(puzzle, ("nonsense",))
    with pytest.raises(ValueError, match="not that long"):
        judge_move(puzzle, ("r@1",) * (puzzle.plies + 1))
    with pytest.raises(ValueError, match="not for you"):
        judge_move(puzzle, puzzle.line[:2])


def test_what_takes_too_long_is_not_guessed() -> None:
    rules = game("diam")
    impatient = Oracle(rules, slices=1)
    with pytest.raises(TooHardError, match="too long"):
        impatient.wins_within(rules.start(), 0, 25)
    hasty = Oracle(rules)
    hasty.nodes_left = 1
    with pytest.raises(TooHardError, match="too long"):
        hasty.wins_within(rules.start(), 0, 25)
    hasty.reset_allowance()
    assert not hasty.wins_within(rules.start(), 0, 5)
    with pytest.raises(TooHardError):
        impatient.holds(rules.start(), 0)


def test_endings_tell_whether_another_move_ever_wins() -> None:
    rules = game("seega")
    known = EndgameOracle(rules)
    won = rules.read("wb.../.w.../...../...../..... turn=0 phase=2 duty=0")
    assert known.ever_wins(won, 0) is known.wins_within(won, 0, 3)
    assert known.ever_wins(won, 1) is False
    over = rules.read("ww.../...../...../...../..... turn=1 phase=2 duty=0")
    assert (known.ever_wins(over, 0), known.ever_wins(over, 1)) == (True, False)
    full = rules.read("wwwww/..bbb/...../...../..... turn=0 phase=2 duty=0")
    assert known.ever_wins(full, 0) is None


@pytest.mark.slow
def test_puzzles_are_found_and_the_same_again() -> None:
    rules = game("diadema")
    found = [Miner(rules, 4, seed=3), Miner(rules, 4, seed=3)]
    for mine in found:
        assert len(list(mine.mine())) == 4
        assert max(mine.kind_counts.values()) <= 2  # not all of one kind
    assert found[0].by_difficulty() == found[1].by_difficulty()
    for puzzle in found[0].by_difficulty():
        assert judge_move(puzzle, puzzle.line[:1]).verdict == "right"
