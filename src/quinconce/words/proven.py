"""What is proved of a position, in words: who wins, and in how many moves of the winner."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.words.sentences import seat_name


def count_turns(game: Game[Any], position: Any, seats: Collection[int], plies: int) -> int:
    """How many of the next plies belong to these seats."""
    turns = (game.cycle[(position.turn + ply) % len(game.cycle)] for ply in range(plies))
    return sum(seat in seats for seat in turns)


def winning_seats(game: Game[Any], position: Any, result: str) -> tuple[int, ...]:
    """The seats that win if the player to move has this result; none if it does not say who."""
    own = game.side(game.seat(position))
    if result == "win":
        return game.sides[own]
    return game.sides[1 - own] if result == "loss" and len(game.sides) == 2 else ()


def winner_moves(game: Game[Any], position: Any, result: str, plies: int | None) -> int | None:
    """How far a win or a loss of the player to move is away, in moves of the winner.

    None in a draw, and where the winner or the number of plies is not known.
    """
    winners = winning_seats(game, position, result)
    return None if plies is None or not winners else count_turns(game, position, winners, plies)


def value_phrase(game: Game[Any], position: Any, result: str, plies: int | None = None) -> Phrase:
    """The proved value of a position, or of a move in it, for the player to move."""
    if result == "draw":
        return _("drawn")
    winners = winning_seats(game, position, result)
    if not winners:
        return _("{player} loses", player=seat_name(game, game.seat(position)))
    moves = winner_moves(game, position, result, plies)
    player, *mates = (seat_name(game, seat) for seat in winners)
    if mates:
        return team_wins(player, mates[0], moves)
    if not moves:
        return _("{player} wins", player=player)
    return ngettext("{player} wins in {n} move", "{player} wins in {n} moves", moves, player=player)


def move_phrase(
    game: Game[Any],
    position: Any,
    result: str | None,
    plies: int | None = None,
    capture_turns: int | None = None,
) -> Phrase:
    """What is known of a legal move for its player; where only the next capture is near, that."""
    if result is None:
        return _("open")
    value = value_phrase(game, position, result, plies)
    if capture_turns is None:
        return value
    return ngettext(
        "{value}; the next capture comes with this turn",
        "{value}; the next capture comes within {n} turns",
        capture_turns,
        value=value,
    )


def endgame_phrase(game: Game[Any], solved: int, solvable: int, jam: bool) -> Phrase:
    """What is said where no winner is proved, of a game with this many pieces solved here."""
    if jam:
        return _("Proven: neither side can force another capture.")
    solved_here = ngettext(
        "Not proven. Endings with at most {n} pawn are solved here",
        "Not proven. Endings with at most {n} pawns are solved here",
        solved,
    )
    if solved >= solvable:
        return _("{solved}.", solved=solved_here)
    wished = {key: value for key, value in game.chosen.items() if value != game.options[key][0]}
    options = "".join(f" -o {key}={value}" for key, value in wished.items())
    command = f"quinconce solve {game.name}{options} --pawns {solved + 1}"
    return _("{solved}; for more, run «{command}».", solved=solved_here, command=command)


def team_wins(player: Phrase, mate: Phrase, moves: int | None) -> Phrase:
    """Two partners win, in a number of moves if that is known."""
    if not moves:
        return _("{player} and {mate} win", player=player, mate=mate)
    return ngettext(
        "{player} and {mate} win in {n} move",
        "{player} and {mate} win in {n} moves",
        moves,
        player=player,
        mate=mate,
    )
