"""The time and the size of moving pictures of random matches: `python -m` this module."""

from __future__ import annotations

import random
import time
from typing import Any

import click

from quinconce import Match, game, names
from quinconce.draw.raster import MOVING_FORMATS, MOVING_WIDTH, render_moving


def random_match(name: str, plies: int, chance: random.Random) -> Match[Any]:
    """A match of random moves, of this length or until it is over."""
    match = Match(game(name))
    while len(match.moves) < plies and not match.outcome():
        match.play(chance.choice([text for text, _after in match.game.moves(match.position)]))
    return match


@click.command()
@click.option("--plies", default=40)
@click.option("--width", default=MOVING_WIDTH)
def main(plies: int, width: int) -> None:
    """Print both for every game and format."""
    for name in names():
        match = random_match(name, plies, random.Random(1))
        for kind in MOVING_FORMATS:
            begun = time.process_time()
            *_frames, (_done, frames, content) = render_moving(match, kind, width=width)
            seconds, size = time.process_time() - begun, len(content) / 1000
            click.echo(f"{name} {kind}: {frames} frames, {seconds:.1f} s, {size:.0f} kB")


if __name__ == "__main__":
    main()
