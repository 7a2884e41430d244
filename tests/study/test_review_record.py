"""A reviewed match as a record: its errors are marked, and the better lines can be played."""

from __future__ import annotations

import dataclasses

from moves import match_after

from quinconce.core.record import Record, read_record
from quinconce.study.review import PositionReport, join_reports
from quinconce.study.review_record import LINE_PLIES, reviewed_tree


def test_errors_have_a_mark_a_note_and_a_better_line() -> None:
    match = match_after("buts", "F1-E1 B1-A1 F3-E3")
    line = ("F3-E3", "B3-A3", "F5-E5")
    reports = [
        PositionReport((0.9, 0.1), "F3-E3", line),
        PositionReport((0.5, 0.5), "B1-A1", ("B1-A1",)),
        PositionReport((0.5, 0.5), "F3-E3", ("F3-E3",)),
        PositionReport((0.5, 0.5)),
    ]
    tree = reviewed_tree(match, join_reports(match, reports))
    first, *others = tree.main_line()
    assert (first.mark, first.note) == ("??", "F1-E1 is a blunder; F3-E3 was much better.")
    assert not any(node.mark or node.note for node in others)
    (branch,) = tree.branches()
    assert tuple(node.move for node in branch.line()) == line
    tree.check()
    record = dataclasses.replace(Record.of(match), variations=tree)
    assert read_record(record.text())[0].variations == tree


def test_what_went_by_unseen_has_a_note_and_a_line_but_no_mark() -> None:
    match = match_after("buts", "F1-E1")
    seen = (0.5,) * 6
    reports = [
        PositionReport((1.0, 0.0), "F3-E3", ("F3-E3",), least=1.0, seen=seen),
        PositionReport((0.0, 1.0), "B1-A1", ("B1-A1",), least=1.0, seen=seen),
    ]
    tree = reviewed_tree(match, join_reports(match, reports))
    (only,) = tree.main_line()
    assert (only.mark, only.note[:20]) == ("", "A proven win went by")
    assert len(tree.branches()) == 1


def test_a_long_line_is_cut_and_a_review_may_be_half_done() -> None:
    match = match_after("diadema", "@A @1 @B")
    line = (*(f"@{vertex}" for vertex in "234567CDEFG"), "2-1", "3-2", "4-3")
    reports = [PositionReport((1.0, 0.0), "@2", line), PositionReport((0.0, 1.0), "@1", ("@1",))]
    first = match_after("diadema", "@A")
    tree = reviewed_tree(match, join_reports(first, reports))
    assert [node.move for node in tree.main_line()] == match.moves
    assert len(tree.branches()[0].line()) == LINE_PLIES
