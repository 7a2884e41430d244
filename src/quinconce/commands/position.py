"""`quinconce position`, `moves`, `result` and `show`: what a position is like."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from quinconce.commands.options import parse_match, position_arguments
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.words import Voice
from quinconce.words.proven import move_phrase


@click.command("position", help=_("The position as one line of text."))
@position_arguments
def show_position(name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """Print what `--position` reads."""
    match = parse_match(name, options, start, after)
    click.echo(match.game.write(match.position))


@click.command("moves", help=_("The legal moves, one a line; none when the game is over."))
@position_arguments
@click.option(
    "--proven", is_flag=True, help=_("what is proved of each, or that it is open; the best first")
)
@click.pass_obj
def list_moves(
    say: Voice, name: str, options: Sequence[str], start: str | None, after: str, proven: bool
) -> None:
    """Print the legal moves, sorted by plain character order, or by what is proved of them."""
    match = parse_match(name, options, start, after)
    if proven:
        return print_proven_moves(say, match)
    for text in sorted(match.legal()):
        click.echo(text)


def print_proven_moves(say: Voice, match: Match[Any]) -> None:
    """Print each legal move with what is known of it in words."""
    if not (legal := match.legal()):
        return
    from quinconce.commands.engine import compile_engine  # slow to load, as Numba is

    compile_engine(say, match.game)
    from quinconce.engine.move_values import known_moves

    width = max(map(len, legal))
    for text, result, plies, turns in known_moves(match):
        words = say(move_phrase(match.game, match.position, result, plies, turns))
        click.echo(f"{text:<{width}}  {words}")


@click.command("result", help=_("Whether the game is over, who won and why, as JSON."))
@position_arguments
def show_result(name: str, options: Sequence[str], start: str | None, after: str) -> None:
    """Print the outcome as JSON; seats are counted from 0."""
    outcome = parse_match(name, options, start, after).outcome()
    winners, reason = (list(outcome.winners), outcome.reason) if outcome else ([], None)
    click.echo(json.dumps({"over": outcome is not None, "winners": winners, "reason": reason}))


@click.command("show", help=_("Show the position in the terminal."))
@position_arguments
@click.pass_obj
def show_board(
    say: Voice, name: str, options: Sequence[str], start: str | None, after: str
) -> None:
    """Draw the board with characters, in colour where the terminal has it."""
    from rich.console import Console

    from quinconce.terminal.scenes import render_match  # slow to load

    console = Console()
    console.print(render_match(parse_match(name, options, start, after), say, console))
