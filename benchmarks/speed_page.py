"""The page of figures: a table and a plot of one run of `quinconce bench --thorough --json FILE`.

python -m benchmarks.speed_page FILE    writes docs/speed.md and docs/speed.svg
"""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import date
from pathlib import Path
from typing import Final

import numba

from benchmarks.speed import OPENING_COUNT, ORDER_COUNT
from quinconce.core.files import write_atomically
from quinconce.core.phrase import ENGLISH
from quinconce.draw.plot import bar_chart, power_scale
from quinconce.terminal.tables import format_figure

DOCS: Final = Path(__file__).parents[1] / "docs"
Figures = dict[str, dict[str, float | None]]

# What each figure is, and whether the plot shows it.
FIGURE_MEANINGS: Final = {
    "rules_moves_per_s": ("moves the plain rules generate, text and position", True),
    "perft_leaves_per_s": ("sequences the kernel counts, the last ply in bulk", True),
    "perft_gain_without_nrt": ("times perft is faster for being compiled with `_nrt=False`", False),
    "playouts_per_s": ("random games of the kernel to the board's own end", False),
    "playout_plies_per_s": ("and their plies", True),
    "search_nodes_per_s": (
        "positions one thread searches (with four sides: games of its tree)",
        True,
    ),
    "search_depth_in_1_s": ("plies one thread has searched whole after a second", False),
    "search_signature": ("nodes of five searches to depth 6; changes with the search", False),
    "two_threads_sooner": (
        "times sooner two threads reach the depths that one reaches in a second, by the clock",
        False,
    ),
    "two_cores_worth": ("times more two searches at once get done that share nothing", False),
    "two_threads_fewer_nodes": ("times fewer nodes each of two threads searches to a depth", False),
}
PLOT_DECADES: Final = (4, 10)


def describe_machine() -> str:
    """The machine of this run, by its processor and its programs."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    processor = names[0] if names else platform.processor()
    return (
        f"{os.cpu_count()} cores of {processor}, {platform.system()}, "
        f"Python {platform.python_version()}, Numba {numba.__version__}"
    )


def figures_table(figures: Figures) -> str:
    """A row for each figure, a column for each subject."""
    lines = ["| | " + " | ".join(figures) + " |", "|---" * (len(figures) + 1) + "|"]
    for name in FIGURE_MEANINGS:
        cells = [format_figure(ENGLISH, row.get(name)) for row in figures.values()]
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def figures_plot(figures: Figures) -> str:
    """Bars on a scale of powers of ten."""
    shown = [name for name, (_meaning, plotted) in FIGURE_MEANINGS.items() if plotted]
    return bar_chart(
        "Speed by game, on a scale of powers of ten",
        [(subject, [values.get(name) for name in shown]) for subject, values in figures.items()],
        [name.replace("_", " ") for name in shown],
        power_scale(*PLOT_DECADES),
    )


def main() -> None:
    """Write the page."""
    figures: Figures = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    meanings = "\n".join(
        f"- **{name.replace('_', ' ')}**: {meaning}"
        for name, (meaning, _p) in FIGURE_MEANINGS.items()
    )
    text = f"""# How fast Quinconce is

One run of `quinconce bench --thorough --json FILE` on {date.today()}: {describe_machine()}.
Figures are a second of CPU time on one thread unless they are ratios; moves of the rules, random
games and positions searched are the best of three runs. Other work on the machine moves them by a
third and more: compare ratios of one run. What two threads gain is summed over {OPENING_COUNT}
openings, the first moves in {ORDER_COUNT} random orders, all nodes at the speed of the quicker
run; it still differs by a tenth from run to run. It is to be compared with what two cores are
worth: they are not free all the time, and slow each other down. (Searches that share nothing need
memory twice, so that threads that share a table may gain even more.)
`python -m benchmarks.speed_page FILE` makes this page.

![the figures a second as bars](speed.svg)

{figures_table(figures)}

{meanings}
"""
    write_atomically(DOCS / "speed.md", text)
    write_atomically(DOCS / "speed.svg", figures_plot(figures))


if __name__ == "__main__":
    main()
