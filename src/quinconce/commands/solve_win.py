"""The part of `solve` that proves a win within so many plies, by one process or by many."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
from rich.console import Console
from rich.status import Status

from quinconce.commands.workers import market
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase as _
from quinconce.solvers.proofs.verify import Certificate
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.solvers.proofs import parallel as sharing
    from quinconce.solvers.proofs.prover import Progress, Prover

COMPILING: Final = _("compiling, which takes some seconds the first time")


class Asked(NamedTuple):
    """A question about a win, and what its answer may take."""

    game: Game[Any]
    position: Any
    side: int
    within: int
    memory: float
    wide: bool
    checkpoint: Path | None

    @property
    def question(self) -> tuple[Game[Any], Any, int, int]:
        """The question alone."""
        return self.game, self.position, self.side, self.within


def proved_alone(say: Voice, asked: Asked) -> Prover:
    """The answer of one process, told."""
    from quinconce.solvers.proofs.prover import Prover  # Numba is slow to load

    prover = Prover(*asked.question, asked.memory)
    with living(say(COMPILING)) as status:
        prover.run(
            lambda progress: status.update(told(say, progress)), asked.checkpoint, asked.wide
        )
    answer(say, asked, prover.answer)
    click.echo(told(say, prover.progress))
    return prover


def proved_together(say: Voice, asked: Asked, jobs: int, cluster: str | None) -> Prover:
    """The answer of several processes, told; the prover knows what their proof rests on.

    The processes of this machine share its memory; each worker of a cluster has so much.
    """
    from quinconce.solvers.proofs.parallel import SharedProof

    shared = SharedProof(*asked.question, asked.memory / jobs, asked.wide)
    with market(jobs, cluster) as workers, living(say(COMPILING)) as status:
        try:
            shared.run(
                workers.apart,
                lambda progress: status.update(told_together(say, progress)),
                asked.checkpoint,
            )
        except KeyboardInterrupt:
            click.echo(told_together(say, shared.progress), err=True)
            if asked.checkpoint:
                click.echo(say(_("Stopped. The same command goes on from here.")), err=True)
            raise
        in_the_end = told_together(say, shared.progress)
    answer(say, asked, shared.answer)
    click.echo(in_the_end)
    return shared.prover(asked.memory)


def answer(say: Voice, asked: Asked, found: bool | None) -> None:
    """Yes or no, in words."""
    claim = Certificate(*asked.question, {}, {}).claim()
    click.echo(
        say(_("Proved. {claim}.", claim=claim) if found else _("Refuted: {claim}.", claim=claim))
    )


def living(text: str) -> AbstractContextManager[Status]:
    """A line that changes, on standard error, if somebody is watching."""
    console = Console(stderr=True, quiet=not Console(stderr=True).is_terminal)
    return console.status(text)


def told(say: Voice, progress: Progress) -> str:
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


def told_together(say: Voice, progress: sharing.Progress) -> str:
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
