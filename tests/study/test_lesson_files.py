"""Files of lessons: what they may hold, and errors that name file and line."""

from __future__ import annotations

import re

import pytest

from quinconce.study.lesson_files import parse_lessons, parse_words

LESSONS = """# a comment
lesson: basics
options: edition=2003

step: place
teaches: place colours
moves: r@1 m@3
refused: 1.1-3
task: like *@3
answer: r@3
reply: n@6

step: win
position: mr../..../o.../..../n.../..../..../.... turn=0
task: wins, only
answer: r@5
"""
WORDS = """# basics: The basics

## place: A pawn

Words that go on
on a second line.

Do it.

hint: Here.

done: Well.

## win: A diam

Two pawns.

Win.

hint: There.

done: Won.
"""


def test_positions_and_words_are_read() -> None:
    (lesson,) = parse_lessons("diam", LESSONS, "diam.txt")
    place, win = lesson.steps
    assert (place.id, place.moves, place.answer) == ("place", ("r@1", "m@3"), "r@3")
    assert (place.replies, place.refused) == (("n@6",), ("1.1-3",))
    assert place.teaches == ("place", "colours")
    assert win.task.unique
    assert not place.task.unique
    words = parse_words((lesson,), WORDS, "diam.en.md")
    assert words.titles == {"basics": "The basics"}
    assert words.steps["place"].text == "Words that go on on a second line."
    assert words.steps["win"] == ("A diam", "Two pawns.", "Win.", "There.", "Won.")


def test_a_hint_may_be_missing() -> None:
    (lesson,) = parse_lessons("diam", LESSONS, "diam.txt")
    words = parse_words((lesson,), WORDS.replace("hint: Here.\n\n", ""), "diam.en.md")
    assert words.steps["place"].hint == ""
    assert words.steps["place"].done == "Well."


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("step: place", "stop: place", 5, "has no place here"),
        ("step: place", "step place", 5, "has no place here"),
        ("step: place", "step:", 5, "has no place here"),
        ("step: win", "step: place", 13, "not a new one"),
        ("step: win", "step: Win!", 13, "is not an id"),
        ("lesson: basics\n", "", 2, "nothing has begun"),
        ("lesson: basics\noptions: edition=2003\n", "", 3, "before the first lesson"),
        ("options: edition=2003", "options: edition=2004", 3, "2004"),
        ("options: edition=2003", "options: edition", 3, "key=value"),
        ("options: edition=2003", "moves: r@1", 3, "has no place here"),
        ("teaches: place colours", "moves: r@1", 7, "has no place here"),
        ("moves: r@1 m@3", "moves: r@1 m@9", 7, "not a move of this game"),
        ("moves: r@1 m@3", "moves: r@1 r@3", 7, "not yours"),
        ("refused: 1.1-3", "refused: 1.1-2", 8, "1.1-2 is not refused"),
        ("task: like *@3", "task: dances", 9, "there is no condition 'dances'"),
        ("task: like *@3", "task: like", 9, "like needs moves"),
        ("task: like *@3", "task: wins 3", 9, "is not a condition"),
        ("task: like *@3", "task: safe 2", 9, "is not a condition"),
        ("task: like *@3", "task: captures none", 9, "is not a condition"),
        ("task: like *@3", "task: only", 9, "asks for nothing"),
        ("task: like *@3", "task: wins,", 9, "an empty condition"),
        ("task: like *@3\n", "", 5, "the step has no task"),
        ("answer: r@3\n", "", 5, "the step has no answer"),
        ("answer: r@3", "answer: r@4", 10, "r@4 does not do the task"),
        ("answer: r@3", "answer: m@3", 10, "not yours"),
        ("reply: n@6", "reply: r@6", 11, "no reply is legal"),
        ("reply: n@6", "claim: great", 11, "is not a claim"),
        ("turn=0", "turn=7", 14, "turn is 7"),
        ("position: mr../", "position: .r../", 14, "floats"),
        ("answer: r@5\n", "answer: r@5\nlesson: more\n", 17, "has no steps"),
    ],
)
def test_a_malformed_file_is_told_with_its_line(old: str, new: str, line: int, why: str) -> None:
    assert old in LESSONS
    with pytest.raises(ValueError, match=re.escape(why)) as caught:
        parse_lessons("diam", LESSONS.replace(old, new, 1), "diam.txt")
    assert str(caught.value).startswith(f"diam.txt, line {line}: ")


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("# basics: The basics\n", "", 2, "# basics: should stand here"),
        ("# basics: The basics", "Hello.", 1, "a heading should stand here"),
        ("# basics: The basics\n", "# basics: The basics\n\nHello.\n", 3, "belongs to no step"),
        ("## place: A pawn", "## plaice: A pawn", 3, "## place: should stand here"),
        ("## place: A pawn", "## place", 3, "## place: should stand here"),
        ("## place: A pawn", "# place: A pawn", 3, "## place: should stand here"),
        ("Do it.\n\n", "", 8, "the text or the task is missing"),
        ("hint: Here.", "Here.", 10, "'hint: ' should stand here"),
        ("done: Well.", "Well.", 12, "'done: ' should stand here"),
        ("done: Won.", "done: Won.\n\nMore.", 14, "a step has"),
        ("done: Won.", "done: Won.\n\n## more: More", 24, "there is no such step"),
        (WORDS[WORDS.index("## win") :], "", 13, "## win is missing"),
        ("Two pawns.", "word " * 40, 16, "41 words, more than 40"),
    ],
)
def test_malformed_words_are_told_with_their_line(old: str, new: str, line: int, why: str) -> None:
    assert old in WORDS
    lessons = parse_lessons("diam", LESSONS, "diam.txt")
    with pytest.raises(ValueError, match=re.escape(why)) as caught:
        parse_words(lessons, WORDS.replace(old, new, 1), "diam.en.md")
    assert str(caught.value).startswith(f"diam.en.md, line {line}: ")
