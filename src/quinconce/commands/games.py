"""`quinconce games` and `quinconce rules`: the games, their options and their rules."""

from __future__ import annotations

import click
from rich.console import Console

from quinconce.commands.options import complete_game
from quinconce.core.phrase import _
from quinconce.core.registry import game_class
from quinconce.terminal.tables import games_table, options_table
from quinconce.words import LANGUAGES, Voice


@click.command("games", help=_("List the games; with GAME, explain its options."))
@click.argument("name", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.pass_obj
def show_games(say: Voice, name: str | None) -> None:
    """Print a table of all games, or of the options of one."""
    Console().print(options_table(say, name) if name else games_table(say))


@click.command("rules", help=_("The rules of a game, to read."))
@click.argument("name", metavar="GAME", shell_complete=complete_game)
@click.option("--lang", type=click.Choice(LANGUAGES), help=_("the language of the rules"))
@click.pass_obj
def show_rules(say: Voice, name: str, lang: str | None) -> None:
    """Print the rules: laid out for a terminal, as they are written for a pipe."""
    game_class(name)
    text = (Voice(lang) if lang else say).rules_text(name)
    console = Console()
    if console.is_terminal:
        from rich.markdown import Markdown  # slow to load

        console.print(Markdown(text))
    else:
        click.echo(text, nl=False)
