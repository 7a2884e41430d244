"""Trees of variations: changed, written in records, read back, and refused where they must be."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quinconce
from quinconce import Game, Match, MoveError, Record, RecordError, Variations
from quinconce.core.movetext import join_lines, unescape_note
from quinconce.core.variations import MARKS, MAX_NODES, MAX_NOTE_LENGTH, Node

PLAYED = ("@A", "@D", "@1", "@E", "@2", "@F", "@C")
BACK_AND_FORTH = ("G2-G1", "B1-A1", "G1-G2", "A1-B1")
TEXT = r"""[Format "quinconce 2"]
[Game "diadema"]
[Rules "1"]
[Options ""]
[Result "0"]
[Reason "line"]
[Digest "ada07400"]

{A short game.}
1. @A $1 {the middle of \{three\} lines} @D
2. @1 @E
(2... @B $6 3. @C {or this}
(3. @3 $4))
(2... @G)
3. @2 $3 @F
4. @C
0
"""


def played() -> Match[Any]:
    match = Match(quinconce.game("diadema"))
    for move in PLAYED:
        match.play(move)
    return match


def annotated() -> Record:
    """The match above with variations, notes and marks."""
    match = played()
    tree = Variations.of(match)
    tree.root.note = "A short game."
    line = tree.main_line()
    line[0].mark, line[0].note = "!", "the middle of {three} lines"
    line[4].mark = "!!"
    after = tree.play(line[2], "@B")
    after.mark = "?!"
    tree.play(after, "@C").note = "or this"
    tree.play(after, "@3").mark = "??"
    tree.play(line[2], "@G")
    return Record.of(match, variations=tree)


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        Record.read(text)
    return error.value


def random_tree(game: Game[Any], chance: random.Random, size: int) -> Variations:
    """A tree that grows anywhere, with marks and notes here and there."""
    tree = Variations(game)
    nodes = [tree.root]
    for _try in range(size):
        node = chance.choice(nodes[-8:] if chance.random() < 0.8 else nodes)
        match = tree.match_at(node)
        moves = [move for move, _after in islice(game.moves(match.position), 200)]
        if match.outcome() or not moves:
            continue
        new = tree.play(node, chance.choice(moves))
        new.mark = chance.choice(MARKS)
        new.note = chance.choice(["", "", "note", 'two\nlines } { \\n \\ ( ) $1 "*" 1.'])
        if new not in nodes:
            nodes.append(new)
    return tree


def record_of(tree: Variations) -> Record:
    return Record.of(
        tree.match_at(tree.root.line()[-1] if len(tree) else tree.root), (), None, tree
    )


def test_a_record_with_variations_is_written_like_this() -> None:
    assert annotated().text() == TEXT.replace(r"\{three\}", r"{three\}")


def test_what_is_written_is_read_back_to_the_same_tree() -> None:
    record = annotated()
    for text in (record.text(), record.json_text()):
        again = Record.read(text)
        assert again == record
        assert again.variations == record.variations
        assert (again.text(), again.json_text()) == (record.text(), record.json_text())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("buts", {}),
        ("diadema", {}),
        ("diam", {}),
        ("diam", {"players": 3}),
        ("diam", {"edition": 1997, "players": 4}),
        ("seega", {}),
        ("seega", {"size": 9, "reach": "step", "chain": "optional", "blocked": "remove"}),
    ],
)
def test_random_trees_of_every_game_are_read_back(name: str, options: dict[str, Any]) -> None:
    game = quinconce.game(name, **options)
    chance = random.Random(game.form_id)
    for size in (1, 5, 40):
        record = record_of(random_tree(game, chance, size))
        assert Record.read(record.text()) == record
        assert Record.read(json.dumps(record.json())) == record


@settings(max_examples=60, deadline=None)
@given(notes=st.lists(st.text(), min_size=4, max_size=4), seed=st.integers(0, 2**32))
def test_any_note_is_kept(notes: list[str], seed: int) -> None:
    tree = random_tree(quinconce.game("diadema"), random.Random(seed), 12)
    for node, note in zip([tree.root, *tree.nodes()], notes, strict=False):
        node.note = note
    record = record_of(tree)
    for text in (record.text(), record.json_text()):
        again = Record.read(text)
        assert again == record
        assert again.variations == record.variations


def test_the_twin_is_flat_and_its_moves_are_the_main_line() -> None:
    twin = annotated().json()
    assert (twin["format"], twin["note"], twin["moves"]) == (
        "quinconce 2",
        "A short game.",
        list(PLAYED),
    )
    note = "the middle of {three} lines"
    assert twin["nodes"][0] == {"after": -1, "move": "@A", "mark": "!", "note": note}
    assert [(node["after"], node["move"]) for node in twin["nodes"]] == [
        (-1, "@A"),
        (0, "@D"),
        (1, "@1"),
        (2, "@E"),
        (2, "@B"),
        (4, "@C"),
        (4, "@3"),
        (2, "@G"),
        (3, "@2"),
        (8, "@F"),
        (9, "@C"),
    ]


def test_a_record_without_variations_is_written_as_before() -> None:
    plain = Record.of(played())
    same = Record.of(played(), variations=Variations.of(played()))
    assert same == plain
    assert (same.variations, same.format) == (None, "quinconce 1")
    assert same.text() == plain.text()
    assert "nodes" not in same.json()
    empty = plain.text().replace("quinconce 1", "quinconce 2")
    assert Record.read(empty) == plain  # a tree that says nothing more


def test_the_digest_is_that_of_the_main_line() -> None:
    assert annotated().json()["digest"] == Record.of(played()).json()["digest"]


def test_a_record_by_hand_may_be_untidy() -> None:
    by_hand = (
        '[Format "quinconce 2"]\r\n[Game "diadema"]\r\n\r\n{before} {the start}\r\n@A{one\r\n  two}'
        "(  {else}1.@B)(1. @B $1 {more} @C ( @D))@D\r\n*\r\n"
    )
    with pytest.raises(RecordError, match=r"'1\.@B'"):
        Record.read(by_hand)
    record = Record.read(by_hand.replace("1.@B", "1. @3"))
    tree = record.variations
    assert tree is not None
    assert record.moves == ("@A", "@D")
    assert tree.root.note == "before\nthe start"
    assert [(node.move, node.note) for node in tree.root.children] == [
        ("@A", "one two"),
        ("@3", "else"),
        ("@B", "more"),
    ]
    assert [node.move for node in tree.root.children[2].children] == ["@C", "@D"]


@pytest.mark.parametrize(
    ("old", "new", "line", "move", "why"),
    [
        ("(2... @G)", "(2... @A)", 14, 4, "A is not empty"),
        ("(3. @3 $4))", "(3. @B $4))", 13, 5, "B is not empty"),
        ("(2... @G)", "(2... G)", 14, 4, "not a move of"),
        ("(2... @G)", "(2... @E)", None, None, "'@E' stands twice in one place"),
        ("(2... @G)", "()", 14, 3, "a variation has no move"),
        ("(2... @G)", "(2... @G", 14, 4, "the variation that begins here does not end"),
        ("(2... @G)", "(2... @G))", 14, 4, "a parenthesis closes nothing"),
        ("(2... @G)", "((2... @G))", 14, 3, "in whose place it stands"),
        ("4. @C\n", "4. @C {open\n", 16, 7, "the note that begins here does not end"),
        ("4. @C\n", "4. @C open}\n", 16, 8, "a brace closes nothing"),
        ("$4", "$7", 13, 5, "'$7' is no mark"),
        ("$4", "$0", 13, 5, "is no mark"),
        ("$4", "$" + "9" * 500, 13, 5, "is no mark"),
        ("$4", "$4 $4", 13, 5, "would be another"),
        ("1. @A", "$1 1. @A", 10, 0, "$1 follows no move"),
        ("\n0\n", "\n0 {late}\n", 17, 7, "follows the result"),
        ("\n0\n", "\n(*)\n0\n", 17, 7, "not a move of"),
        ("@3 $4", "@3 " * 2, 13, 6, "3 is not empty"),
        ("{or this}", "{" + "x" * 3000 + "}", 12, 5, "at most 2,000 characters"),
        ("$3 @F", "$3 @G", 7, None, "Digest"),
    ],
)
def test_an_error_names_the_line_and_the_move(
    old: str, new: str, line: int | None, move: int | None, why: str
) -> None:
    assert old in TEXT
    error = refused(TEXT.replace(old, new, 1))
    assert why in str(error)
    if line is not None:
        assert (error.line, error.move) == (line, move)


def test_variations_need_their_format() -> None:
    error = refused(TEXT.replace("quinconce 2", "quinconce 1"))
    assert (error.line, error.move) == (9, 1)
    assert 'need the header [Format "quinconce 2"]' in str(error)


def test_the_moves_after_the_end_of_a_game_are_refused_in_a_variation() -> None:
    after_end = TEXT.replace("4. @C", "4. @B (4. @C @G)").replace('"0"', '"*"')
    after_end = after_end.replace('[Reason "line"]\n', "").replace("\n0\n", "\n*\n")
    error = refused(after_end.replace('[Digest "ada07400"]\n', ""))
    assert error.move == 8
    assert "over" in str(error)


@pytest.mark.parametrize("cut", range(0, len(TEXT.rstrip()), 3))
def test_a_truncated_record_is_refused(cut: int) -> None:
    assert refused(TEXT[:cut])


@pytest.mark.parametrize(
    "nodes",
    [
        None,
        {},
        [1],
        [[]],
        [{"after": -1}],
        [{"after": 0, "move": "@A"}],
        [{"after": -2, "move": "@A"}],
        [{"after": True, "move": "@A"}],
        [{"after": -1.0, "move": "@A"}],
        [{"after": -1, "move": 1}],
        [{"after": -1, "move": "@A", "mark": "!!!"}],
        [{"after": -1, "move": "@A", "mark": None}],
        [{"after": -1, "move": "@A", "note": 3}],
        [{"after": -1, "move": "@A", "more": 3}],
        [{"after": -1, "move": "@A"}, {"after": -1, "move": "@A"}],
        [{"after": -1, "move": "@A"}],
        [],
    ],
)
def test_a_twin_with_wrong_nodes_is_refused(nodes: Any) -> None:
    assert refused(json.dumps(annotated().json() | {"nodes": nodes}))


def test_half_a_character_is_refused() -> None:
    twin = annotated().json()
    twin["nodes"][3]["note"] = "\ud800"
    assert "is not a note" in str(refused(json.dumps(twin)))


def test_an_illegal_move_in_the_twin_is_named_by_its_number() -> None:
    twin = annotated().json()
    twin["nodes"][5]["move"] = "@D"
    error = refused(json.dumps(twin))
    assert (error.line, error.move) == (None, 5)


def test_a_twin_of_the_plain_format_has_no_nodes() -> None:
    twin = annotated().json() | {"format": "quinconce 1"}
    assert "is no part of a record" in str(refused(json.dumps(twin)))


def test_branches_are_promoted_and_deleted() -> None:
    tree = annotated().variations
    assert tree is not None
    assert [node.move for node in tree.branches()] == ["@B", "@3", "@G"]
    tree.promote(tree.branches()[0])
    assert [node.move for node in tree.main_line()] == ["@A", "@D", "@1", "@B", "@C"]
    assert [node.move for node in tree.branches()] == ["@E", "@G", "@3"]
    tree.delete(tree.branches()[0])
    assert (len(tree), tree.note_count()) == (7, 3)
    tree.promote(tree.root)
    with pytest.raises(ValueError, match="cannot be deleted"):
        tree.delete(tree.root)


def test_an_illegal_move_is_not_played() -> None:
    tree = Variations.of(played())
    second = tree.main_line()[1]
    with pytest.raises(MoveError):
        tree.play(second, "@B", "@A")
    assert tree.is_plain()
    assert tree.play(second, "@1") is tree.main_line()[2]
    assert tree.match_at(second).moves == ["@A", "@D"]


@pytest.mark.parametrize("move", ["", "a b", "(", "a)", "{}", None])
def test_a_text_that_is_no_move_is_not_added(move: Any) -> None:
    tree = Variations(quinconce.game("diadema"))
    with pytest.raises(ValueError, match="is not the text of a move"):
        tree.add(tree.root, move)


@given(st.text(alphabet="ab \t\r\n\x0b\x1c\u2028\xa0"))
def test_lines_that_were_broken_by_hand_are_joined_by_one_space(text: str) -> None:
    assert join_lines(text) == re.sub(r"\s*\n\s*", " ", text)


def test_a_note_of_blanks_and_line_ends_is_read_at_one_look() -> None:
    # A pattern that begins with space looks at 10 ** 10 pairs of places here.
    assert unescape_note("a" + "\n \r" * 30_000 + " " * 100_000 + "b") == "a b"


def test_notes_of_one_move_are_refused_as_soon_as_they_are_too_long() -> None:
    error = refused(TEXT.replace("{or this}", "{note}" * 100_000, 1))
    assert (error.line, error.move) == (12, 5)
    assert "at most 2,000 characters" in str(error)


def test_marks_and_notes_are_checked_when_they_are_set() -> None:
    node = Node("@A", Node())
    with pytest.raises(ValueError, match="is not a mark"):
        node.mark = "!!!"
    with pytest.raises(ValueError, match="is not a mark"):
        Node().mark = "!"
    with pytest.raises(ValueError, match="at most"):
        node.note = "x" * (MAX_NOTE_LENGTH + 1)
    node.note = " a\r\nb\r "
    assert node.note == "a\nb"


def test_a_record_takes_only_variations_of_its_own_moves() -> None:
    with pytest.raises(ValueError, match="another game or start"):
        Record.of(played(), variations=Variations(quinconce.game("buts")))
    tree = Variations.of(played())
    tree.play(tree.root, "@B")
    tree.promote(tree.branches()[0])
    with pytest.raises(ValueError, match="main line"):
        Record.of(played(), variations=tree)


def test_a_record_keeps_a_tree_of_its_own() -> None:
    tree = annotated().variations
    assert tree is not None
    record = Record.of(played(), variations=tree)
    tree.delete(tree.main_line()[3])
    assert record == annotated()


def test_a_match_that_goes_on_keeps_its_variations() -> None:
    record = annotated()
    shorter = record.continued(PLAYED[:3], None)
    assert shorter.variations is not None
    assert shorter.variations.branches() == []
    other = record.continued((*PLAYED[:3], "@G", "@2"), None)
    assert other.variations is not None
    assert [node.move for node in other.variations.branches()] == ["@E", "@B", "@3"]
    assert Record.read(other.text()) == other
    assert Record.of(played()).continued(("@A",), None).variations is None


def deep_tree(depth: int) -> Variations:
    """One line of moves and no end."""
    tree = Variations(quinconce.game("buts"))
    node = tree.root
    for ply in range(depth):
        node = tree.add(node, BACK_AND_FORTH[ply % 4], note="x" if ply % 100 == 0 else "")
    return tree


def test_a_deep_tree_is_copied_compared_and_sent() -> None:
    tree = deep_tree(20_000)
    for again in (tree.copy(), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert again == tree
    assert len(repr(tree)) < 200


def nested_text(depth: int) -> str:
    """Variations in variations."""
    return f'[Format "quinconce 2"]\n[Game "diadema"]\n\n@A {"(@B " * depth}{")" * depth}\n*\n'


def test_huge_records_are_refused_in_one_sentence() -> None:
    head = '[Format "quinconce 2"]\n[Game "diadema"]\n\n'
    most = f"at most {MAX_NODES:,} moves"
    assert most in str(refused(head + "@A " * 100_000 + "*\n"))
    assert "stands twice" in str(refused(nested_text(5_000)))
    assert refused(nested_text(100_000))
    twin = annotated().json()
    twin["nodes"] = [{"after": i - 1, "move": "@A"} for i in range(30_000)]
    assert most in str(refused(json.dumps(twin)))
    tree = deep_tree(MAX_NODES + 1)
    with pytest.raises(ValueError, match=most):
        Record(tree.game, tuple(node.move for node in tree.main_line()), variations=tree)


def test_a_record_of_10_000_plies_is_read_or_refused_at_the_move_that_ends_it() -> None:
    tree = deep_tree(10_000)
    record = Record(tree.game, tuple(node.move for node in tree.main_line()), variations=tree)
    for text in (record.text(), record.json_text()):
        error = refused(text)
        assert error.move == 9
        assert "over" in str(error)


@given(st.text(alphabet="@ABCD123 (){}$1.*\\\n", max_size=60))
def test_garbage_is_refused_or_read_back(body: str) -> None:
    try:
        record = Record.read(f'[Format "quinconce 2"]\n[Game "diadema"]\n\n{body}')
    except RecordError:
        return
    assert Record.read(record.text()) == record
