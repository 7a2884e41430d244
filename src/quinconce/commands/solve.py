"""The commands about what is certain: solve a game, prove a win, check a proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from quinconce.commands.options import arrived, bar, the_position
from quinconce.commands.solve_endgames import endings_options, solve_endings
from quinconce.commands.solve_win import Asked, living, proved_alone, proved_together
from quinconce.commands.workers import check_workers, workers_options
from quinconce.core.files import told_by_name, write_whole
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.solvers.proofs.shipped import read_file
from quinconce.solvers.proofs.verify import verify, write_certificate
from quinconce.words import Voice
from quinconce.words.sentences import proved

if TYPE_CHECKING:
    from quinconce.solvers.proofs.prover import Prover
    from quinconce.solvers.retrograde import Solution

LEAST_MEMORY: Final = 1.0  # megabytes
MOST_MEMORY: Final = float(1 << 20)


@click.command("solve", help=_("Solve a game or its endings, or prove a win within N plies."))
@the_position
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
@endings_options
@workers_options
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
    if not LEAST_MEMORY <= memory <= MOST_MEMORY:
        first, last = LEAST_MEMORY, MOST_MEMORY
        raise ValueError(
            _("{name} goes from {first:g} to {last:g}", name="--memory", first=first, last=last)
        )
    match = arrived(name, options, start, after)
    about_a_win = player is not None or certificate or checkpoint or wide or shortest
    if pawns is not None:
        if start or after or within is not None or about_a_win:
            raise ValueError(_("--pawns solves all positions: name no position and no win"))
        solve_endings(say, match.game, pawns, jobs, folder, cluster)
        return
    if folder:
        raise ValueError(_("say --pawns how many"))
    check_workers(jobs, cluster)
    if within is None:
        if about_a_win:
            raise ValueError(_("say --within how many plies"))
        if jobs is not None or cluster is not None:
            raise ValueError(_("--jobs and --cluster go with --within or --pawns"))
        solve_whole(say, match)
        return
    side = asked_side(match, within, player)
    for path in filter(None, (certificate, checkpoint)):
        with told_by_name(path):  # before the work is done, not after
            path.parent.resolve(strict=True)
    asked = Asked(match.game, match.position, side, within, memory, wide, checkpoint)
    if cluster is None and jobs in (None, 1):
        prover = proved_alone(say, asked)
    else:
        prover = proved_together(say, asked, jobs or 1, cluster)
    if certificate and prover.answer:
        certify(say, prover, certificate, shortest)


def asked_side(match: Match[Any], within: int, player: int | None) -> int:
    """The side whose win is asked for."""
    game = match.game
    if player is None:
        turn = match.position.turn + within - 1
        return game.side(game.cycle[turn % len(game.cycle)])
    if not 1 <= player <= game.seats:
        raise ValueError(_("the players go from 1 to {last}", last=game.seats))
    return game.side(player - 1)


def solve_whole(say: Voice, match: Match[Any]) -> None:
    """Every position of the game, and what this one is worth."""
    from quinconce.solvers.retrograde import solution  # Numba is slow to load

    started = time.perf_counter()
    with living(say(_("solving {game}", game=match.game.title))):
        found = solution(match.game)
    if not found:
        raise ValueError(_("this game is too large to be solved whole: say --within N"))
    seconds = time.perf_counter() - started
    for line in facts(found, seconds):
        click.echo(say(line))
    worths = found.moves(match.position)
    click.echo(say(_("This position: {value}.", value=proved(*found.value(match.position)))))
    for text in sorted(worths):
        click.echo(f"  {text:8} {say(proved(*worths[text]))}")


def facts(found: Solution, seconds: float) -> list[_]:
    """What a solved game has come to."""
    figures = found.figures
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
        _("The start: {value}.", value=proved(*found.value(found.game.start()))),
    ]


def certify(say: Voice, prover: Prover, path: Path, shortest: bool) -> None:
    """Write the certificate of a proof."""
    from quinconce.solvers.proofs.extract import certificate

    with living("") as status:
        found = certificate(
            prover,
            lambda n: status.update(say(_("writing the proof: {n} answers", n=n))),
            shortest,
        )
    with told_by_name(path):
        write_whole(path, write_certificate(found))
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
def check_certificate(say: Voice, file: Path) -> None:
    """What it proves, or where it fails."""
    found = read_file(file)
    with told_by_name(file), bar() as progress:
        task = progress.add_task(say(_("checking")), total=len(found.answers))
        advance: Callable[[int], None] = lambda n: progress.update(task, completed=n)  # noqa: E731
        verdict = verify(found, advance)
    click.echo(say(_("It holds. {claim}.", claim=found.claim())))
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


COMMANDS: Final = (solve, check_certificate)
