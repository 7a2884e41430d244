"""`quinconce play`: a match in the terminal, between people at one keyboard and machines."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from quinconce.bridges.contestants import UGI_PREFIX
from quinconce.bridges.time_control import check_two_sides
from quinconce.bridges.ugi_program import UgiProgram, split_command
from quinconce.commands.options import (
    complete_game,
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
@click.argument("name", metavar="[GAME]", required=False, shell_complete=complete_game)
@game_option
@position_option
@click.option(
    "--seat",
    "people",
    multiple=True,
    metavar="N=NAME",
    help=_(
        "name player N, or give the seat to the engine, N=engine:LEVEL, or to a program, "
        "N=ugi:COMMAND"
    ),
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
        people_too = not all(is_program(person.partition("=")[2]) for person in people)
        if name or options or start or people_too or seed is not None:
            raise ValueError(
                _("--resume takes everything from the record: give nothing else, but programs")
            )
        record, match = read_record_file(resume)
        given = parse_people(match.game, people)
    elif name:
        match = parse_match(name, options, start, "")
        given = parse_people(match.game, people)
        record = Record.of(match, parse_seats(match.game, given, seed, say), date.today())
    else:
        raise ValueError(_("name a game, or a record to --resume"))
    if save and save.exists():
        raise ValueError(_("{file}: there is a file already", file=save))
    with ExitStack() as at_last:
        programs = start_programs(match.game, given, at_last)
        record = with_programs(record, programs)
        MatchPrompt(match, record, save or resume, Console(), say, programs, given).run()


def parse_people(rules: Game[Any], people: Sequence[str]) -> dict[int, str]:
    """What was given as N=NAME, N from 1, by the seat."""
    known = [str(seat + 1) for seat in range(rules.seats)]
    given: dict[int, str] = {}
    for person in people:
        seat, _equals, name = person.partition("=")
        if seat not in known or not name:
            seats, wrong = ", ".join(known), quote(person)
            raise ValueError(
                _("{wrong} is not like N=NAME with N among {seats}", wrong=wrong, seats=seats)
            )
        if int(seat) - 1 in given:
            raise ValueError(_("player {seat} is named twice", seat=seat))
        given[int(seat) - 1] = name
    return given


def parse_seats(
    rules: Game[Any], given: Mapping[int, str], seed: int | None, say: Voice
) -> tuple[Seat, ...]:
    """The seats with their names; an engine's has a level, a program's is named later."""
    names = {seat: name for seat, name in given.items() if not is_program(name)}
    seats = {seat: parse_engine_seat(name, seed, say) or Seat(name) for seat, name in names.items()}
    return tuple(seats.get(seat, Seat()) for seat in range(rules.seats)) if seats else ()


def is_program(name: str) -> bool:
    """Whether a seat is given to a program: ugi:COMMAND."""
    return name.startswith(UGI_PREFIX)


def start_programs(
    rules: Game[Any], given: Mapping[int, str], at_last: ExitStack
) -> dict[int, UgiProgram]:
    """The programs that play, by their seats, ready to begin; they are ended at last."""
    programs: dict[int, UgiProgram] = {}
    for seat, name in given.items():
        if is_program(name):
            check_two_sides(rules)
            programs[seat] = UgiProgram(split_command(name.removeprefix(UGI_PREFIX)))
            at_last.callback(programs[seat].close)
            programs[seat].start_match(rules)
    return programs


def with_programs(record: Record, programs: Mapping[int, UgiProgram]) -> Record:
    """The record with the names that the programs give themselves; never their commands."""
    if not programs:
        return record
    seats = list(record.seats or (Seat(),) * record.game.seats)
    for seat, program in programs.items():
        seats[seat] = Seat(program.name)
    return replace(record, seats=tuple(seats))


def parse_engine_seat(name: str, seed: int | None, say: Voice) -> Seat | None:
    """The seat of an engine, or None if the name is a person's."""
    level = parse_engine_level(name, say)
    if level is None:
        return None
    return Seat(level=level, seed=random.getrandbits(32) if seed is None else seed)
