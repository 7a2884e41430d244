"""`quinconce match`: lets two levels of the engine play matches, and compares them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quinconce.commands.engine import compile_engine
from quinconce.commands.options import MAX_COUNT, MAX_JOBS, check_range, game_option, parse_game
from quinconce.core import counts
from quinconce.core.files import name_file_in_errors
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Record, Seat
from quinconce.engine.levels import level_by_number
from quinconce.terminal.progress import progress_bar
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.engine.elo import MatchScore
    from quinconce.engine.match_runner import MatchResult


@click.command("match", help=_("Let two levels of the engine play matches, and compare them."))
@click.argument("name", metavar="GAME")
@click.argument("first", type=int, metavar="LEVEL")
@click.argument("second", type=int, metavar="LEVEL")
@game_option
@click.option("--games", type=int, default=20, show_default=True, help=_("how many matches"))
@click.option("--seed", type=int, default=0, help=_("of all that is left to chance"))
@click.option("--jobs", type=int, default=1, help=_("this many matches at a time"))
@click.option(
    "--any-openings",
    is_flag=True,
    help=_("won and lost openings, too, in a game that is solved"),
)
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    help=_("the folder for their records"),
)
@click.pass_obj
def match_levels(
    say: Voice,
    name: str,
    first: int,
    second: int,
    options: Sequence[str],
    games: int,
    seed: int,
    jobs: int,
    any_openings: bool,
    records: Path | None,
) -> None:
    """Play each opening twice, with the sides exchanged, and keep the records.

    Openings are even where the game is solved, unless any are allowed.
    """
    rules = parse_game(name, options)
    level_by_number(first)
    level_by_number(second)
    check_range("--games", games, 1, MAX_COUNT)
    check_range("--jobs", jobs, 1, MAX_JOBS)
    folder = records or Path(f"{name}-{first}-{second}-{datetime.now():%Y%m%d-%H%M%S}")
    from quinconce.engine.elo import MatchScore
    from quinconce.engine.match_runner import any_opening, even_openings, run_matches
    from quinconce.engine.move_choice import level_player

    score = MatchScore()
    with name_file_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=records is not None)
    compile_engine(say, rules)
    with progress_bar() as progress:
        task = progress.add_task(say(_("playing")), total=games)
        try:
            for done in run_matches(
                rules,
                level_player(first),
                level_player(second),
                games,
                seed=seed,
                jobs=jobs,
                accepts=any_opening if any_openings else even_openings(rules),
            ):
                score.add(done)
                save_match(done, first, second, seed, folder)
                progress.update(task, advance=1, description=say(score_phrase(score)))
        except KeyboardInterrupt:
            click.echo(say(_("Stopped.")), err=True)
    if score.games:
        click.echo(say(match_summary(score, first, second)))
        click.echo(say(_("The records are in {folder}.", folder=folder)))


def save_match(result: MatchResult, first: int, second: int, seed: int, folder: Path) -> None:
    """Write the record of a match, with the level that played in each seat."""
    seats = [
        Seat(level=first if seat in result.seats else second, seed=seed)
        for seat in range(result.match.game.seats)
    ]
    path = folder / f"{result.number + 1:04}.quinconce"
    with name_file_in_errors(path):
        Record.of(result.match, seats, date.today()).save(path)


def score_phrase(score: MatchScore) -> Phrase:
    """The results so far."""
    won, drawn, lost = score.wins_draws_losses()
    return _("{won} won, {drawn} drawn, {lost} lost", won=won, drawn=drawn, lost=lost)


def match_summary(score: MatchScore, first: int, second: int) -> Phrase:
    """The score of two levels, and the difference of their ratings."""
    difference, low, high = (rating_text(value) for value in score.elo_interval())
    return _(
        "Level {first} against level {second}, {matches}: {standing} ({share:.1%}). "
        "Difference of ratings {difference} (from {low} to {high}, confidence 95 %).",
        first=first,
        second=second,
        matches=counts.matches(score.games),
        standing=score_phrase(score),
        share=score.share,
        difference=difference,
        low=low,
        high=high,
    )


def rating_text(value: float) -> str:
    """A rating difference without its fractions."""
    return f"{value:+.0f}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"
