"""Tables for the terminal: games, options, what was measured or solved, the standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from quinconce.bridges.contest import Standing
from quinconce.core.phrase import Language, _
from quinconce.core.registry import game_class, names
from quinconce.words import Voice
from quinconce.words.sentences import printable

if TYPE_CHECKING:
    from quinconce.solvers.endgames.files import PartStatistics

COLUMNS_PER_TABLE: Final = 4  # columns of figures
MILLION: Final = 1_000_000


def games_table(say: Voice) -> Table:
    """The games, each in one sentence."""
    table = Table(box=None, padding=(0, 2, 1, 0))
    for heading in (_("game"), _("in one sentence"), _("options, the default first")):
        table.add_column(say(heading), overflow="fold")
    for name in names():
        rules = game_class(name)
        options = "\n".join(f"{key}={say(option.choices)}" for key, option in rules.options.items())
        title = Text.assemble((name, "bold"), "\n", say(rules.title))
        table.add_row(title, say(rules.summary), options)
    return table


def options_table(say: Voice, name: str) -> Table:
    """What every value of every option means."""
    rules = game_class(name)
    table = Table(box=None, padding=(0, 2, 0, 0), title=say(rules.summary), title_justify="left")
    for heading in (_("option"), _("value"), _("meaning")):
        table.add_column(say(heading), overflow="fold")
    for key, option in rules.options.items():
        for value, meaning in option.meanings.items():
            default = value == option[0]
            first = f"{key} ({say(option.label)})" if default else ""
            table.add_row(first, Text(value, "bold" if default else ""), say(meaning))
    return table


def benchmark_tables(say: Voice, figures: dict[str, dict[str, float | None]]) -> Iterator[Table]:
    """A column of figures for every name, a few names at a time; narrow enough for a terminal."""
    names = list(figures)
    kinds = list(dict.fromkeys(kind for column in figures.values() for kind in column))
    for first in range(0, len(names), COLUMNS_PER_TABLE):
        shown = names[first : first + COLUMNS_PER_TABLE]
        table = Table(box=None)
        table.add_column("")
        for name in shown:
            table.add_column(name, justify="right")
        for kind in kinds:
            cells = (format_short(say, figures[name].get(kind)) for name in shown)
            table.add_row(kind.replace("_", " "), *cells)
        yield table


def format_short(language: Language, value: float | None) -> str:
    """A figure as a narrow table shows it: in millions where it is large."""
    if value is None or value < MILLION:
        return format_figure(language, value)
    return f"{format_figure(language, value / MILLION)} M"


def format_figure(language: Language, value: float | None) -> str:
    """A number as a table shows it: thousands apart, fractions where it is small."""
    if value is None:
        return "–"
    return language.number(value, ".2f" if value < 10 and value % 1 else ".0f")


def endgames_table(say: Voice, figures: PartStatistics) -> Table:
    """How often each side wins, by how many pieces the two have, and the longest way to a capture.

    Where the sides are equal, the stronger one is the player to move.
    """
    table = Table(box=None)
    headings = (_("stronger wins"), _("drawn"), _("weaker wins"), _("longest"), _("positions"))
    for heading in (_("pawns"), *headings):
        table.add_column(say(heading), justify="right")
    for part, (weak, strong, classes) in figures.items():
        if part.weak:
            rows = (
                [strong]
                if part.strong == part.weak
                else [strong, weak._replace(won=weak.lost, lost=weak.won)]
            )
            won, drawn, lost = (sum(row[n] for row in rows) for n in range(3))
            whole = won + drawn + lost
            shares = (say.number(n / whole, ".2%") for n in (won, drawn, lost))
            longest = say.number(max(weak.longest, strong.longest))
            table.add_row(f"{part.strong}×{part.weak}", *shares, longest, say.number(classes))
    return table


def standings_table(say: Voice, standings: Sequence[Standing]) -> Table:
    """The contestants of a contest, the best first; narrow enough for a terminal."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", justify="right", no_wrap=True)
    table.add_column(say(_("name")), overflow="fold")
    figures = (_("points"), _("wins"), _("draws"), _("losses"), _("s a move"), _("slowest"))
    for heading in (*figures, _("faults")):
        # Where it is narrow, a heading of several words is broken before a short name is.
        table.add_column(say(heading), justify="right")
    for line in standings:
        counted = map(say.number, (line.points, line.won, line.drawn, line.lost))
        times = (say.number(time, ".3f") for time in (line.seconds_a_move, line.longest))
        faults = say.number(line.forfeits.total())
        table.add_row(f"{line.rank}.", Text(printable(line.name)), *counted, *times, faults)
    return table
