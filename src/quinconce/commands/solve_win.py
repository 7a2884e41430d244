"""The part of `solve` that proves a win within so many plies, by one process or by many."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click
from rich.console import Console
from rich.status import Status

from quinconce.commands.workers import worker_source
from quinconce.core.claim import Claim
from quinconce.core.phrase import _
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.proofs import parallel as sharing
    from quinconce.solvers.proofs.prover import ProofProgress, Prover

COMPILING_STATUS: Final = _("compiling, which takes some seconds the first time")


class WinQuestion(NamedTuple):
    """A question about a win, and what its answer may take."""

    claim: Claim
    memory: float
    wide: bool
    checkpoint: Path | None


def prove_in_process(say: Voice, asked: WinQuestion) -> Prover:
    """The answer of one process, told."""
    from quinconce.solvers.proofs.prover import Prover  # Numba is slow to load

    prover = Prover(asked.claim, asked.memory)
    with status_line(say(COMPILING_STATUS)) as status:
        prover.run(
            lambda progress: status.update(progress_line(say, progress)),
            asked.checkpoint,
            asked.wide,
        )
    print_answer(say, asked, prover.answer)
    click.echo(progress_line(say, prover.progress))
    return prover


def prove_in_parallel(say: Voice, asked: WinQuestion, jobs: int, cluster: str | None) -> Prover:
    """The answer of several processes, told; the prover knows what their proof rests on.

    The processes of this machine share its memory; each worker of a cluster has so much.
    """
    from quinconce.solvers.proofs.parallel import ParallelProver

    shared = ParallelProver(asked.claim, asked.memory / jobs, asked.wide)
    with worker_source(jobs, cluster) as workers, status_line(say(COMPILING_STATUS)) as status:
        try:
            shared.run(
                workers.pools,
                lambda progress: status.update(parallel_progress_line(say, progress)),
                asked.checkpoint,
            )
        except KeyboardInterrupt:
            click.echo(parallel_progress_line(say, shared.progress), err=True)
            if asked.checkpoint:
                click.echo(say(_("Stopped. The same command goes on from here.")), err=True)
            raise
        in_the_end = parallel_progress_line(say, shared.progress)
    print_answer(say, asked, shared.answer)
    click.echo(in_the_end)
    return shared.local_prover(asked.memory)


def print_answer(say: Voice, asked: WinQuestion, found: bool | None) -> None:
    """Yes or no, in words."""
    claim = asked.claim.sentence()
    click.echo(
        say(_("Proved. {claim}.", claim=claim) if found else _("Refuted: {claim}.", claim=claim))
    )


def status_line(text: str) -> AbstractContextManager[Status]:
    """A line that changes, on standard error, if somebody is watching."""
    console = Console(stderr=True, quiet=not Console(stderr=True).is_terminal)
    return console.status(text)


def progress_line(say: Voice, progress: ProofProgress) -> str:
    """How far a search is, on one line."""
    speed = progress.nodes / progress.seconds if progress.seconds else 0
    return say(
        _(
            "{nodes} positions in {seconds:.1f} s, {speed:.0f} a second, proof {proof}, "
            "disproof {disproof}, table {used:.1%} full",
            speed=speed,
            **progress._asdict(),
        )
    )


def parallel_progress_line(say: Voice, progress: sharing.ParallelProgress) -> str:
    """How far a search by many is, on one line."""
    speed = progress.nodes / progress.seconds if progress.seconds else 0
    return say(
        _(
            "{nodes} positions in {seconds:.1f} s, {speed:.0f} a second, proof {proof}, "
            "disproof {disproof}, jobs under way: {jobs}, at most {most} positions by one worker",
            speed=speed,
            **progress._asdict(),
        )
    )
