"""A review in the terminal: the curve fits however narrow it is, and errors stand below it."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from quinconce.study.review import PlyReview, Review
from quinconce.terminal.review import CURVE_ROWS, curve_lines, review_table
from quinconce.words import Voice
from quinconce.words.review import Judgement


def made(scores: Sequence[tuple[float, ...]], errors: dict[int, Judgement]) -> Review:
    plies = [
        PlyReview(n, 0, "A", "B", ("B",), 0.5, 0.5, None, None, errors.get(n))
        for n in range(1, len(scores))
    ]
    return Review("buts", {}, tuple(plies), (50.0, 50.0), tuple(scores))


def test_what_went_by_is_told_without_a_mark() -> None:
    quiet = PlyReview(1, 0, "A", "B", ("B",), 1.0, 0.0, "win", "loss", None, went_by="win")
    found = Review("buts", {}, (quiet,), (80.0, None), ((0.5, 0.5), (0.5, 0.5)))
    written = StringIO()
    Console(file=written, width=120).print(review_table(found, Voice("en")))
    shown = written.getvalue()
    assert "A proven win went by" in shown
    assert "?" not in shown


def test_the_curve_of_the_first_of_two_sides() -> None:
    found = made([(0.5, 0.5), (1.0, 0.0), (0.0, 1.0)], {1: "mistake", 2: "blunder"})
    lines = curve_lines(found, 80)
    assert lines[0] == " 100 | *"
    assert lines[CURVE_ROWS // 2].startswith("  50 |*--")
    assert lines[CURVE_ROWS - 1].startswith("   0 |  *")
    assert lines[-1] == "       ?!"


def test_every_one_of_more_sides_has_its_digit() -> None:
    lines = curve_lines(made([(0.25,) * 4, (1.0, 0.0, 0.0, 0.0)], {}), 80)
    assert lines[0] == " 100 | 1"
    assert [line[6:7] for line in lines].count("1") == 1


def test_a_narrow_terminal_shows_fewer_positions_and_every_error() -> None:
    scores = [(n / 100, 1 - n / 100) for n in range(101)]
    for width in (5, 20, 40, 200):
        lines = curve_lines(made(scores, {50: "blunder"}), width)
        assert all(len(line) <= max(width, 17) for line in lines)
        assert lines[-1].count("!") == 1
