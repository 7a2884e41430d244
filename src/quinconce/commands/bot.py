"""`quinconce bot`: the engine of this machine plays a seat of a match on a server."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import click

from quinconce.commands.options import DEFAULT_LEVEL, kill_on_ctrl_c
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.levels import level_by_number
from quinconce.words import Voice

if TYPE_CHECKING:
    from quinconce.bridges.plain_client import RemoteMatch

FIRST_PATIENCE: Final = 5.0  # seconds in which the server has to answer for the first time
PATIENCE: Final = 3600.0  # that it may be away later


@click.command("bot", help=_("Let the engine play in a seat of a match on a server."))
@click.argument("link", metavar="LINK")
@click.option(
    "--level", type=int, default=DEFAULT_LEVEL, show_default=True, help=_("how well it plays")
)
@click.option("--name", metavar="NAME", help=_("what the others call it"))
@click.option("--seed", type=int, help=_("of all that is left to chance"))
@click.pass_obj
def bot(say: Voice, link: str, level: int, name: str | None, seed: int | None) -> None:
    """Play the seat of a link to the end; `-` reads the link, which is a secret, from the input."""
    level_by_number(level)
    check_library()
    from quinconce.bridges.plain_client import Client  # slow to load
    from quinconce.bridges.requests import NoAnswerError, RefusedError

    address = (sys.stdin.readline() if link == "-" else link).strip()
    called = say(_("Engine {level}", level=level)) if name is None else name
    try:
        with (
            kill_on_ctrl_c(),
            Client(address, language=say.language, patience=FIRST_PATIENCE) as client,
        ):
            seat = client.join(address, called)
            client.patience = PATIENCE
            outcome = play_to_end(say, seat, level, seed)
    except RefusedError as refusal:
        raise ValueError(_("the server refuses: {why}", why=str(refusal))) from None
    except NoAnswerError as error:
        raise ValueError(*error.args) from None
    click.echo(outcome["told"])


def check_library() -> None:
    """ValueError if the library of the client is missing."""
    if find_spec("httpx") is None:
        raise ValueError(_("a bot needs the package httpx: pip install quinconce[client]"))


def play_to_end(say: Voice, seat: RemoteMatch, level: int, seed: int | None) -> dict[str, Any]:
    """Play a seat, and say in which match."""
    view = seat.view
    player = view["seats"][seat.seat]["called"]
    click.echo(say(_("{game}: playing as {player}", game=view["title"], player=player)))
    from quinconce.bridges.bot import play_seat  # slow to load, like the engine
    from quinconce.engine import choose

    def choose_move(match: Match[Any]) -> str:
        return choose(match, level, seed=seed)

    return play_seat(seat, choose_move)
