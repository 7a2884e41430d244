"""`quinconce play`: a match in the terminal, between people at one keyboard and engines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from quinconce.commands.options import (
    game_option,
    parse_engine_level,
    parse_match,
    position_option,
)
from quinconce.commands.records import read_record_file
from quinconce.core.game import Game
from quinconce.core.phrase import _, quote
from quinconce.core.record import Record, Seat
from quinconce.terminal.match_prompt import MatchPrompt
from quinconce.words import Voice


@click.command("play", help=_("Play in the terminal, with people at one keyboard or engines."))
@click.argument("name", metavar="[GAME]", required=False)
@game_option
@position_option
@click.option(
    "--seat",
    "people",
    multiple=True,
    metavar="N=NAME",
    help=_("name player N, or give the seat to the engine: N=engine:LEVEL"),
)
@click.option("--seed", type=int, help=_("of all that is left to chance"))
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help=_("go on with a record, and save it there"),
)
@click.option(
    "--save", type=click.Path(path_type=Path), help=_("the file in which the match is kept")
)
@click.pass_obj
def play(
    say: Voice,
    name: str | None,
    options: Sequence[str],
    start: str | None,
    people: Sequence[str],
    seed: int | None,
    resume: Path | None,
    save: Path | None,
) -> None:
    """Play from the start, from a position, or from a record."""
    if resume:
        if name or options or start or people or seed is not None:
            raise ValueError(_("--resume takes everything from the record: give nothing else"))
        record, match = read_record_file(resume)
    elif name:
        match = parse_match(name, options, start, "")
        record = Record.of(match, parse_seats(match.game, people, seed, say), date.today())
    else:
        raise ValueError(_("name a game, or a record to --resume"))
    if save and save.exists():
        raise ValueError(_("{file}: there is a file already", file=save))
    MatchPrompt(match, record, save or resume, Console(), say).run()


def parse_seats(
    rules: Game[Any], people: Sequence[str], seed: int | None, say: Voice
) -> tuple[Seat, ...]:
    """The seats with the names given as N=NAME, N from 1; an engine's has a level."""
    known = [str(seat + 1) for seat in range(rules.seats)]
    given: dict[str, Seat] = {}
    for person in people:
        seat, _equals, name = person.partition("=")
        if seat not in known or not name:
            seats, wrong = ", ".join(known), quote(person)
            raise ValueError(
                _("{wrong} is not like N=NAME with N among {seats}", wrong=wrong, seats=seats)
            )
        if seat in given:
            raise ValueError(_("player {seat} is named twice", seat=seat))
        given[seat] = parse_engine_seat(name, seed, say) or Seat(name)
    return tuple(given.get(seat, Seat()) for seat in known) if given else ()


def parse_engine_seat(name: str, seed: int | None, say: Voice) -> Seat | None:
    """The seat of an engine, or None if the name is a person's."""
    level = parse_engine_level(name, say)
    if level is None:
        return None
    return Seat(level=level, seed=random.getrandbits(32) if seed is None else seed)
