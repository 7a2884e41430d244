"""Remarks of a first game: what was missed or is threatened, found by a search of a ply or two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from quinconce.core.errors import TooManyMovesError
from quinconce.core.game import PASS, Game
from quinconce.core.match import Match
from quinconce.core.move_limit import list_moves
from quinconce.core.phrase import MAX_NAMED, Phrase, _, ngettext, together
from quinconce.words.sentences import seat_name

RemarkKind = Literal["missed win", "exposed", "threat", "spared", "missed capture"]


class Remark(NamedTuple):
    """Something worth knowing of a position, or of the move before it."""

    kind: RemarkKind
    words: Phrase
    seat: int  # of the one who could do it, or can
    moves: tuple[str, ...]  # that do it
    ply: int  # of the position in which they can be played


def remark_for(match: Match[Any], seat: int) -> Remark | None:
    """The one remark that a seat gets now, the most urgent; None where nothing is to be said."""
    if match.outcome():
        return None
    try:
        return next(remarks(match, seat), None)
    except TooManyMovesError:  # what cannot be listed cannot be searched
        return None


def remarks(match: Match[Any], seat: int) -> Iterator[Remark]:
    """What there is to say to a seat, the most urgent first."""
    own = last_own_ply(match, seat)
    if own is not None:
        yield from missed_win(match, seat, own)
    if match.seat == seat:
        yield from threat(match)
    if own is not None:
        yield from exposure(match, own)
        yield from missed_capture(match, seat, own)


def last_own_ply(match: Match[Any], seat: int) -> int | None:
    """The ply of the last move of a seat, unless it is long past or was not chosen."""
    first = max(0, len(match.moves) - match.game.seats)
    for ply in reversed(range(first, len(match.moves))):
        if match.game.seat(match.positions[ply]) == seat:
            return None if match.moves[ply] == PASS else ply
    return None


def missed_win(match: Match[Any], seat: int, ply: int) -> Iterator[Remark]:
    """A move that would have ended the game, played by nobody."""
    for text in winning_moves(match.game, match.positions[ply]):
        yield Remark(
            "missed win", _("You could have won with {move}.", move=text), seat, (text,), ply
        )
        return


def threat(match: Match[Any]) -> Iterator[Remark]:
    """What the next player would win with, if the one to move did nothing about it.

    Nothing is said to somebody who can win first, nor where every move happens to parry.
    """
    game, now = match.game, match.position
    idle = now._replace(turn=game.next_turn(now))
    seat = game.seat(idle)
    if game.side(seat) == game.side(match.seat):
        return
    moves = tuple(winning_moves(game, idle))
    if not moves or any(winning_moves(game, now)):
        return
    replies = (winning_moves(game, after) for after in list_moves(game, now).values())
    if any(any(found) for found in replies):
        yield Remark("threat", threat_words(game, seat, moves), seat, moves, len(match.moves))


def threat_words(game: Game[Any], seat: int, moves: tuple[str, ...]) -> Phrase:
    """The threat by the places where the winning moves end."""
    ends = {place for text in moves for place in game.touches(text)[-1]}
    names = [place for place in game.board().place_names() if place in ends]
    player = opponent_name(game, seat)
    if len(names) > MAX_NAMED:
        return ngettext(
            "{player} threatens to win at {n} place.",
            "{player} threatens to win at {n} places.",
            len(names),
            player=player,
        )
    return _("{player} threatens to win at {places}.", player=player, places=together(names))


def exposure(match: Match[Any], ply: int) -> Iterator[Remark]:
    """A win that somebody's move has left to the next player, who may have overlooked it."""
    game, after = match.game, match.positions[ply + 1]
    seat = game.seat(after)
    if game.side(seat) == game.side(game.seat(match.positions[ply])):
        return
    for text in winning_moves(game, after):
        player = opponent_name(game, seat)
        if ply + 1 == len(match.moves):
            words = _("{player} can win now with {move}.", player=player, move=text)
            yield Remark("exposed", words, seat, (text,), ply + 1)
        else:
            words = _("{player} could have won with {move}.", player=player, move=text)
            yield Remark("spared", words, seat, (text,), ply + 1)
        return


def missed_capture(match: Match[Any], seat: int, ply: int) -> Iterator[Remark]:
    """A capture of more pieces than were taken, after which the next player could not win."""
    game, before = match.game, match.positions[ply]
    most = capture_count(game, before, match.positions[ply + 1])
    best: tuple[str, Any] | None = None
    for text, after in list_moves(game, before).items():
        taken = capture_count(game, before, after)
        if taken > most and is_safe(game, before, after):
            best, most = (text, after), taken
    if best:
        text, after = best
        places = together(game.pieces_taken(before, after))
        words = _("You could have captured {places} with {move}.", places=places, move=text)
        yield Remark("missed capture", words, seat, (text,), ply)


def capture_count(game: Game[Any], before: Any, after: Any) -> int:
    """How many pieces of other sides a move took off the board; moving them along is no capture."""
    own = game.sides[game.side(game.seat(before))]
    others = [kind.letter for kind in game.kinds if kind.seat not in own]
    return sum(before.board.count(letter) - after.board.count(letter) for letter in others)


def is_safe(game: Game[Any], before: Any, after: Any) -> bool:
    """Whether a move neither loses nor lets the next player win at once."""
    outcome = game.outcome(after)
    if outcome and outcome.winners:
        return game.side(game.seat(before)) in map(game.side, outcome.winners)
    return not any(winning_moves(game, after))


def winning_moves(game: Game[Any], position: Any) -> Iterator[str]:
    """The moves with which the player to move wins at once.

    TooManyMovesError if there are too many moves to list.
    """
    side = game.side(game.seat(position))
    for text, after in list_moves(game, position).items():
        outcome = game.outcome(after)
        if outcome and side in map(game.side, outcome.winners):
            yield text


def opponent_name(game: Game[Any], seat: int) -> Phrase:
    """The other player of a remark: where there is but one, everybody knows who it is."""
    return _("Your opponent") if game.seats == 2 else seat_name(game, seat)
