"""What is proved of a match before any search: by the table of a solved game, or a certificate."""

from __future__ import annotations

from collections import Counter
from functools import cache
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.kernels import calls
from quinconce.kernels.compiled import compiled
from quinconce.kernels.kernel import kernel
from quinconce.kernels.protocol import WON, Rows, chosen, key, load, successors, urgency, winner
from quinconce.solvers.endgames.tables import Endings, awaited, ready
from quinconce.solvers.proofs.shipped import Book, shipped
from quinconce.solvers.retrograde import Value, Worths, solution

Numbers = npt.NDArray[np.int64]
UNKNOWN: Final = -1
AT_ONCE: Final = 1
BEST_FIRST: Final = ("win", "draw", "loss")
NO_ENDINGS: Final[Worths] = np.zeros(0, np.int16)
NO_ENDINGS.flags.writeable = False
loading: Final = Lock()


class Known(NamedTuple):
    """What a move is worth; uncertain where positions that occurred twice may get in the way."""

    value: Value
    certain: bool


class Truth(Protocol):
    """Something that knows the value of moves for certain."""

    def moves(self, position: Any) -> dict[str, Value]:
        """What moves are worth to the player who plays them; those that are not here are open."""


class Proof:
    """A certificate by numbers: how far from its win is each position where the winner moves."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.game = book.game
        self._kernel = kernel(book.game)
        self._plies = self._measured()  # by the key of the canonical form

    def moves(self, position: Any) -> dict[str, Value]:
        """The winner's move, or where every move of the loser's leads."""
        game = self.game
        if game.side(game.seat(position)) == self.book.certificate.side:
            text = self.book.move(position)
            return {} if text is None else {text: Value("win", self._from(position))}
        return {
            text: Value("loss", plies + 1)
            for text, after in game.moves(position)
            if (plies := self._from(after)) is not None
        }

    def _from(self, position: Any) -> int | None:
        """The plies to the winner's win where he moves, or has won."""
        outcome = self.game.outcome(position)
        if outcome:
            return 0 if outcome.winners == self.game.sides[self.book.certificate.side] else None
        state = self._kernel.encode(position)
        if wins_at_once(state):
            return AT_ONCE
        return self._plies.get(int(calls.key(calls.canonical(state))))

    def _measured(self) -> dict[int, int]:
        """The plies from each answer on: two more than from the loser's longest reply to it."""
        rows = self._kernel.rows(1)[0]
        keys, near = (np.empty(self._kernel.most, np.int64) for _array in range(2))
        after: dict[int, tuple[int, list[int]]] = {}  # what is seen at a glance, and what is not
        for position, answer in self.book.certificate.answers.items():
            here = int(calls.key(calls.canonical(self._kernel.encode(position))))
            reply = self._kernel.encode(self.game.after(position, answer))
            n = int(replied(reply, rows, keys, near))
            further = {int(name) for name in keys[:n][near[:n] == UNKNOWN]}
            after[here] = int(near[:n].max()), list(further)
        found: dict[int, int] = {}
        left = list(after)
        while left:
            seen, further_on = after[left[-1]]
            if missing := [reply for reply in further_on if reply not in found]:
                left.extend(missing)
            else:
                found[left.pop()] = max([seen, *(found[reply] for reply in further_on)]) + 2
        return found


@compiled
def wins_at_once(state: Any) -> bool:
    """Whether the player to move wins with this very move."""
    return urgency(state) == WON


@compiled
def replied(state: Any, out: Rows, keys: Numbers, near: Numbers) -> int:
    """The keys of what every move leads to, and whether that is over or won with the next move."""
    n = successors(state, out)
    for row in range(n):
        after = load(state, out, row)
        near[row] = 0 if winner(after) >= 0 else AT_ONCE if urgency(after) == WON else UNKNOWN
        keys[row] = key(chosen(after))
    return n


@cache
def loaded(game: Game[Any]) -> Truth | None:
    """What is known of a game, made ready."""
    if found := solution(game):
        return found
    book = shipped(game)
    return Proof(book) if book else None


def truth(game: Game[Any]) -> Truth | None:
    """What is known of a game, made ready once a process; None if nothing is."""
    with loading:
        return loaded(game)


def endings_of(game: Game[Any]) -> Worths:
    """What positions with few pieces are worth, by their index; nothing where that is not known.

    Where it is being worked out, it is not known yet.
    """
    found = ready(game)
    table = np.asarray(found.worths).view() if found else NO_ENDINGS
    table.flags.writeable = False  # one kind of array, so that searches are compiled once
    return table


def endings_for(match: Match[Any]) -> Endings | None:
    """The endings of a game; waited for where the position is one of them."""
    state = kernel(match.game).encode(match.position)
    return awaited(match.game) if calls.index(state) >= 0 else ready(match.game)


def values(match: Match[Any], known: Truth) -> dict[str, Known]:
    """What is known of the moves of a match, its history considered."""
    found = known.moves(match.position)
    again = repeated(match)
    if not again:
        return {text: Known(value, True) for text, value in found.items()}
    # Who wins comes nearer with every move, and meets no position twice on his way; but one that
    # has occurred twice before would end the match there. A draw stays one whatever happened.
    game, legal = match.game, match.legal()
    return {
        text: Known(value, value.result == "draw")
        for text, value in found.items()
        if again.isdisjoint((legal[text], *dict(game.moves(legal[text])).values()))
    }


def proved_moves(match: Match[Any]) -> dict[str, Value]:
    """The moves of a match that are certain, and what each is worth to the player who plays it."""
    if match.outcome():
        return {}
    known, table = truth(match.game), endings_for(match)
    found = values(match, known).items() if known else ()
    certain = {text: told.value for text, told in found if told.certain}
    if table:
        for text, after in match.legal().items():
            if promise := promised(match, table, after):
                certain[text] = promise
    return certain


def promised(match: Match[Any], table: Endings, after: Any) -> Value | None:
    """What the endings promise the player of a move: a win or a loss, not how soon."""
    game = match.game
    if decided := game.outcome(after):
        won = match.seat in decided.winners
        return Value("win" if won else "loss", 1) if decided.winners else None
    value = table.value(after)
    if value is None or value.plies is None or repeated(match):
        return None
    quiet = match.quiet + 1 if game.is_quiet(match.position, after) else 0
    if game.quiet_limit is not None and quiet + value.plies > game.quiet_limit:
        return None
    return Value(value.before().result)


def proved_value(match: Match[Any], moves: dict[str, Value] | None = None) -> Value | None:
    """What the position of a match is worth to the player to move, where that is certain.

    Who has asked for the proved moves already can give them.
    """
    found = proved_moves(match) if moves is None else moves
    best = min(found.values(), key=order, default=None)
    whole = best is not None and (best.result == "win" or len(found) == len(match.legal()))
    return best if whole else None


def repeated(match: Match[Any]) -> set[Any]:
    """The positions that have occurred twice: a third time ends the match."""
    return {position for position, times in Counter(match.positions).items() if times >= 2}


def order(value: Value) -> tuple[int, int]:
    """The better, the smaller."""
    plies = value.plies or 0
    return BEST_FIRST.index(value.result), -plies if value.result == "loss" else plies


def ways_to_hold(known: Truth, game: Game[Any], position: Any) -> int:
    """How many moves keep for the player to move what he has; few are a problem to find."""
    if game.outcome(position):
        return 0
    results = [value.result for value in known.moves(position).values()]
    return results.count(min(results, key=BEST_FIRST.index)) if results else 0
