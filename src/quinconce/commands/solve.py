"""`quinconce solve` chooses one of three jobs and does that of a whole game; `quinconce verify`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quinconce.commands.options import check_range, parse_match, position_arguments
from quinconce.commands.solve_endgames import EndgameOptions, endgame_options, solve_endgames
from quinconce.commands.solve_win import (
    MAX_MEGABYTES,
    MIN_MEGABYTES,
    WinOptions,
    solve_win,
    win_options,
)
from quinconce.commands.workers import WorkerOptions, worker_options
from quinconce.core import counts
from quinconce.core.files import name_file_in_errors
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.kernels.homes import use_native
from quinconce.solvers.proofs.certificate import read_certificate
from quinconce.solvers.proofs.verify import verify
from quinconce.terminal.progress import progress_bar, status_line
from quinconce.words import Voice
from quinconce.words.proven import value_phrase, winner_moves

if TYPE_CHECKING:
    from quinconce.solvers.retrograde import Solution

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
    use_native("quinconce solve")
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


def solve_game(say: Voice, match: Match[Any]) -> None:
    """Solve every position of the game, and print what this one is worth."""
    from quinconce.solvers.retrograde import solution  # compiled code is slow to load

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


@click.command("verify", help=_("Check a certificate by playing every game with the plain rules."))
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def verify_command(say: Voice, file: Path) -> None:
    """Print what a certificate proves, or where it fails."""
    found = read_certificate(file)
    with name_file_in_errors(file), progress_bar() as progress:
        task = progress.add_task(say(_("checking")), total=len(found.answers))
        advance: Callable[[int], None] = lambda n: progress.update(task, completed=n)  # noqa: E731
        verdict = verify(found, advance)
    click.echo(say(_("It holds. {claim}.", claim=found.claim.sentence())))
    click.echo(
        say(
            _(
                "Checked with the plain rules: {answers} against {replies}; the longest game takes "
                "{longest}.",
                answers=counts.answers(verdict.answers),
                replies=counts.replies(verdict.replies),
                longest=counts.plies(verdict.longest),
            )
        )
    )
