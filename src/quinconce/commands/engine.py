"""`quinconce levels` and `quinconce warmup`: the engine's levels, and compiling it ahead."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from quinconce.core.phrase import _
from quinconce.core.registry import game_class, game_forms, names
from quinconce.engine.levels import LEVELS
from quinconce.terminal.progress import progress_bar
from quinconce.words import Voice


@click.command("levels", help=_("The levels of the engine by name."))
@click.pass_obj
def show_levels(say: Voice) -> None:
    """Print the levels from the first to full strength."""
    for number, level in enumerate(LEVELS, start=1):
        click.echo(f"{number:2} {say(level.name)}")


@click.command("warmup", help=_("Compile the engine ahead, for every game or for one."))
@click.argument("name", metavar="[GAME]", required=False)
@click.pass_obj
def warmup(say: Voice, name: str | None) -> None:
    """Compile the engine; Numba caches the result."""
    wanted = [game_class(name).name] if name else names()
    from quinconce.engine.preparation import one_game_per_kind, prepare

    games = one_game_per_kind([game for each in wanted for game in game_forms(each)])
    with progress_bar() as progress:
        for game in progress.track(games, description=say(_("compiling"))):
            prepare(game, informed=True)
    click.echo(say(_("The engine is ready.")))


def compile_engine(say: Voice, game: Any) -> None:
    """Compile the engine for a game, with a status line while it takes its time."""
    from quinconce.engine.preparation import prepare

    console = Console(stderr=True)
    with console.status(say(_("compiling the engine for this game, once"))):
        prepare(game, informed=True)
