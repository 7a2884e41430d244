"""`quinconce mcp`: the games as tools for language models, over standard input and output."""

from __future__ import annotations

import click

from quinconce.core.phrase import _


@click.command(
    "mcp", help=_("Serve the games to a language model (Model Context Protocol, stdio).")
)
def serve_tools() -> None:
    """Serve until standard input ends."""
    try:
        from quinconce.bridges.mcp import make_server
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    make_server().run()
