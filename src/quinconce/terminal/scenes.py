"""A match in the terminal: the board, the reserves, whose turn it is, and browsing its moves."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console, Group
from rich.text import Text

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Seat
from quinconce.terminal.board import board_text
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name


def render_match(
    match: Match[Any],
    say: Voice,
    console: Console,
    seats: tuple[Seat, ...] = (),
    ply: int | None = None,
) -> Group:
    """The board after `ply` moves (all of them by default), the reserves, and whose turn it is."""
    ply = len(match.moves) if ply is None else ply
    game, position = match.game, match.positions[ply]
    last = match.moves[ply - 1] if ply else None
    fine = (console.encoding or "").lower().startswith("utf")
    board = board_text(game, position, last, fine)
    text = Text()
    for seat in range(game.seats):
        own = [kind.letter for kind in game.board().reserves if kind.seat == seat]
        waiting = [" ".join(letter * game.reserve(position, letter)) for letter in own]
        if any(waiting):
            text.append(say(_("reserve of {player}: ", player=player_name(match, seat, seats))))
            text.append("   ".join(waiting) + "\n")
    outcome = match.outcome()
    if outcome and ply == len(match.moves):
        text.append(say(outcome_sentence(match, outcome, seats)))
    else:
        if last:
            text.append(say(_("Last move: {move}. ", move=last)))
        text.append(
            say(_("{player} to move.", player=player_name(match, game.seat(position), seats)))
        )
    return Group(board, text)


def browse_match(match: Match[Any], seats: tuple[Seat, ...], say: Voice, console: Console) -> None:
    """Show a match move by move: the arrow keys, or n and p, go forward and back, q leaves."""
    ply, end = 0, len(match.moves)
    while True:
        console.clear()
        console.print(render_match(match, say, console, seats, ply))
        hint = _(
            "{ply} of {n}: → or n for the next, ← or p for the last, q to leave", ply=ply, n=end
        )
        console.print(Text(say(hint), "dim"))
        key = click.getchar()
        if key in ("q", "Q", "\x1b"):
            return
        step = {"\x1b[C": 1, "n": 1, " ": 1, "\r": 1, "\x1b[D": -1, "p": -1}.get(key, 0)
        ply = min(max(ply + step, 0), end)
