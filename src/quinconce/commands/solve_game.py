"""`quinconce solve` of a whole game: every position, solved backwards from the ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from quinconce.core import counts
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.terminal.progress import status_line
from quinconce.words import Voice
from quinconce.words.sentences import value_phrase

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
    worths = found.move_values(match.position)
    click.echo(say(_("This position: {value}.", value=value_phrase(*found.value(match.position)))))
    for text in sorted(worths):
        click.echo(f"  {text:8} {say(value_phrase(*worths[text]))}")


def solution_sentences(found: Solution, seconds: float) -> list[Phrase]:
    """What is found in a solved game."""
    figures = found.statistics
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
            "The longest win takes {win}, the longest loss {loss}.",
            win=counts.plies(figures.longest_win),
            loss=counts.plies(figures.longest_loss),
        ),
        _("The start: {value}.", value=value_phrase(*found.value(found.game.start()))),
    ]
