"""What people are shown of a match in the terminal: board, reserves, whose turn, the end."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console, Group
from rich.text import Text

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Seat
from quinconce.terminal.board import drawn
from quinconce.words import Voice
from quinconce.words.sentences import ending, player


def scene(
    match: Match[Any],
    say: Voice,
    console: Console,
    seats: tuple[Seat, ...] = (),
    ply: int | None = None,
) -> Group:
    """The board after so many moves (all of them, if not told), the reserves, and whose turn."""
    ply = len(match.moves) if ply is None else ply
    game, position = match.game, match.positions[ply]
    last = match.moves[ply - 1] if ply else None
    fine = (console.encoding or "").lower().startswith("utf")
    board = drawn(game, position, last, fine)
    text = Text()
    for seat in range(game.seats):
        own = [kind.letter for kind in game.board().reserves if kind.seat == seat]
        waiting = [" ".join(letter * game.reserve(position, letter)) for letter in own]
        if any(waiting):
            text.append(say(_("reserve of {player}: ", player=player(match, seat, seats))))
            text.append("   ".join(waiting) + "\n")
    outcome = match.outcome()
    if outcome and ply == len(match.moves):
        text.append(say(ending(match, outcome, seats)))
    else:
        if last:
            text.append(say(_("Last move: {move}. ", move=last)))
        text.append(say(_("{player} to move.", player=player(match, game.seat(position), seats))))
    return Group(board, text)


def leaf_through(match: Match[Any], seats: tuple[Seat, ...], say: Voice, console: Console) -> None:
    """Forward and back with the arrow keys, or n and p; q to leave."""
    ply, end = 0, len(match.moves)
    while True:
        console.clear()
        console.print(scene(match, say, console, seats, ply))
        hint = _(
            "{ply} of {n}: → or n for the next, ← or p for the last, q to leave", ply=ply, n=end
        )
        console.print(Text(say(hint), "dim"))
        key = click.getchar()
        if key in ("q", "Q", "\x1b"):
            return
        step = {"\x1b[C": 1, "n": 1, " ": 1, "\r": 1, "\x1b[D": -1, "p": -1}.get(key, 0)
        ply = min(max(ply + step, 0), end)
