"""`quinconce verify`: checks a certificate with the plain rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from quinconce.core import counts
from quinconce.core.files import name_file_in_errors
from quinconce.core.phrase import _
from quinconce.solvers.proofs.certificate import read_certificate
from quinconce.solvers.proofs.verify import verify
from quinconce.terminal.progress import progress_bar
from quinconce.words import Voice


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
