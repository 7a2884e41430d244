"""A match in the terminal: the board, the reserves, whose turn it is, and what they count."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from rich.console import Console, Group
from rich.text import Text

from quinconce.core.match import Match
from quinconce.core.move_limit import sample_moves
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Seat
from quinconce.terminal.board import board_text
from quinconce.words import Voice
from quinconce.words.sentences import (
    first_turn_aim,
    move_sentence,
    outcome_sentence,
    player_name,
)


def render_match(
    match: Match[Any],
    say: Voice,
    console: Console,
    seats: tuple[Seat, ...] = (),
    ply: int | None = None,
    mine: Collection[int] = (),
) -> Group:
    """The board after `ply` moves (all of them by default), the reserves, and whose turn it is.

    The players of the seats `mine` are told what to do, and who won in their own words.
    """
    ply = len(match.moves) if ply is None else ply
    game, position = match.game, match.positions[ply]
    last = match.moves[ply - 1] if ply else None
    fine = (console.encoding or "").lower().startswith("utf")
    board = board_text(game, position, last, fine)
    lines = list(count_lines(match, ply, seats, say))
    if last:
        sentence = say(move_sentence(match, ply, seats, mine))
        lines.append(f"{sentence} · {last}")
    outcome = match.outcome()
    if outcome and ply == len(match.moves):
        lines.append(say(outcome_sentence(match, outcome, seats, mine)))
    else:
        lines += map(say, match.notices(ply))
        player = player_name(match, game.seat(position), seats)
        lines.append(say(_("{player} to move.", player=player)))
        if ply == len(match.moves) and match.seat in mine:
            lines += map(say, turn_guidance(match))
    return Group(board, Text("\n".join(lines)))


def count_lines(match: Match[Any], ply: int, seats: tuple[Seat, ...], say: Voice) -> Iterator[str]:
    """The reserve of each player, and what else the rules count."""
    game, position = match.game, match.positions[ply]
    for seat in range(game.seats):
        player = player_name(match, seat, seats)
        own = [kind.letter for kind in game.board().reserves if kind.seat == seat]
        waiting = [" ".join(letter * game.reserve(position, letter)) for letter in own]
        if any(waiting):
            yield say(_("reserve of {player}: ", player=player)) + "   ".join(waiting)
        counted = [tally for tally in game.tallies(position, seat) if tally.what != "reserve"]
        if counted:
            words = ", ".join(say(tally.words) for tally in counted)
            yield say(_("{player}: {words}", player=player, words=words))


def turn_guidance(match: Match[Any]) -> list[Phrase]:
    """What the player to move has to do, and at first how to win."""
    aim = first_turn_aim(match)
    guidance = [match.game.prompt(match.position, sample_moves(match.game, match.position))]
    return [*guidance, aim] if aim else guidance
