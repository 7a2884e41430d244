"""`quinconce solve` of a whole game: every position, solved backwards from the ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.terminal.progress import status_line
from quinconce.words import Voice
from quinconce.words.proven import value_phrase, winner_moves

if TYPE_CHECKING:
    from quinconce.solvers.retrograde import Solution


def solve_game(say: Voice, match: Match[Any]) -> None:
    """Solve every position of the game, and print what this one is worth."""
    from quinconce.solvers.retrograde import solution  # Numba is slow to load

    started = time.perf_counter()
    with status_line(say(_("solving {game}", game=match.game.title))):
        found = solution(match.game)
    if not found:
        raise ValueError(_("this game is too large to be solved whole: say --within N"))
    seconds = time.perf_counter() - started
    for line in solution_sentences(found, seconds):
        click.echo(say(line))
    game, here = match.game, match.position
    value = value_phrase(game, here, *found.value(here))
    click.echo(say(_("This position: {value}.", value=value)))
    for text, worth in sorted(found.move_values(here).items()):
        click.echo(f"  {text:8} {say(value_phrase(game, here, *worth))}")


def solution_sentences(found: Solution, seconds: float) -> list[Phrase]:
    """What is found in a solved game."""
    figures, game, start = found.statistics, found.game, found.game.start()
    return [
        ngettext(
            "{game}: {n} position solved in {seconds:.1f} s, {classes} up to symmetry.",
            "{game}: {n} positions solved in {seconds:.1f} s, {classes} up to symmetry.",
            figures.won + figures.drawn + figures.lost,
            game=found.game.title,
            seconds=seconds,
            classes=figures.classes,
        ),
        _(
            "For the player to move: {won} won, {drawn} drawn, {lost} lost.",
            won=figures.won,
            drawn=figures.drawn,
            lost=figures.lost,
        ),
        _(
            "In moves of the winner, the longest win takes {win} and the longest loss {loss}.",
            win=winner_moves(game, start, "win", figures.longest_win),
            loss=winner_moves(game, start, "loss", figures.longest_loss),
        ),
        _("The start: {value}.", value=value_phrase(game, start, *found.value(start))),
    ]
