"""What a wrong move is answered with, and hints: both lead where they say."""

from __future__ import annotations

import random
from typing import Any

import pytest

import quinconce
from quinconce.core.game import Game
from quinconce.core.registry import game
from quinconce.puzzles.judge import judge_move
from quinconce.puzzles.messages import find_hint, hint_move, refutation_message
from quinconce.puzzles.oracle import oracle_for
from quinconce.puzzles.puzzle import HOLD, WIN, Puzzle, games_with_puzzles, puzzles_for

FORMS = [rules for name in quinconce.names() for rules in games_with_puzzles(name)]
WRONG = ("slow", "late", "wrong")


def wrong_moves(puzzle: Puzzle, n: int) -> list[str]:
    others = [text for text in puzzle.match().legal() if text != puzzle.line[0]]
    return random.Random(puzzle.id).sample(others, min(n, len(others)))


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_after_the_reply_to_a_wrong_move_the_goal_is_missed(rules: Game[Any]) -> None:
    certain = oracle_for(rules)
    for puzzle in puzzles_for(rules)[:3]:
        for move in wrong_moves(puzzle, 3):
            answer = judge_move(puzzle, [move])
            assert answer.verdict in WRONG
            assert answer.moves == ()
            assert answer.refutation[0] == move
            told = refutation_message(puzzle, answer)
            assert told
            match = puzzle.match(answer.refutation)
            if outcome := match.outcome():
                assert puzzle.side not in map(rules.side, outcome.winners)
                continue
            assert len(match.moves) == 2
            assert match.moves[1] in told
            certain.reset_allowance()
            left = puzzle.plies - len(match.moves)
            assert not certain.wins_within(match.position, puzzle.side, left)


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_a_last_move_that_does_not_win_is_answered_too(rules: Game[Any]) -> None:
    puzzle = puzzles_for(rules)[0]
    before = puzzle.line[: puzzle.plies - 1]
    for move in [text for text in puzzle.match(before).legal() if text != puzzle.line[-1]][:6]:
        answer = judge_move(puzzle, [*before, move])
        if answer.verdict not in WRONG:
            continue
        assert answer.moves == before
        assert answer.refutation[: puzzle.plies] == (*before, move)
        assert refutation_message(puzzle, answer)


def test_a_reply_that_wins_at_once_is_preferred_and_told() -> None:
    found = 0
    for puzzle in puzzles_for(game("diadema"))[:12]:
        for move in wrong_moves(puzzle, 4):
            answer = judge_move(puzzle, [move])
            after = puzzle.match([move])
            wins = [
                text
                for text, position in after.legal().items()
                if (over := puzzle.game.outcome(position)) and over.winners == (after.seat,)
            ]
            if wins:
                found += 1
                assert answer.refutation[-1] in wins
                assert str(refutation_message(puzzle, answer)).endswith("and wins.")
    assert found >= 3


def test_a_lost_draw_is_refuted_by_a_reply_that_wins() -> None:
    rules = game("diadema")
    puzzle = next(each for each in puzzles_for(rules) if each.goal == HOLD)
    (move,) = wrong_moves(puzzle, 1)
    answer = judge_move(puzzle, [move])
    assert answer.verdict == "wrong"
    match = puzzle.match(answer.refutation)
    assert match.outcome() or not oracle_for(rules).holds(match.position, puzzle.side)


def test_a_right_move_has_no_refutation() -> None:
    puzzle = puzzles_for(game("diam"))[0]
    answer = judge_move(puzzle, puzzle.line[:1])
    assert answer.refutation == ()
    assert refutation_message(puzzle, answer) is None


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_a_hint_is_a_move_that_keeps_the_goal(rules: Game[Any]) -> None:
    puzzle = puzzles_for(rules)[0]
    moves: tuple[str, ...] = ()
    while True:
        answer = judge_move(puzzle, [*moves, hint_move(puzzle, moves)])
        assert answer.verdict in ("right", "solved")
        moves = answer.moves
        if answer.verdict == "solved":
            break
    with pytest.raises(ValueError, match="not for you"):
        hint_move(puzzle, moves)


def test_a_hint_is_found_beside_the_stored_line_too() -> None:
    """Another reply than the stored one: the next move is looked for."""
    puzzle = next(each for each in puzzles_for(game("diadema")) if each.goal == WIN)
    first = puzzle.line[0]
    reply = next(text for text in puzzle.match([first]).legal() if text != puzzle.line[1])
    move = find_hint(puzzle.id, (first, reply))
    assert judge_move(puzzle, [first, reply, move]).verdict in ("right", "solved")
    (wrong,) = wrong_moves(puzzle, 1)
    lost = (wrong, *judge_move(puzzle, [wrong]).refutation[1:])
    with pytest.raises(ValueError, match=r"no move keeps|not for you"):
        hint_move(puzzle, lost)
