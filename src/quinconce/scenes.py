"""What people are shown of a match in the terminal: board, reserves, whose turn, the end."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.text import Text

from quinconce.core.match import Match
from quinconce.core.outcome import STOPS, Outcome
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Record, Seat
from quinconce.terminal import drawn
from quinconce.words import Voice


def player(match: Match[Any], seat: int, seats: tuple[Seat, ...] = ()) -> _:
    """A seat as people call it: by its name or number, and what it plays with."""
    plays = match.game.players[seat]
    if seats and seats[seat].name:
        return _("{name} ({colours})", name=seats[seat].name, colours=plays)
    return _("Player {n} ({colours})", n=seat + 1, colours=plays)


def ending(match: Match[Any], outcome: Outcome, seats: tuple[Seat, ...] = ()) -> _:
    """How a match ended, in one sentence."""
    why = match.game.reason(outcome)
    if outcome.by:
        why = _("{why}; {stop}", why=why, stop=STOPS[outcome.by])
    if not outcome.winners:
        return _("A draw: {why}.", why=why)
    names = [player(match, seat, seats) for seat in outcome.winners]
    if len(names) == 1:
        return _("{player} wins: {why}.", player=names[0], why=why)
    return _("{player} and {mate} win: {why}.", player=names[0], mate=names[1], why=why)


def scene(
    match: Match[Any],
    say: Voice,
    console: Console,
    last: str | None = None,
    seats: tuple[Seat, ...] = (),
) -> Text:
    """The board, the reserves, and whose turn it is or how it ended."""
    game, position = match.game, match.position
    fine = (console.encoding or "").lower().startswith("utf")
    text = drawn(game, position, last, fine)
    for seat in range(game.seats):
        own = [kind.letter for kind in game.board().reserves if kind.seat == seat]
        waiting = [" ".join(letter * game.reserve(position, letter)) for letter in own]
        if any(waiting):
            text.append(say(_("reserve of {player}: ", player=player(match, seat, seats))))
            text.append("   ".join(waiting) + "\n")
    if outcome := match.outcome():
        return text.append(say(ending(match, outcome, seats)))
    if last:
        text.append(say(_("Last move: {move}. ", move=last)))
    return text.append(say(_("{player} to move.", player=player(match, match.seat, seats))))


def at_ply(record: Record, match: Match[Any], ply: int, say: Voice, console: Console) -> Text:
    """The scene after so many moves of a record."""
    last = record.moves[ply - 1] if ply else None
    if ply == len(record.moves):
        return scene(match, say, console, last, record.seats)
    earlier = Match(record.game, record.start)
    for text in record.moves[:ply]:
        earlier.play(text)
    return scene(earlier, say, console, last, record.seats)


def leaf_through(record: Record, match: Match[Any], say: Voice, console: Console) -> None:
    """Forward and back with the arrow keys, or n and p; q to leave."""
    ply = 0
    while True:
        console.clear()
        console.print(at_ply(record, match, ply, say, console))
        hint = _(
            "{ply} of {n}: → or n for the next, ← or p for the last, q to leave",
            ply=ply,
            n=len(record.moves),
        )
        console.print(Text(say(hint), "dim"))
        key = click.getchar()
        if key in ("q", "Q", "\x1b", "\x03", "\x04"):
            return
        step = {"\x1b[C": 1, "n": 1, " ": 1, "\r": 1, "\x1b[D": -1, "p": -1}.get(key, 0)
        ply = min(max(ply + step, 0), len(record.moves))
