"""The facts as plots."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from quinconce.core.phrase import _
from quinconce.draw.plot import (
    column_chart,
    interval_chart,
    power_scale,
    share_scale,
    stacked_bar_chart,
)
from quinconce.facts.files import AdvantageFact, EndgamesFact, SolutionFact

Voice = Callable[[object], str]
RenderSvg = Callable[[bool], str]  # an SVG text; with its style inside, if it stands alone


def plot_distances(say: Voice, title: str, fact: SolutionFact) -> RenderSvg:
    """How many positions are won and lost in how many plies."""
    found = fact["distances"]
    longest = max(map(len, found.values()))
    values = [
        (str(ply), count, series)
        for ply in range(1, longest + 1)
        for series, counts in enumerate((found["win"], found["loss"]))
        if (count := counts[ply - 1] if ply <= len(counts) else 0)
    ]
    most = math.ceil(math.log10(max(count for _ply, count, _series in values)))
    names = [say(_("won")), say(_("lost"))]
    below = say(_("plies to the end of the game, both playing their best"))
    return lambda standalone: column_chart(
        title, values, names, power_scale(0, most), below, standalone
    )


def plot_sharpness(say: Voice, title: str, fact: SolutionFact) -> RenderSvg:
    """The share of moves that keep the value, ply by ply."""
    values = [
        (str(number), ply["keeping"] / ply["moves"], 0)
        for number, ply in enumerate(fact["faultless"], start=1)
    ]
    names = [say(_("moves that keep the value"))]
    below = say(_("ply of the game, without a mistake before"))
    return lambda standalone: column_chart(title, values, names, share_scale(), below, standalone)


def plot_endgames(say: Voice, title: str, fact: EndgamesFact) -> RenderSvg:
    """Who wins how many endings, by the pieces of each side."""
    rows = []
    for row in fact["shares"]:
        parts = [row["won"], row["lost"], row["drawn"]]
        name = say(_("{n} against {m}", n=row["stronger"], m=row["weaker"]))
        rows.append((name, [part / sum(parts) for part in parts]))
    names = [say(_("the stronger wins")), say(_("the weaker wins")), say(_("drawn"))]
    return lambda standalone: stacked_bar_chart(title, rows, names, standalone)


def plot_advantage(
    say: Voice, title: str, rows: Sequence[tuple[str, AdvantageFact]], levels: list[int]
) -> RenderSvg:
    """The share of who begins, at each level; a mark stands where all sides would be equal."""
    by_name: dict[str, dict[int, AdvantageFact]] = {}
    for name, fact in rows:
        by_name.setdefault(name, {})[fact["level"]] = fact
    shown = []
    for name, facts in by_name.items():
        first = [facts[level]["sides"][0] if level in facts else None for level in levels]
        fair = 1 / len(next(iter(facts.values()))["sides"])
        values = [side and (side["share"], side["low"], side["high"]) for side in first]
        shown.append((name, fair, values))
    names = [say(_("level {n}", n=level)) for level in levels]
    return lambda standalone: interval_chart(title, shown, names, standalone)
