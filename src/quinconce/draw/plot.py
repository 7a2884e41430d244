"""Plots as SVG: bars, shares side by side, columns, estimates with intervals, a review's curve."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from quinconce.draw.svg import element, settle_theme

PLOT_CSS: Final = Path(__file__).with_name("plot.css")
WIDTH, LEFT, RIGHT = 720, 290, 24  # of a plot with rows, and what its words take
TOP, BOTTOM = 36, 26
BAR, GROUP_GAP = 12, 10  # of a bar, and between two groups of them
COLUMNS_HEIGHT, COLUMNS_LEFT = 240, 56  # of a plot with columns, and its words at the left
LETTER_WIDTH: Final = 6.6  # the width of a letter, about: a plot does not know its font
Estimate = tuple[float, float, float]  # an estimate, and the interval where it may lie
MARK_RADIUS: Final = 4
NAMED_PLIES: Final = 12  # numbers below the curve, at most


@cache
def plot_stylesheet(theme: str | None = None) -> str:
    """The style sheet that every plot follows; a page serves it beside its own.

    With a theme, every colour is written out: what draws pictures knows no variables.
    """
    css = PLOT_CSS.read_text(encoding="utf-8")
    return css if theme is None else settle_theme(css, theme)


@dataclass(frozen=True)
class Scale:
    """Where values stand on an axis: the first, the last, and those that are named."""

    first: float
    last: float
    ticks: Sequence[tuple[float, str]]
    logarithmic: bool = False  # every step multiplies

    def fraction(self, value: float) -> float:
        """From 0 at the first value to 1 at the last."""
        values = (value, self.first, self.last)
        here, first, last = map(math.log10, values) if self.logarithmic else values
        return min(1.0, max(0.0, (here - first) / (last - first)))


def share_scale(steps: int = 4) -> Scale:
    """The scale of shares, from nothing to all."""
    return Scale(0, 1, [(n / steps, f"{100 * n // steps}\u00a0%") for n in range(steps + 1)])


def power_scale(first: int, last: int) -> Scale:
    """The scale of powers of ten."""
    ticks = [(10.0**n, f"10{superscript(n)}") for n in range(first, last + 1)]
    return Scale(10.0**first, 10.0**last, ticks, logarithmic=True)


def superscript(number: int) -> str:
    """A number as an exponent."""
    return str(number).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


def plot_svg(
    title: str, height: float, parts: Iterator[str], standalone: bool, theme: str | None = None
) -> str:
    """The whole of a plot; one that stands alone has its style inside, of one theme or of both."""
    size = {"width": WIDTH, "height": round(height)}
    return (
        element(
            "svg",
            element("style", escape(plot_stylesheet(theme), quote=False)) if standalone else "",
            element("title", escape(title)) if standalone else "",
            element("rect", class_="paper", **size),
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            class_="plot",
            viewBox=f"0 0 {WIDTH} {round(height)}",
            role="img",
            aria_label=title,
            **(size if standalone else {}),
        )
        + "\n"
    )


def text_at(text: str, x: float, y: float, kind: str | None = None) -> str:
    """Words that begin at a point, end there, or are centred."""
    return element("text", escape(text), x=round(x, 1), y=round(y, 1), class_=kind)


def stroke(path: str, kind: str) -> str:
    """A line of one kind."""
    return element("path", d=path, class_=kind)


def bar_rectangle(x: float, y: float, width: float, height: float, series: int) -> str:
    """A bar of a series."""
    place = {"x": round(x, 1), "y": round(y, 1), "width": round(width, 1)}
    return element("rect", **place, height=round(height, 1), class_=f"series-{series}")


def series_legend(series: Sequence[str], left: float) -> Iterator[str]:
    """What the colours stand for, above the plot; more to the left where it is wider."""
    widths = [33 + LETTER_WIDTH * len(name) for name in series]
    x = max(0.0, min(left, WIDTH - sum(widths)))
    for number, (name, width) in enumerate(zip(series, widths, strict=True)):
        yield bar_rectangle(x, 12, 10, 10, number)
        yield text_at(name, x + 15, 21)
        x += width


def axis(scale: Scale, bottom: float) -> Iterator[str]:
    """Lines across all rows where the scale has a name."""
    for value, name in scale.ticks:
        x = x_position(scale, value)
        yield stroke(f"M{x:.1f} {TOP - 6}V{bottom:.1f}", "grid")
        yield text_at(name, x, bottom + 15, "middle")


def x_position(scale: Scale, value: float) -> float:
    """Where a value stands in a row."""
    return LEFT + (WIDTH - LEFT - RIGHT) * scale.fraction(value)


def rows_height(rows: int, bars: int) -> float:
    """How high a plot of a number of groups of bars is, without the words below it."""
    return TOP + rows * (BAR * bars + GROUP_GAP)


def row_labels(names: Sequence[str], bars: int) -> Iterator[tuple[float, str]]:
    """The top of each row, and its name written before it."""
    group = BAR * bars + GROUP_GAP
    for row, name in enumerate(names):
        top = TOP + row * group
        yield top, text_at(name, LEFT - 10, top + BAR * bars / 2 + 4, "end")


def bar_chart(
    title: str,
    rows: Sequence[tuple[str, Sequence[float | None]]],
    series: Sequence[str],
    scale: Scale,
    standalone: bool = True,
) -> str:
    """A group of bars for every row, one for each series; what is None has no bar."""
    n, bottom = len(series), rows_height(len(rows), len(series))

    def parts() -> Iterator[str]:
        yield from series_legend(series, LEFT)
        yield from axis(scale, bottom)
        names = row_labels([name for name, _values in rows], n)
        for (top, name), (_name, values) in zip(names, rows, strict=True):
            yield name
            for i, value in enumerate(values):
                if value:
                    wide = x_position(scale, value) - LEFT
                    yield bar_rectangle(LEFT, top + i * BAR, wide, BAR - 2, i)

    return plot_svg(title, bottom + BOTTOM, parts(), standalone)


def stacked_bar_chart(
    title: str,
    rows: Sequence[tuple[str, Sequence[float]]],
    series: Sequence[str],
    standalone: bool = True,
) -> str:
    """For every row the shares of the series, one after the other."""
    scale, bottom = share_scale(), rows_height(len(rows), 1)

    def parts() -> Iterator[str]:
        yield from series_legend(series, LEFT)
        yield from axis(scale, bottom)
        names = row_labels([name for name, _values in rows], 1)
        for (top, name), (_name, values) in zip(names, rows, strict=True):
            yield name
            before = 0.0
            for i, value in enumerate(values):
                start, end = x_position(scale, before), x_position(scale, before + value)
                yield bar_rectangle(start, top, end - start, BAR, i)
                before += value

    return plot_svg(title, bottom + BOTTOM, parts(), standalone)


def interval_chart(
    title: str,
    rows: Sequence[tuple[str, float, Sequence[Estimate | None]]],
    series: Sequence[str],
    standalone: bool = True,
) -> str:
    """For every row an expected share, as a mark, and estimates of it with their intervals."""
    scale, n, bottom = share_scale(), len(series), rows_height(len(rows), len(series))

    def parts() -> Iterator[str]:
        yield from series_legend(series, LEFT)
        yield from axis(scale, bottom)
        names = row_labels([name for name, _mark, _values in rows], n)
        for (top, name), (_name, mark, values) in zip(names, rows, strict=True):
            yield name
            x = x_position(scale, mark)
            yield stroke(f"M{x:.1f} {top - 2:.1f}V{top + BAR * n:.1f}", "mark")
            for i, value in enumerate(values):
                if value:
                    x, low, high = (x_position(scale, each) for each in value)
                    y = top + (i + 0.5) * BAR - 1
                    yield stroke(f"M{low:.1f} {y:.1f}H{high:.1f}", f"span series-{i}")
                    yield element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_=f"series-{i}")

    return plot_svg(title, bottom + BOTTOM, parts(), standalone)


def column_chart(
    title: str,
    values: Sequence[tuple[str, float, int]],
    series: Sequence[str],
    scale: Scale,
    below: str,
    standalone: bool = True,
) -> str:
    """A column for every name, in the colour of its series; `below` says what the names are."""
    bottom, step = TOP + COLUMNS_HEIGHT, (WIDTH - COLUMNS_LEFT - RIGHT) / len(values)
    every = math.ceil(28 / step)  # names that stand too close are left out

    def parts() -> Iterator[str]:
        yield from series_legend(series, COLUMNS_LEFT)
        for value, name in scale.ticks:
            y = bottom - COLUMNS_HEIGHT * scale.fraction(value)
            yield stroke(f"M{COLUMNS_LEFT} {y:.1f}H{WIDTH - RIGHT}", "grid")
            yield text_at(name, COLUMNS_LEFT - 8, y + 4, "end")
        for i, (name, value, kind) in enumerate(values):
            x = COLUMNS_LEFT + i * step
            if value:
                tall = max(1.0, COLUMNS_HEIGHT * scale.fraction(value))
                yield bar_rectangle(x + step * 0.1, bottom - tall, step * 0.8, tall, kind)
            if i % every == 0:
                yield text_at(name, x + step / 2, bottom + 15, "middle")
        yield text_at(below, (COLUMNS_LEFT + WIDTH - RIGHT) / 2, bottom + 32, "middle")

    return plot_svg(title, bottom + 42, parts(), standalone)


def curve_svg(
    title: str,
    names: Sequence[str],
    curve: Sequence[Sequence[float]],
    marks: Mapping[int, tuple[int, str]],
    *,
    below: str,
    theme: str | None = None,
    standalone: bool = True,
) -> str:
    """A line for each name through its scores, from 0 to 1, at every position of a match.

    `curve` has the scores of all names for each position, the first before the first move. `marks`
    are moves, by their number from 1, with the line that each stands on and its kind: a class of
    the style sheet. `below` says what the numbers are.
    """
    bottom, width = TOP + COLUMNS_HEIGHT, WIDTH - COLUMNS_LEFT - RIGHT
    last = max(1, len(curve) - 1)
    scale = share_scale()

    def point(ply: int, score: float) -> tuple[float, float]:
        return COLUMNS_LEFT + width * ply / last, bottom - COLUMNS_HEIGHT * scale.fraction(score)

    def parts() -> Iterator[str]:
        yield from series_legend(names, COLUMNS_LEFT)
        for value, name in scale.ticks:
            _x, y = point(0, value)
            yield stroke(f"M{COLUMNS_LEFT} {y:.1f}H{WIDTH - RIGHT}", "grid")
            yield text_at(name, COLUMNS_LEFT - 8, y + 4, "end")
        for ply in named_plies(last):
            yield text_at(str(ply), point(ply, 0)[0], bottom + 15, "middle")
        for side in range(len(names)):
            points = (point(ply, scores[side]) for ply, scores in enumerate(curve))
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            yield stroke(f"M{path}", f"curve series-{side}")
        for ply, (side, kind) in marks.items():
            x, y = point(ply, curve[ply][side])
            yield element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=MARK_RADIUS, class_=kind)
        yield text_at(below, COLUMNS_LEFT + width / 2, bottom + 32, "middle")

    return plot_svg(title, bottom + 42, parts(), standalone, theme)


def named_plies(last: int) -> range:
    """The moves whose numbers are written: every one, every fifth, every tenth."""
    steps = (base * 10**power for power in range(5) for base in (1, 2, 5))
    return range(0, last + 1, next(step for step in steps if math.ceil(last / step) <= NAMED_PLIES))
