"""The plots: values where they belong, and pictures that any reader of SVG understands."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from quinconce.draw.plot import (
    Scale,
    bar_chart,
    column_chart,
    interval_chart,
    power_scale,
    share_scale,
    stacked_bar_chart,
)

SPACE = "{http://www.w3.org/2000/svg}"
WORDS = "Tom & <Jerry>"
PLOTS = {
    "bars": lambda alone: bar_chart(
        WORDS, [(WORDS, [10.0, None])], ["a", "b"], power_scale(0, 2), alone
    ),
    "stacks": lambda alone: stacked_bar_chart(WORDS, [(WORDS, [0.25, 0.75])], ["a", "b"], alone),
    "spans": lambda alone: interval_chart(
        WORDS, [(WORDS, 0.5, [(0.5, 0.4, 0.6), None])], "ab", alone
    ),
    "columns": lambda alone: column_chart(
        WORDS, [(WORDS, 0.5, 0)], ["a"], share_scale(), "below", alone
    ),
}


def test_a_scale_says_where_a_value_stands() -> None:
    assert share_scale().fraction(0.25) == 0.25
    assert power_scale(0, 4).fraction(100) == 0.5
    assert [name for _value, name in power_scale(-1, 1).ticks] == ["10⁻¹", "10⁰", "10¹"]
    outside = Scale(10, 20, [])
    assert (outside.fraction(0), outside.fraction(30)) == (0, 1)


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_svg_with_its_words(name: str) -> None:
    root = ElementTree.fromstring(PLOTS[name](True))
    assert root.get("aria-label") == WORDS
    assert root.find(f"{SPACE}style") is not None
    assert WORDS in [text.text for text in root.iter(f"{SPACE}text")]
    assert any(part.get("class", "").endswith("series-0") for part in root.iter())


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_in_a_page_leaves_its_style_to_the_page(name: str) -> None:
    assert "<style" not in PLOTS[name](False)
    assert "style=" not in PLOTS[name](False)


def test_a_bar_is_as_long_as_its_value() -> None:
    root = ElementTree.fromstring(stacked_bar_chart("", [("", [0.25, 0.75])], ["a", "b"]))
    first, second = (part for part in root.iter(f"{SPACE}rect") if part.get("height") == "12")
    assert float(second.get("width", 0)) == pytest.approx(3 * float(first.get("width", 0)), abs=0.2)
