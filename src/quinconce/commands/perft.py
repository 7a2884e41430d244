"""`quinconce perft`: counts the sequences of moves, by the kernel or by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import click

from quinconce.commands.options import (
    kill_on_ctrl_c,
    parse_game,
    parse_whole_number,
    position_arguments,
)
from quinconce.core.game import perft
from quinconce.core.move_input import parse_typed_move
from quinconce.core.move_limit import list_moves, read_position
from quinconce.core.phrase import _
from quinconce.terminal.progress import progress_bar

MAX_PERFT_DEPTH: Final = 100  # plies; no count gets that far


@click.command("perft", help=_("Count the sequences of exactly DEPTH moves."))
@position_arguments
@click.argument("depth")
@click.option(
    "--rules", "by_rules", is_flag=True, help=_("by the plain rules instead of the kernel")
)
@click.option("--split", is_flag=True, help=_("show the count after each first move"))
def perft_command(
    name: str,
    depth: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    by_rules: bool,
    split: bool,
) -> None:
    """Count moves by the board alone: repetition, quiet turns and passing end no game here.

    This also holds for the moves of `--after`.
    """
    rules = parse_game(name, options)
    position = rules.start() if start is None else read_position(rules, start)
    for typed in after.split():
        position = rules.after(position, parse_typed_move(rules, position, typed))
    plies = parse_whole_number("DEPTH", depth, MAX_PERFT_DEPTH)
    if plies == 0:
        click.echo(1)
        return
    leaves: Callable[[Any, int], int] = partial(perft, rules)
    if not by_rules:
        from quinconce.kernels.kernel import kernel_for  # compiled code is slow to load

        leaves = kernel_for(rules).perft
    counts: dict[str, int] = {}
    with progress_bar() as progress, kill_on_ctrl_c():
        moves = sorted(list_moves(rules, position).items())
        for text, following in progress.track(moves, description="perft"):
            counts[text] = leaves(following, plies - 1)
    if split:
        for text, total in counts.items():
            click.echo(f"{text} {total}")
    click.echo(sum(counts.values()))
