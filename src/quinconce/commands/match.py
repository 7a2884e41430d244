"""`quinconce match`: matches between levels, bots and programs, as a duel or as a contest."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from quinconce.bridges.contest import Contest, ContestMatch
from quinconce.bridges.contestants import Contestant, LevelContestant, parse_contestant
from quinconce.bridges.time_control import MAX_SECONDS, TimeControl
from quinconce.commands.options import (
    MAX_COUNT,
    MAX_JOBS,
    check_range,
    game_option,
    parse_engine_level,
    parse_game,
)
from quinconce.core import counts
from quinconce.core.files import make_new, name_file_in_errors, write_atomically
from quinconce.core.game import Game
from quinconce.core.option import parse_number
from quinconce.core.phrase import Phrase, _, quote
from quinconce.core.record import Record, Seat
from quinconce.core.registry import game_class, menu_names
from quinconce.terminal.progress import progress_bar
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.engine.elo import MatchScore
    from quinconce.engine.match_runner import MatchResult, OpeningFilter

# Matches of two, and of each pair of more, unless their number is given.
DUEL_GAMES: Final = 20
PAIR_GAMES: Final = 2
PAGE_FILE: Final = "index.html"
CLOCK: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:\+([0-9]+(?:\.[0-9]+)?))?")


@click.command(
    "match",
    help=_(
        "Let levels, bots or programs play: two are compared, more hold a contest. "
        "A PLAYER is a level, engine:LEVEL, a bot's FILE.py or ugi:COMMAND."
    ),
)
@click.argument("words", metavar="[GAME] PLAYER PLAYER...", nargs=-1)
@game_option
@click.option(
    "--games", type=int, help=_("how many matches: 20 for two players, else 2 for each pair")
)
@click.option("--seconds", type=float, help=_("the time for a move, if not 1"))
@click.option(
    "--clock",
    metavar="SECONDS[+SECONDS]",
    help=_("the time of a side for a match, and what each move adds"),
)
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
def match_players(
    say: Voice,
    words: Sequence[str],
    options: Sequence[str],
    games: int | None,
    seconds: float | None,
    clock: str | None,
    seed: int,
    jobs: int,
    any_openings: bool,
    records: Path | None,
) -> None:
    """Play each opening twice, with the sides exchanged, and keep the records.

    Openings are even where the game is solved, unless any are allowed. A contest begins at the
    start of the game.
    """
    name, contestants = parse_contestants(words, say)
    rules = parse_game(name, options)
    duel = len(contestants) == 2
    games = (DUEL_GAMES if duel else PAIR_GAMES) if games is None else games
    check_range("--games", games, 1, MAX_COUNT)
    check_range("--jobs", jobs, 1, MAX_JOBS)
    control = parse_time(seconds, clock)
    levels = [each.level for each in contestants if isinstance(each, LevelContestant)]
    plain = duel and len(levels) == 2 and control is None
    contest = None
    if not plain:
        contest = Contest(
            rules,
            contestants,
            control or TimeControl(),
            games=games,
            from_start=0 if duel else PAIR_GAMES,
            seed=seed,
        )
    label = "-".join(map(str, levels)) if plain else "contest"
    with folder_of_records(records, f"{name}-{label}-{datetime.now():%Y%m%d-%H%M%S}") as folder:
        from quinconce.engine.match_runner import any_opening, even_openings

        accepts: OpeningFilter = any_opening
        if not any_openings and (duel or games > PAIR_GAMES):
            accepts = even_openings(rules)
        if contest:
            contest.accepts = accepts
            run_contest(say, contest, jobs, folder)
        else:
            first, second = levels
            run_duel(say, rules, first, second, games, seed, jobs, accepts, folder)


@contextmanager
def folder_of_records(wanted: Path | None, name: str) -> Iterator[Path]:
    """The folder that is wanted, else a new one, which goes if nothing comes into it."""
    if wanted and wanted.is_file():
        raise ValueError(_("{file}: there is a file already", file=wanted))
    with name_file_in_errors(wanted or Path(name)):
        if wanted:
            wanted.mkdir(parents=True, exist_ok=True)
        folder = wanted or make_new(Path(name), Path.mkdir)
    try:
        yield folder
    finally:
        if not wanted:
            with suppress(OSError):  # there are records in it
                folder.rmdir()


def parse_contestants(words: Sequence[str], say: Voice) -> tuple[str, list[Contestant]]:
    """The game, by default the first of the menu, and those who play it."""
    name, others = menu_names()[0], words
    if words and parse_player(words[0], say) is None:
        name, *others = words
        game_class(name)
    players = []
    for word in others:
        player = parse_player(word, say)
        if player is None:
            raise ValueError(
                _(
                    "{wrong} is no player: a level, engine:LEVEL, FILE.py or ugi:COMMAND",
                    wrong=quote(word),
                )
            )
        players.append(player)
    if len(players) < 2:
        raise ValueError(_("name at least two players: levels, bots or programs"))
    return name, players


def parse_player(text: str, say: Voice) -> Contestant | None:
    """A player as one types it; None for another text."""
    level = parse_number(text)
    if level is None:
        level = parse_engine_level(text, say)
    if level is None:
        return parse_contestant(text)
    word = say(_("engine"))
    return LevelContestant(level, f"{word}:{level}")


def parse_time(seconds: float | None, clock: str | None) -> TimeControl | None:
    """The time as it is given; None if none is."""
    check_range("--seconds", seconds, 0.001, MAX_SECONDS)
    if clock is None:
        return None if seconds is None else TimeControl(seconds)
    if seconds is not None:
        raise ValueError(_("give --seconds for a move or --clock for a match, not both"))
    found = CLOCK.fullmatch(clock)
    if found is None or not 0 < float(found[1]) <= MAX_SECONDS:
        raise ValueError(
            _("--clock is like 60 or 60+1, in seconds, not {wrong}", wrong=quote(clock))
        )
    return TimeControl(clock=float(found[1]), increment=float(found[2] or 0))


def run_duel(
    say: Voice,
    rules: Game[Any],
    first: int,
    second: int,
    games: int,
    seed: int,
    jobs: int,
    accepts: OpeningFilter,
    folder: Path,
) -> None:
    """Let two levels play each other, and rate them."""
    from quinconce.engine.elo import MatchScore
    from quinconce.engine.match_runner import run_matches
    from quinconce.engine.move_choice import level_player

    score = MatchScore()
    players = level_player(first), level_player(second)
    with progress_bar() as progress:
        task = progress.add_task(say(_("playing")), total=games)
        try:
            for done in run_matches(rules, *players, games, seed=seed, jobs=jobs, accepts=accepts):
                score.add(done)
                save_match(done, first, second, seed, folder)
                progress.update(task, advance=1, description=say(score_phrase(score)))
        except KeyboardInterrupt:
            click.echo(say(_("Stopped.")), err=True)
    if score.games:
        click.echo(say(match_summary(score, first, second)))
        click.echo(say(_("The records are in {folder}.", folder=folder)))


def run_contest(say: Voice, contest: Contest, jobs: int, folder: Path) -> None:
    """Play all matches of a contest; keep records, tell what went wrong, write the page."""
    from quinconce.bridges.contest_page import contest_page, record_name
    from quinconce.terminal.tables import standings_table

    console = Console()
    with progress_bar() as progress:
        task = progress.add_task(say(_("playing")), total=contest.total)
        try:
            for match in contest.run(jobs):
                path = folder / record_name(match)
                with name_file_in_errors(path):
                    contest.record(match).save(path)
                if match.result.forfeit:
                    click.echo(say(forfeit_phrase(match)))
                progress.update(task, advance=1)
        except KeyboardInterrupt:
            click.echo(say(_("Stopped.")), err=True)
        finally:
            contest.close()
    if not contest.played:
        return
    console.print(standings_table(say, contest.standings()))
    if len(contest.contestants) == 2:
        click.echo(say(rating_phrase(contest)))
    page = folder / PAGE_FILE
    with name_file_in_errors(page):
        write_atomically(page, contest_page(contest, say))
    click.echo(say(_("The page is {page}, with the records beside it.", page=page)))


def forfeit_phrase(match: ContestMatch) -> Phrase:
    """What somebody did wrong, and in which match."""
    assert match.result.forfeit
    return _("Match {n}: {why}.", n=match.number, why=match.result.forfeit.why)


def rating_phrase(contest: Contest) -> Phrase:
    """The score of two contestants, and the difference of their ratings."""
    from quinconce.engine.elo import MatchScore

    score = MatchScore()
    for match in contest.played:
        score.add(match.result)
    first, second = contest.names
    return score_summary(_("{first} against {second}", first=first, second=second), score)


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
    who = _("Level {first} against level {second}", first=first, second=second)
    return score_summary(who, score)


def score_summary(who: Phrase, score: MatchScore) -> Phrase:
    """The score of two players, and the difference of their ratings."""
    difference, low, high = (rating_text(value) for value in score.elo_interval())
    return _(
        "{who}, {matches}: {standing} ({share:.1%}). "
        "Difference of ratings {difference} (from {low} to {high}, confidence 95 %).",
        who=who,
        matches=counts.matches(score.games),
        standing=score_phrase(score),
        share=score.share,
        difference=difference,
        low=low,
        high=high,
    )


def rating_text(value: float) -> str:
    """A rating difference without its fractions; none at all is +0."""
    return f"{round(value):+}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"
