"""`quinconce levels` and `quinconce warmup`: the engine's levels, and compiling it ahead."""

from __future__ import annotations

from typing import Any

import click

from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.core.registry import game_class, game_forms, names
from quinconce.engine.levels import LEVELS
from quinconce.engine.warmup import Step, form_of, mark_puzzles
from quinconce.puzzles.puzzle import games_with_puzzles, puzzles_for
from quinconce.terminal.progress import preparation_bar
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
    from quinconce.engine.preparation import one_game_per_kind

    for game in one_game_per_kind([game for each in wanted for game in game_forms(each)]):
        compile_engine(say, game)
    for game in [game for each in wanted for game in games_with_puzzles(each)]:
        compile_judge(say, game)
    click.echo(say(_("The engine is ready.")))


def compile_engine(say: Voice, game: Game[Any]) -> None:
    """Compile the engine for a game, with a progress bar while it takes its time."""
    from quinconce.engine.preparation import prepare

    with preparation_bar(say, Step(form_of(game), "play")):
        prepare(game)
    with preparation_bar(say, Step(form_of(game), "proofs")):
        prepare(game, informed=True)


def compile_judge(say: Voice, game: Game[Any]) -> None:
    """Compile what the judge of puzzles needs, with a progress bar."""
    from quinconce.puzzles.judge import judge_move

    with preparation_bar(say, Step(form_of(game), "puzzles")):
        for puzzle in puzzles_for(game)[:1]:
            judge_move(puzzle, puzzle.line[:1])
    mark_puzzles(form_of(game))
