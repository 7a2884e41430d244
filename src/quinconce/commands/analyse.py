"""`quinconce analyse`: what the engine thinks of a position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console
from rich.text import Text

from quinconce.commands.options import (
    MAX_COUNT,
    MAX_JOBS,
    check_range,
    parse_match,
    position_arguments,
)
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.words import Voice
from quinconce.words.proven import value_phrase

if TYPE_CHECKING:
    from quinconce.engine.analysis import Analysis
    from quinconce.engine.principal_variation import Line

DEFAULT_SECONDS: Final = 3.0  # seconds of an analysis that is given no limit
MAX_SECONDS: Final = 1e6
MAX_MEGABYTES: Final = 1 << 16
MAX_LINES: Final = 64
MAX_LINE_MOVES: Final = 12  # moves of a line on the screen


@click.command("analyse", help=_("What the engine thinks of a position: best moves, score, line."))
@position_arguments
@click.option("--seconds", type=float, help=_("think this many seconds; 3 without a limit"))
@click.option("--depth", type=int, help=_("look this many plies ahead"))
@click.option("--nodes", type=int, help=_("search this many positions"))
@click.option("--lines", type=int, default=1, help=_("show this many of the best moves"))
@click.option("--threads", type=int, default=1, help=_("think with this many threads"))
@click.option("--memory", type=float, default=64, help=_("megabytes for what is remembered"))
@click.option("--json", "as_json", is_flag=True, help=_("one JSON object a line as it deepens"))
@click.pass_obj
def analyse_command(
    say: Voice,
    name: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    lines: int,
    threads: int,
    memory: float,
    as_json: bool,
) -> None:
    """Print results as they deepen; the last one is final."""
    check_range("--seconds", seconds, 0.001, MAX_SECONDS)
    check_range("--depth", depth, 1, MAX_COUNT)
    check_range("--nodes", nodes, 1, MAX_COUNT)
    check_range("--lines", lines, 1, MAX_LINES)
    check_range("--threads", threads, 1, MAX_JOBS)
    check_range("--memory", memory, 1, MAX_MEGABYTES)
    match = parse_match(name, options, start, after)
    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_SECONDS
    from quinconce.engine import analyse as deepening  # compiled code is slow to load

    found = deepening(
        match,
        seconds=seconds,
        nodes=nodes,
        depth=depth,
        lines=lines,
        threads=threads,
        memory=memory,
    )
    for analysis in found:
        if as_json:
            click.echo(json.dumps(analysis_data(analysis)))
        else:
            print_analysis(say, match, analysis)


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON: the best line, and all lines if there are several."""
    best, *others = ({**asdict(line), "line": list(line.moves)} for line in analysis.lines)
    for line in (best, *others):
        del line["moves"]
    common = {"depth": analysis.depth, "nodes": analysis.nodes, "seconds": analysis.seconds}
    more = {"lines": [best, *others]} if others else {}
    return {"best": analysis.best, **best, **common, **more}


def print_analysis(say: Voice, match: Match[Any], analysis: Analysis) -> None:
    """Print an analysis for people: depth, nodes, and a row for each line."""
    first = f"{analysis.depth:3} {say.number(analysis.nodes):>15}"
    for line in analysis.lines:
        moves = " ".join(line.moves[:MAX_LINE_MOVES]) + (
            " …" if len(line.moves) > MAX_LINE_MOVES else ""
        )
        value = say(line_value(match, line))
        Console().print(Text(f"{first} {value:>12}  {moves}"), soft_wrap=True)
        first = " " * len(first)


def line_value(match: Match[Any], line: Line) -> str:
    """What a move is worth: proved, or estimated in pawns."""
    if line.value:
        return value_phrase(match.game, match.position, line.value, line.plies)
    return f"{line.score / 100:+.2f}"
