"""Plots as SVG: bars in groups, shares side by side, columns, estimates with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from quinconce.draw.svg import element

SHEET: Final = Path(__file__).with_name("plot.css")
WIDTH, LEFT, RIGHT = 720, 210, 24  # of a plot with rows, and what its words take
TOP, BOTTOM = 36, 26
BAR, APART = 12, 10  # of a bar, and between two groups of them
TALL, NARROW = 240, 56  # of a plot with columns, and what the words at its left take
LETTER: Final = 6.6  # the width of a letter, about: a plot does not know its font
Span = tuple[float, float, float]  # an estimate, and the interval where it may lie


@cache
def plot_style() -> str:
    """The style sheet that every plot follows; a page serves it beside its own."""
    return SHEET.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Scale:
    """Where values stand on an axis: the first, the last, and those that are named."""

    first: float
    last: float
    ticks: Sequence[tuple[float, str]]
    powers: bool = False  # every step multiplies

    def at(self, value: float) -> float:
        """From 0 at the first value to 1 at the last."""
        values = (value, self.first, self.last)
        here, first, last = map(math.log10, values) if self.powers else values
        return min(1.0, max(0.0, (here - first) / (last - first)))


def shares(steps: int = 4) -> Scale:
    """The scale of shares, from nothing to all."""
    return Scale(0, 1, [(n / steps, f"{100 * n // steps}\u00a0%") for n in range(steps + 1)])


def powers(first: int, last: int) -> Scale:
    """The scale of powers of ten."""
    ticks = [(10.0**n, f"10{raised(n)}") for n in range(first, last + 1)]
    return Scale(10.0**first, 10.0**last, ticks, powers=True)


def raised(number: int) -> str:
    """A number as an exponent."""
    return str(number).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


def drawn(title: str, height: float, parts: Iterator[str], standalone: bool) -> str:
    """The whole of a plot; one that stands alone has its style inside."""
    size = {"width": WIDTH, "height": round(height)}
    return (
        element(
            "svg",
            element("style", escape(plot_style(), quote=False)) if standalone else "",
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


def words(text: str, x: float, y: float, kind: str | None = None) -> str:
    """Words that begin at a point, end there, or are centred."""
    return element("text", escape(text), x=round(x, 1), y=round(y, 1), class_=kind)


def line(path: str, kind: str) -> str:
    """A line of one kind."""
    return element("path", d=path, class_=kind)


def box(x: float, y: float, width: float, height: float, series: int) -> str:
    """A bar of a series."""
    place = {"x": round(x, 1), "y": round(y, 1), "width": round(width, 1)}
    return element("rect", **place, height=round(height, 1), class_=f"series-{series}")


def legend(series: Sequence[str], left: float) -> Iterator[str]:
    """What the colours stand for, above the plot; more to the left where it takes more room."""
    widths = [33 + LETTER * len(name) for name in series]
    x = max(0.0, min(left, WIDTH - sum(widths)))
    for number, (name, width) in enumerate(zip(series, widths, strict=True)):
        yield box(x, 12, 10, 10, number)
        yield words(name, x + 15, 21)
        x += width


def axis(scale: Scale, bottom: float) -> Iterator[str]:
    """Lines across all rows where the scale has a name."""
    for value, name in scale.ticks:
        x = across(scale, value)
        yield line(f"M{x:.1f} {TOP - 6}V{bottom:.1f}", "grid")
        yield words(name, x, bottom + 15, "middle")


def across(scale: Scale, value: float) -> float:
    """Where a value stands in a row."""
    return LEFT + (WIDTH - LEFT - RIGHT) * scale.at(value)


def height_of(rows: int, bars: int) -> float:
    """How high a plot of so many groups of bars is, without the words below it."""
    return TOP + rows * (BAR * bars + APART)


def row_names(names: Sequence[str], bars: int) -> Iterator[tuple[float, str]]:
    """The top of each row, and its name written before it."""
    group = BAR * bars + APART
    for row, name in enumerate(names):
        top = TOP + row * group
        yield top, words(name, LEFT - 10, top + BAR * bars / 2 + 4, "end")


def bars(
    title: str,
    rows: Sequence[tuple[str, Sequence[float | None]]],
    series: Sequence[str],
    scale: Scale,
    standalone: bool = True,
) -> str:
    """A group of bars for every row, one for each series; what is None has no bar."""
    n, bottom = len(series), height_of(len(rows), len(series))

    def parts() -> Iterator[str]:
        yield from legend(series, LEFT)
        yield from axis(scale, bottom)
        names = row_names([name for name, _values in rows], n)
        for (top, name), (_name, values) in zip(names, rows, strict=True):
            yield name
            for i, value in enumerate(values):
                if value:
                    wide = across(scale, value) - LEFT
                    yield box(LEFT, top + i * BAR, wide, BAR - 2, i)

    return drawn(title, bottom + BOTTOM, parts(), standalone)


def stacks(
    title: str,
    rows: Sequence[tuple[str, Sequence[float]]],
    series: Sequence[str],
    standalone: bool = True,
) -> str:
    """For every row the shares of the series, one after the other."""
    scale, bottom = shares(), height_of(len(rows), 1)

    def parts() -> Iterator[str]:
        yield from legend(series, LEFT)
        yield from axis(scale, bottom)
        names = row_names([name for name, _values in rows], 1)
        for (top, name), (_name, values) in zip(names, rows, strict=True):
            yield name
            before = 0.0
            for i, value in enumerate(values):
                start, end = across(scale, before), across(scale, before + value)
                yield box(start, top, end - start, BAR, i)
                before += value

    return drawn(title, bottom + BOTTOM, parts(), standalone)


def spans(
    title: str,
    rows: Sequence[tuple[str, float, Sequence[Span | None]]],
    series: Sequence[str],
    standalone: bool = True,
) -> str:
    """For every row an expected share, as a mark, and estimates of it with their intervals."""
    scale, n, bottom = shares(), len(series), height_of(len(rows), len(series))

    def parts() -> Iterator[str]:
        yield from legend(series, LEFT)
        yield from axis(scale, bottom)
        names = row_names([name for name, _mark, _values in rows], n)
        for (top, name), (_name, mark, values) in zip(names, rows, strict=True):
            yield name
            x = across(scale, mark)
            yield line(f"M{x:.1f} {top - 2:.1f}V{top + BAR * n:.1f}", "mark")
            for i, value in enumerate(values):
                if value:
                    x, low, high = (across(scale, each) for each in value)
                    y = top + (i + 0.5) * BAR - 1
                    yield line(f"M{low:.1f} {y:.1f}H{high:.1f}", f"span series-{i}")
                    yield element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_=f"series-{i}")

    return drawn(title, bottom + BOTTOM, parts(), standalone)


def columns(
    title: str,
    values: Sequence[tuple[str, float, int]],
    series: Sequence[str],
    scale: Scale,
    below: str,
    standalone: bool = True,
) -> str:
    """A column for every name, in the colour of its series; `below` says what the names are."""
    bottom, step = TOP + TALL, (WIDTH - NARROW - RIGHT) / len(values)
    every = math.ceil(28 / step)  # names that stand too close are left out

    def parts() -> Iterator[str]:
        yield from legend(series, NARROW)
        for value, name in scale.ticks:
            y = bottom - TALL * scale.at(value)
            yield line(f"M{NARROW} {y:.1f}H{WIDTH - RIGHT}", "grid")
            yield words(name, NARROW - 8, y + 4, "end")
        for i, (name, value, kind) in enumerate(values):
            x = NARROW + i * step
            if value:
                tall = max(1.0, TALL * scale.at(value))
                yield box(x + step * 0.1, bottom - tall, step * 0.8, tall, kind)
            if i % every == 0:
                yield words(name, x + step / 2, bottom + 15, "middle")
        yield words(below, (NARROW + WIDTH - RIGHT) / 2, bottom + 32, "middle")

    return drawn(title, bottom + 42, parts(), standalone)
