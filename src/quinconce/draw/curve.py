"""The curve of a review as SVG: what each side could expect as a match went on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from quinconce.draw.plot import (
    COLUMNS_HEIGHT,
    COLUMNS_LEFT,
    RIGHT,
    TOP,
    WIDTH,
    plot_svg,
    series_legend,
    share_scale,
    stroke,
    text_at,
)
from quinconce.draw.svg import element

MARK_RADIUS: Final = 4
NAMED_PLIES: Final = 12  # numbers below the curve, at most


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
