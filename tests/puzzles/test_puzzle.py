"""The puzzle files: every one is whole and unlike the others, and many are solved again."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from brute_force import wins_within

import quinconce
from quinconce.core.claim import Claim
from quinconce.core.game import Game
from quinconce.core.option import options_text
from quinconce.core.registry import game
from quinconce.puzzles.oracle import oracle_for
from quinconce.puzzles.puzzle import (
    GRADES,
    HOLD,
    PUZZLE_FOLDER,
    WIN,
    Puzzle,
    all_puzzles,
    format_puzzles,
    games_with_puzzles,
    parse_puzzles,
    puzzle_id,
    puzzles_by_id,
    puzzles_for,
)
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.retrograde import solution

NAMES = quinconce.names()
FORMS = [rules for name in NAMES for rules in games_with_puzzles(name)]
WANTED = [
    ("diadema", {}, 500),
    ("diam", {}, 100),
    ("diam", {"edition": "1997"}, 100),
    ("seega", {}, 100),
    ("buts", {}, 100),
]
SHORT, LONG = 4, 2  # of a form, those that are solved again by a search of another kind


@cache
def sample(rules: Game[Any], plies: int, n: int) -> list[Puzzle]:
    """Some puzzles of a length, chosen by what they are."""
    found = [each for each in puzzles_for(rules) if each.goal == WIN and each.plies == plies]
    chance = random.Random(" ".join(each.id for each in found))
    return chance.sample(found, min(n, len(found)))


def shown(puzzle: Puzzle) -> str:
    return f"{puzzle.game!r} {puzzle.id}"


@pytest.mark.parametrize(("name", "options", "least"), WANTED)
def test_there_are_enough(name: str, options: dict[str, str], least: int) -> None:
    found = puzzles_for(game(name, **options))
    assert len(found) >= least
    assert len({puzzle.grade for puzzle in found}) >= 3
    assert max(each.plies for each in found) >= 7
    grades = [(puzzle.grade, puzzle.plies) for puzzle in found]
    assert grades == sorted(grades)  # from easy to hard


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_written_as_it_is_read(name: str) -> None:
    text = (PUZZLE_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert format_puzzles(parse_puzzles(name, text)) == text


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_no_two_are_the_same_whichever_way_the_board_is_turned(rules: Game[Any]) -> None:
    found = puzzles_for(rules)
    # A name is made of the one symmetric position that all of them share.
    assert all(puzzle.id == puzzle_id(rules, puzzle.position) for puzzle in found)
    assert len({puzzle.id for puzzle in found}) == len(found)
    for puzzle in found[::20]:
        images = {turned.image(puzzle.position) for turned in rules.symmetries()}
        assert len({puzzle_id(rules, image) for image in list(images)[:4]}) == 1


def test_every_puzzle_has_a_name_of_its_own() -> None:
    assert len(puzzles_by_id()) == sum(len(all_puzzles(name)) for name in NAMES)


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_every_solution_is_played_to_its_goal(rules: Game[Any]) -> None:
    for puzzle in puzzles_for(rules):
        match = puzzle.match(puzzle.line)
        outcome = match.outcome()
        assert len(puzzle.line) == puzzle.plies >= 3, shown(puzzle)
        assert len(rules_moves(puzzle)) > 1, shown(puzzle)
        assert puzzle.alone is None or puzzle.alone >= puzzle.plies
        if puzzle.goal == WIN:
            assert outcome, shown(puzzle)
            assert puzzle.side in map(rules.side, outcome.winners), shown(puzzle)
        else:
            assert not outcome, shown(puzzle)


def rules_moves(puzzle: Puzzle) -> dict[str, Any]:
    return dict(puzzle.game.moves(puzzle.position))


@pytest.mark.parametrize("rules", [each for each in FORMS if solution(each)], ids=repr)
def test_where_the_game_is_solved_every_first_move_is_the_only_one(rules: Game[Any]) -> None:
    table = solution(rules)
    assert table
    for puzzle in puzzles_for(rules):
        assert puzzle.alone is None
        good = {"win"} if puzzle.goal == WIN else {"win", "draw"}
        worths = table.move_values(puzzle.position)
        assert [text for text in worths if worths[text].result in good] == [puzzle.line[0]]
        if puzzle.goal == WIN:
            assert worths[puzzle.line[0]] == ("win", puzzle.plies)
        else:
            assert worths[puzzle.line[0]].result == "draw"
            match = puzzle.match()
            for ply, text in enumerate(puzzle.line):
                holding = [
                    other
                    for other, worth in table.move_values(match.position).items()
                    if worth.result != "loss"
                ]
                assert ply % 2 or holding == [text], shown(puzzle)
                match.play(text)


@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_short_ones_are_solved_again_by_the_plain_rules(rules: Game[Any]) -> None:
    found = sample(rules, 3, SHORT)
    assert len(found) == SHORT
    for puzzle in found:
        winning = [
            text
            for text, after in puzzle.game.moves(puzzle.position)
            if wins_within(rules, after, puzzle.side, puzzle.plies - 1)
        ]
        assert winning == [puzzle.line[0]], shown(puzzle)
        assert not wins_within(rules, puzzle.position, puzzle.side, puzzle.plies - 1), shown(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("plies", [5, 7])
@pytest.mark.parametrize("rules", FORMS, ids=repr)
def test_longer_ones_are_solved_again_at_full_width(rules: Game[Any], plies: int) -> None:
    """By a search that tries every move in turn, and has nothing in common but the kernel."""
    found = sample(rules, plies, LONG)
    assert found
    for puzzle in found:
        side, position = puzzle.side, puzzle.position
        assert not Prover(Claim(rules, position, side, plies - 1), 8).run(wide=True), shown(puzzle)
        winning = [
            text
            for text, after in rules.moves(position)
            if Prover(Claim(rules, after, side, plies - 1), 8).run(wide=True)
        ]
        assert winning == [puzzle.line[0]], shown(puzzle)


def test_only_where_draws_are_known_one_holds_them() -> None:
    for name in NAMES:
        for puzzle in all_puzzles(name):
            assert puzzle.goal == WIN or oracle_for(puzzle.game).complete
    assert sum(puzzle.goal == HOLD for puzzle in puzzles_by_id().values()) >= 50


def test_the_page_about_them_counts_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text(encoding="utf-8")
    for rules in FORMS:
        found = puzzles_for(rules)
        grades = Counter(puzzle.grade for puzzle in found)
        counts = " | ".join(str(grades[grade]) for grade in range(1, GRADES + 1))
        longest = max(puzzle.plies for puzzle in found)
        called = f"{rules.name} {options_text(rules.chosen)}".strip()
        assert f"| `{called}` | {len(found)} | {counts} | {longest} |" in page


GOOD = "abcdefgh 1 win 3 5 | @A @B @C | ......./....... turn=0"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "is not a puzzle"),
        (GOOD.replace("win", "lose"), "is not a puzzle"),
        (GOOD.replace(" 3 ", " x "), "is not a puzzle"),
        (GOOD.replace(" 3 ", " 2 "), "is not a puzzle"),
        (GOOD.replace(" 5 ", " ? "), "is not a puzzle"),
        (GOOD.replace("@A @B @C", ""), "is not a puzzle"),
        (GOOD.replace("h 1", "h 4"), "the grade is 1, not 4"),
        (GOOD.replace("turn=0", "turn=7"), "turn is 7"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(line: str, why: str) -> None:
    assert next(parse_puzzles("diadema", f"form\n{GOOD}")).plies == 3
    with pytest.raises(ValueError, match="line 2: .*" + why):
        list(parse_puzzles("diadema", f"form\n{line}"))
    with pytest.raises(ValueError, match="line 1: the form of the game is missing"):
        list(parse_puzzles("diadema", GOOD))
    with pytest.raises(ValueError, match=r"line 1: .*edition"):
        list(parse_puzzles("diam", "form edition=1812"))
