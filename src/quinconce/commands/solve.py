"""The commands about what is certain: solve a game, prove a win, check a proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from quinconce.commands.options import parse_match, position_arguments, progress_bar
from quinconce.commands.solve_endgames import endgame_options, solve_endgames
from quinconce.commands.solve_win import (
    WinQuestion,
    prove_in_parallel,
    prove_in_process,
    status_line,
)
from quinconce.commands.workers import check_worker_options, worker_options
from quinconce.core.claim import Claim
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.solvers.proofs.certificate import format_certificate, read_certificate
from quinconce.solvers.proofs.verify import verify
from quinconce.words import Voice
from quinconce.words.sentences import value_phrase

if TYPE_CHECKING:
    from quinconce.solvers.proofs.prover import Prover
    from quinconce.solvers.retrograde import Solution

MIN_MEGABYTES: Final = 1.0  # megabytes
MAX_MEGABYTES: Final = float(1 << 20)


@click.command("solve", help=_("Solve a game or its endings, or prove a win within N plies."))
@position_arguments
@click.option("--within", type=int, metavar="N", help=_("is there a win within N plies?"))
@click.option("--player", type=int, metavar="P", help=_("of player P; else who plays the N-th ply"))
@click.option("--wide", is_flag=True, help=_("try every move in turn: quicker where there is none"))
@click.option("--certificate", type=click.Path(path_type=Path), help=_("write the proof here"))
@click.option(
    "--checkpoint", type=click.Path(path_type=Path), help=_("keep the search here, and resume it")
)
@click.option(
    "--shortest", is_flag=True, help=_("the quickest win in every position of the certificate")
)
@click.option("--memory", type=float, default=256, help=_("megabytes for what is remembered"))
@endgame_options
@worker_options
@click.pass_obj
def solve(
    say: Voice,
    name: str,
    options: Sequence[str],
    start: str | None,
    after: str,
    within: int | None,
    player: int | None,
    wide: bool,
    certificate: Path | None,
    checkpoint: Path | None,
    shortest: bool,
    memory: float,
    pawns: int | None,
    jobs: int | None,
    folder: Path | None,
    cluster: str | None,
) -> None:
    """A game with an index is solved whole; of any other, a question about one position is."""
    if not MIN_MEGABYTES <= memory <= MAX_MEGABYTES:
        first, last = MIN_MEGABYTES, MAX_MEGABYTES
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name="--memory", first=first, last=last)
        )
    match = parse_match(name, options, start, after)
    about_a_win = player is not None or certificate or checkpoint or wide or shortest
    if pawns is not None:
        if start or after or within is not None or about_a_win:
            raise ValueError(_("--pawns solves all positions: name no position and no win"))
        solve_endgames(say, match.game, pawns, jobs, folder, cluster)
        return
    if folder:
        raise ValueError(_("say --pawns how many"))
    check_worker_options(jobs, cluster)
    if within is None:
        if about_a_win:
            raise ValueError(_("say --within how many plies"))
        if jobs is not None or cluster is not None:
            raise ValueError(_("--jobs and --cluster go with --within or --pawns"))
        solve_game(say, match)
        return
    claim = Claim.for_player(match.game, match.position, player, within)
    for path in filter(None, (certificate, checkpoint)):
        with name_file_in_errors(path):  # before the work is done, not after
            path.parent.resolve(strict=True)
    asked = WinQuestion(claim, memory, wide, checkpoint)
    if cluster is None and jobs in (None, 1):
        prover = prove_in_process(say, asked)
    else:
        prover = prove_in_parallel(say, asked, jobs or 1, cluster)
    if certificate and prover.answer:
        write_certificate_file(say, prover, certificate, shortest)


def solve_game(say: Voice, match: Match[Any]) -> None:
    """Every position of the game, and what this one is worth."""
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
    """What a solved game has come to."""
    figures = found.statistics
    return [
        _(
            "{game}: {n} positions solved in {seconds:.1f} s, {classes} up to symmetry.",
            game=found.game.title,
            n=figures.won + figures.drawn + figures.lost,
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
            "The longest win takes {win} plies, the longest loss {loss}.",
            win=figures.longest_win,
            loss=figures.longest_loss,
        ),
        _("The start: {value}.", value=value_phrase(*found.value(found.game.start()))),
    ]


def write_certificate_file(say: Voice, prover: Prover, path: Path, shortest: bool) -> None:
    """Write the certificate of a proof."""
    from quinconce.solvers.proofs.extract import extract_certificate

    with status_line("") as status:
        found = extract_certificate(
            prover,
            lambda n: status.update(say(_("writing the proof: {n} answers", n=n))),
            shortest,
        )
    with name_file_in_errors(path):
        write_atomically(path, format_certificate(found))
    click.echo(
        say(
            _(
                "{file}: {n} answers. Check them with: quinconce verify {file}",
                file=path,
                n=len(found.answers),
            )
        )
    )


@click.command("verify", help=_("Check a certificate by playing every game with the plain rules."))
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def verify_command(say: Voice, file: Path) -> None:
    """What it proves, or where it fails."""
    found = read_certificate(file)
    with name_file_in_errors(file), progress_bar() as progress:
        task = progress.add_task(say(_("checking")), total=len(found.answers))
        advance: Callable[[int], None] = lambda n: progress.update(task, completed=n)  # noqa: E731
        verdict = verify(found, advance)
    click.echo(say(_("It holds. {claim}.", claim=found.claim.sentence())))
    click.echo(
        say(
            _(
                "Checked with the plain rules: {answers} answers against {replies} replies; the "
                "longest game takes {longest} plies.",
                answers=verdict.answers,
                replies=verdict.replies,
                longest=verdict.longest,
            )
        )
    )


COMMANDS: Final = (solve, verify_command)
