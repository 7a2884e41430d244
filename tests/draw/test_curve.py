"""The curve of a review: a line a side through every position, with marks where they belong."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from quinconce.draw.plot import curve_svg, named_plies
from quinconce.draw.raster import render_png
from quinconce.draw.svg import THEMES

CURVE = [(0.5, 0.5), (0.75, 0.25), (0.0, 1.0)]
MARKS = {2: (0, "blunder")}


def drawn(*names: str, theme: str | None = None) -> ElementTree.Element:
    svg = curve_svg("The game", names, CURVE, MARKS, below="moves", theme=theme)
    return ElementTree.fromstring(svg)


def of_class(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in picture.iter() if each.get("class") == name]


def test_a_line_for_each_name_goes_through_all_positions() -> None:
    (first,) = of_class(drawn("A & B"), "curve series-0")
    assert first.get("d") == "M56.0 156.0L376.0 96.0L696.0 276.0"
    assert not of_class(drawn("A & B"), "curve series-1")
    assert of_class(drawn("A", "B"), "curve series-1")


def test_a_mark_stands_on_the_line_after_its_move() -> None:
    (mark,) = of_class(drawn("A"), "blunder")
    assert (mark.get("cx"), mark.get("cy")) == ("696.0", "276.0")


def test_with_a_theme_no_variable_is_left() -> None:
    for theme in THEMES:
        (style,) = (
            each.text or "" for each in drawn("A", theme=theme).iter() if "style" in each.tag
        )
        assert "var(" not in style
        assert "light-dark" not in style
    svg = curve_svg("The game", ["A"], CURVE, MARKS, below="moves", theme=THEMES[0])
    assert render_png(svg).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("last", "step"), [(1, 1), (12, 1), (13, 2), (60, 5), (61, 10), (999, 100)]
)
def test_as_many_moves_are_numbered_as_there_is_room_for(last: int, step: int) -> None:
    assert named_plies(last).step == step
