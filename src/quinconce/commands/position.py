"""`quinconce position`, `moves`, `result` and `show`: what a position is like."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from quinconce.commands.options import parse_match, position_arguments
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.words import Voice
from quinconce.words.proven import move_phrase

if TYPE_CHECKING:
    from quinconce.engine.move_values import KnownMove


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
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=_("as JSON: each with its places and the position after it"),
)
@click.pass_obj
def list_moves(
    say: Voice,
    name: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    proven: bool,
    as_json: bool,
) -> None:
    """Print the legal moves, sorted by plain character order, or by what is proved of them."""
    match = parse_match(name, options, start, after)
    legal = match.legal()
    if as_json:
        moves = {text: move_as_json(match, text, legal[text]) for text in sorted(legal)}
        if proven:
            moves = {known.move: moves[known.move] | known._asdict() for known in find_known(match)}
        return click.echo(json.dumps(list(moves.values())))
    if proven:
        return print_proven_moves(say, match)
    for text in sorted(legal):
        click.echo(text)


def move_as_json(match: Match[Any], text: str, after: Any) -> dict[str, Any]:
    """A legal move as the API has it, and the position that it leads to."""
    game = match.game
    return {
        "move": text,
        "touches": [sorted(step) for step in game.touches(text)],
        "stops": sorted(game.stops(match.position, text)),
        "position": game.write(after),
    }


def print_proven_moves(say: Voice, match: Match[Any]) -> None:
    """Print each legal move with what is known of it in words."""
    found = find_known(match)
    width = max((len(known.move) for known in found), default=0)
    for text, result, plies, turns in found:
        words = say(move_phrase(match.game, match.position, result, plies, turns))
        click.echo(f"{text:<{width}}  {words}")


def find_known(match: Match[Any]) -> Sequence[KnownMove]:
    """Every legal move with what is proved of it, the best first."""
    if match.outcome():
        return []
    from quinconce.engine.move_values import known_moves  # slow to load

    return known_moves(match)


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
