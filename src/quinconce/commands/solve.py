"""`quinconce solve`: parses and checks its options, and chooses one of its three jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

import click

from quinconce.commands.options import check_range, parse_match, position_arguments
from quinconce.commands.solve_endgames import EndgameOptions, endgame_options, solve_endgames
from quinconce.commands.solve_game import solve_game
from quinconce.commands.solve_win import (
    MAX_MEGABYTES,
    MIN_MEGABYTES,
    WinOptions,
    solve_win,
    win_options,
)
from quinconce.commands.workers import WorkerOptions, worker_options
from quinconce.core.phrase import _
from quinconce.words import Voice

OptionsT = TypeVar("OptionsT", WinOptions, EndgameOptions, WorkerOptions)


@click.command("solve", help=_("Solve a game or its endings, or prove a win within N plies."))
@position_arguments
@win_options
@endgame_options
@worker_options
@click.pass_obj
def solve(
    say: Voice, /, name: str, options: Sequence[str], start: str | None, after: str, **given: Any
) -> None:
    """Solve all endgames with `--pawns`, a win with `--within`, else the whole game."""
    win = take_options(WinOptions, given)
    endgames = take_options(EndgameOptions, given)
    workers = take_options(WorkerOptions, given)
    check_range("--memory", win.memory, MIN_MEGABYTES, MAX_MEGABYTES)
    match = parse_match(name, options, start, after)
    check_combination(win, endgames, workers, positioned=bool(start or after))
    if endgames.pawns is not None:
        solve_endgames(say, match.game, endgames, workers)
    elif win.within is not None:
        solve_win(say, match, win, workers)
    else:
        solve_game(say, match)


def take_options(kind: type[OptionsT], given: dict[str, Any]) -> OptionsT:
    """The options of one job out of all that were given."""
    return kind(**{field.name: given[field.name] for field in fields(kind)})


def check_combination(
    win: WinOptions, endgames: EndgameOptions, workers: WorkerOptions, positioned: bool
) -> None:
    """Raise ValueError for options of different jobs together."""
    if endgames.pawns is not None:
        if positioned or win.within is not None or win.any_given():
            raise ValueError(_("--pawns solves all positions: name no position and no win"))
        return  # solve_endgames checks the workers, after the number of pawns
    if endgames.any_given():
        raise ValueError(_("say --pawns how many"))
    workers.check()
    if win.within is None:
        if win.any_given():
            raise ValueError(_("say --within how many plies"))
        if workers.any_given():
            raise ValueError(_("--jobs and --cluster go with --within or --pawns"))
