"""`quinconce ugi`: the engine, or a bot, as a text engine for match runners."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

import click

from quinconce.bridges.bot_file import BotThinker, keep_streams_apart
from quinconce.bridges.engine_thinker import MAX_THREADS, EngineThinker, max_megabytes
from quinconce.bridges.ugi_engine import Thinker, UgiEngine, end_process, input_lines
from quinconce.commands.options import check_range, complete_game, game_option, parse_game
from quinconce.core.phrase import _
from quinconce.core.registry import menu_names
from quinconce.engine.levels import LAST_LEVEL
from quinconce.engine.limits import DEFAULT_TABLE_MEGABYTES
from quinconce.kernels.homes import check_home
from quinconce.words import Voice

SWITCH_SECONDS: Final = 0.0005  # in which the thread that answers has its turn: Python's are 5 ms


@click.command(
    "ugi", help=_("Speak UGI on input and output, for match runners and other programs.")
)
@click.argument("name", metavar="[GAME]", required=False, shell_complete=complete_game)
@game_option
@click.option("--level", type=int, default=LAST_LEVEL, show_default=True, help=_("play this well"))
@click.option("--threads", type=int, default=1, help=_("think with this many threads"))
@click.option(
    "--memory",
    type=int,
    default=DEFAULT_TABLE_MEGABYTES,
    help=_("megabytes for what is remembered"),
)
@click.option("--seed", type=int, help=_("of all that is left to chance"))
@click.option(
    "--bot", type=click.Path(path_type=Path), help=_("let this Python file play, not the engine")
)
@click.pass_obj
def speak_ugi(
    say: Voice,
    name: str | None,
    options: Sequence[str],
    level: int,
    threads: int,
    memory: int,
    seed: int | None,
    bot: Path | None,
) -> None:
    """Answer a match runner until it says `quit`, or until its input ends."""
    rules = parse_game(name or menu_names()[0], options)
    check_range("--threads", threads, 1, MAX_THREADS)
    check_range("--memory", memory, 1, max_megabytes())
    if bot is None:
        check_home()
    sys.setswitchinterval(SWITCH_SECONDS)
    thinker: Thinker = BotThinker(bot) if bot else EngineThinker(level, threads, memory, seed)
    source: IO[str] = sys.stdin
    target: IO[str] = sys.stdout
    # Refused before the streams are taken away.
    engine = UgiEngine(thinker, rules, lambda line: print_line(target, line), say)
    if bot:
        source, target = keep_streams_apart()
    if not engine.run(input_lines(source)):
        end_process(0)


def print_line(target: IO[str], line: str) -> None:
    """Send a line at once."""
    target.write(f"{line}\n")
    target.flush()
