"""`quinconce solve --within`: proves a win within N plies, by one process or by several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from quinconce.commands.options import check_output_file
from quinconce.commands.workers import WorkerOptions, worker_source
from quinconce.core import counts
from quinconce.core.claim import Claim
from quinconce.core.files import name_file_in_errors, write_atomically
from quinconce.core.match import Match
from quinconce.core.phrase import _, ngettext
from quinconce.solvers.proofs.certificate import format_certificate
from quinconce.terminal.progress import COMPILING_STATUS, STOPPED_NOTICE, status_line
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.proofs.parallel import ParallelProgress
    from quinconce.solvers.proofs.prover import ProofProgress, Prover

MIN_MEGABYTES: Final = 1.0
MAX_MEGABYTES: Final = float(1 << 20)


@dataclass(frozen=True)
class WinOptions:
    """What `solve` is given about a win."""

    within: int | None
    player: int | None
    wide: bool
    certificate: Path | None
    checkpoint: Path | None
    shortest: bool
    memory: float  # megabytes

    def any_given(self) -> bool:
        """Whether there is any option that means something only beside `--within`."""
        files = self.certificate or self.checkpoint
        return bool(self.player is not None or files or self.wide or self.shortest)


def win_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `solve` about a win; the last comes first, as with decorators."""
    file = click.Path(path_type=Path)
    for option in (
        click.option(
            "--memory", type=float, default=256, help=_("megabytes for what is remembered")
        ),
        click.option(
            "--shortest",
            is_flag=True,
            help=_("the quickest win in every position of the certificate"),
        ),
        click.option("--checkpoint", type=file, help=_("keep the search here, and resume it")),
        click.option("--certificate", type=file, help=_("write the proof here")),
        click.option(
            "--wide", is_flag=True, help=_("try every move in turn: quicker if there is no win")
        ),
        click.option(
            "--player",
            type=int,
            metavar="P",
            help=_("of player P; else of the player of the N-th ply"),
        ),
        click.option("--within", type=int, metavar="N", help=_("is there a win within N plies?")),
    ):
        command = option(command)
    return command


def solve_win(say: Voice, match: Match[Any], options: WinOptions, workers: WorkerOptions) -> None:
    """Prove or refute the win, print the answer, and write its certificate if asked to."""
    assert options.within is not None
    claim = Claim.for_player(match.game, match.position, options.player, options.within)
    check_output_file(options.certificate)
    check_output_file(options.checkpoint)
    if workers.cluster is None and workers.jobs in (None, 1):
        prover = prove_in_process(say, claim, options)
    else:
        prover = prove_in_parallel(say, claim, options, workers)
    if options.certificate and prover.answer:
        write_certificate_file(say, prover, options.certificate, options.shortest)


def prove_in_process(say: Voice, claim: Claim, options: WinOptions) -> Prover:
    """Search in this process, print the answer, and return the prover that found it."""
    from quinconce.solvers.proofs.prover import Prover  # compiled code is slow to load

    prover = Prover(claim, options.memory)
    with status_line(say(COMPILING_STATUS)) as status:
        prover.run(
            lambda progress: status.update(progress_line(say, progress)),
            options.checkpoint,
            options.wide,
        )
    print_answer(say, claim, prover.answer)
    click.echo(progress_line(say, prover.progress))
    return prover


def prove_in_parallel(
    say: Voice, claim: Claim, options: WinOptions, workers: WorkerOptions
) -> Prover:
    """Search in several processes, print the answer, and return a prover that holds their proof.

    The processes of this machine share its memory; each worker of a cluster has as much.
    """
    from quinconce.solvers.proofs.parallel import ParallelProver

    jobs = workers.jobs or 1
    shared = ParallelProver(claim, options.memory / jobs, options.wide)
    with (
        worker_source(jobs, workers.cluster) as source,
        status_line(say(COMPILING_STATUS)) as status,
    ):
        try:
            shared.run(
                source.pools,
                lambda progress: status.update(parallel_progress_line(say, progress)),
                options.checkpoint,
            )
        except KeyboardInterrupt:
            click.echo(parallel_progress_line(say, shared.progress), err=True)
            if options.checkpoint:
                click.echo(say(STOPPED_NOTICE), err=True)
            raise
        summary = parallel_progress_line(say, shared.progress)
    print_answer(say, claim, shared.answer)
    click.echo(summary)
    return shared.local_prover(options.memory)


def print_answer(say: Voice, claim: Claim, answer: bool | None) -> None:
    """Print whether the claim holds."""
    sentence = claim.sentence()
    proved, refuted = _("Proved. {claim}.", claim=sentence), _("Refuted: {claim}.", claim=sentence)
    click.echo(say(proved if answer else refuted))


def progress_line(say: Voice, progress: ProofProgress) -> str:
    """How far a search is, on one line."""
    speed = progress.nodes / progress.seconds if progress.seconds else 0
    return say(
        _(
            "{positions} in {seconds:.1f} s, {speed:.0f} a second, proof {proof}, "
            "disproof {disproof}, table {used:.1%} full",
            positions=counts.positions(progress.nodes),
            speed=speed,
            **progress._asdict(),
        )
    )


def parallel_progress_line(say: Voice, progress: ParallelProgress) -> str:
    """How far a search by several workers is, on one line."""
    speed = progress.nodes / progress.seconds if progress.seconds else 0
    return say(
        _(
            "{positions} in {seconds:.1f} s, {speed:.0f} a second, proof {proof}, "
            "disproof {disproof}, jobs under way: {jobs}, at most {largest} by one worker",
            positions=counts.positions(progress.nodes),
            largest=counts.positions(progress.most),
            speed=speed,
            **progress._asdict(),
        )
    )


def write_certificate_file(say: Voice, prover: Prover, path: Path, shortest: bool) -> None:
    """Write the certificate of a proof."""
    from quinconce.solvers.proofs.extract import extract_certificate

    with status_line("") as status:
        found = extract_certificate(
            prover,
            lambda n: status.update(
                say(ngettext("writing the proof: {n} answer", "writing the proof: {n} answers", n))
            ),
            shortest,
        )
    with name_file_in_errors(path):
        write_atomically(path, format_certificate(found))
    click.echo(
        say(
            ngettext(
                "{file}: {n} answer. Check it with: quinconce verify {file}",
                "{file}: {n} answers. Check them with: quinconce verify {file}",
                len(found.answers),
                file=path,
            )
        )
    )
