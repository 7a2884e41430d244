"""A match: a game being played, with everything that looks back or is said beside the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from itertools import takewhile
from typing import Any, Final, Generic, NamedTuple

from quinconce.core.cancellation import check_cancelled
from quinconce.core.errors import GameOverError
from quinconce.core.game import PASS, Game
from quinconce.core.move_limit import list_moves
from quinconce.core.phrase import Phrase, _, ngettext, quote
from quinconce.core.position import Outcome, P
from quinconce.core.registry import game

REPETITION_LIMIT: Final = 3  # of one position, with the same player to move, end the game
LAST_OCCURRENCE: Final = REPETITION_LIMIT - 1  # after this one, the next ends the game
QUIET_NOTICE: Final = 10  # quiet turns before the limit from which players are told
NOBODY_RESIGNS: Final = _("with more than two sides nobody resigns: another plays on in that seat")


class Match(Generic[P]):
    """The moves played from a start, and what is legal, decided or agreed after them.

    >>> from quinconce import game
    >>> match = Match(game("diam"))
    >>> for move in ("r@1", "m@1", "r@5", "m@5"):
    ...     position = match.play(move)
    >>> match.outcome()
    Outcome(winners=(1,), reason='diam', by=None)
    >>> match.undo(), match.seat
    ('m@5', 1)
    """

    def __init__(self, game: Game[P], start: P | None = None) -> None:
        self.game = game
        self.start = game.start() if start is None else start
        game.check(self.start)
        self.moves: list[str] = []
        self.positions = [self.start]
        self.resigning: set[int] = set()  # seats that want to give up
        self.agreeing: set[int] = set()  # seats that want to stop
        self._quiet = [0]  # quiet turns in a row, after each move
        self._occurrences = Counter(self.positions)
        self._outcome = self._find_outcome()

    @property
    def position(self) -> P:
        """The position now."""
        return self.positions[-1]

    @property
    def seat(self) -> int:
        """Who is to move."""
        return self.game.seat(self.position)

    @property
    def quiet(self) -> int:
        """How many quiet turns in a row have just been played."""
        return self._quiet[-1]

    @property
    def repetitions(self) -> int:
        """How often the position now came up before."""
        return self._occurrences[self.position] - 1

    @property
    def passes(self) -> int:
        """How many passes in a row have just been played."""
        return sum(1 for _text in takewhile(PASS.__eq__, reversed(self.moves)))

    def quiet_after(self, after: P) -> int:
        """How many quiet turns in a row there are after the move that leads to a position."""
        return self.quiet + 1 if self.game.is_quiet(self.position, after) else 0

    def legal(self) -> dict[str, P]:
        """Every legal move and where it leads; none when the match is over.

        TooManyMovesError if there are more than can be listed: `game.moves` yields them one by one.
        """
        return {} if self._outcome else list_moves(self.game, self.position)

    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self._outcome

    def turns_of(self, seat: int, ply: int | None = None) -> int:
        """How many turns a seat has had before `ply`, by default before now."""
        return sum(self.game.seat(position) == seat for position in self.positions[:-1][:ply])

    def notices(self, ply: int | None = None) -> list[Phrase]:
        """What will end the game soon, after `ply` moves: quiet turns, a repetition."""
        at = len(self.moves) if ply is None else ply
        limit, quiet, found = self.game.quiet_limit, self._quiet[at], []
        if limit is not None and quiet and limit - quiet <= QUIET_NOTICE:
            end = self.game.jammed(self.positions[at], "quiet")
            told = ngettext(
                "{n} more turn without a capture ends the game: {result}.",
                "{n} more turns without a capture end the game: {result}.",
                limit - quiet,
                result=_("{player} would win", player=self.game.players[end.winners[0]])
                if end.winners
                else _("it would be a draw"),
            )
            found.append(told)
        times = self.positions[: at + 1].count(self.positions[at])
        if times == LAST_OCCURRENCE:
            found.append(_("This position has come up twice: a third time ends the game."))
        return found

    def play(self, text: str) -> P:
        """Play a move; what was offered before it lapses."""
        check_cancelled()
        if self._outcome:
            why = _("the game is over: {reason}", reason=self.game.reason(self._outcome))
            raise GameOverError(text, self.game.write(self.position), why)
        after = self.game.after(self.position, text)
        self.append(text, after)
        return after

    def append(self, text: str, after: P) -> None:
        """Play a move that is known to be legal, and where it leads: nothing is checked."""
        quiet = self.quiet_after(after)
        self.moves.append(text)
        self.positions.append(after)
        self._occurrences[after] += 1
        self._quiet.append(quiet)
        self._reset_after_change()

    def undo(self) -> str:
        """Take back the last move, with everything said since; returns its text."""
        if not self.moves:
            raise ValueError(_("there is no move to take back"))
        self._occurrences[self.positions.pop()] -= 1
        self._quiet.pop()
        text = self.moves.pop()
        self._reset_after_change()
        return text

    def copy(self) -> Match[P]:
        """The same match, to be played on by itself; without replaying anything."""
        other = copy(self)
        other.moves, other.positions = list(self.moves), list(self.positions)
        other.resigning, other.agreeing = set(self.resigning), set(self.agreeing)
        other._quiet, other._occurrences = list(self._quiet), Counter(self._occurrences)
        return other

    def resign(self, seat: int) -> Outcome | None:
        """A seat gives up; its side has lost once all its seats have."""
        self._check_may_stop(seat)
        if len(self.game.sides) > 2:
            raise ValueError(NOBODY_RESIGNS)
        self.resigning.add(seat)
        side = self.game.side(seat)
        if self.resigning.issuperset(self.game.sides[side]):
            self._outcome = Outcome(self.game.sides[1 - side], "resignation")
        return self._outcome

    def agree(self, seat: int) -> Outcome | None:
        """A seat wants to stop; the match is over once all do."""
        self._check_may_stop(seat)
        self.agreeing.add(seat)
        if len(self.agreeing) == self.game.seats:
            self._outcome = self.game.jammed(self.position, "agreement")
        return self._outcome

    def withdraw(self) -> None:
        """Nobody wants to resign or to stop any more."""
        self.resigning.clear()
        self.agreeing.clear()

    def run_out(self, seat: int) -> Outcome:
        """A seat has run out of time, and its side loses."""
        self._check_may_stop(seat)
        if len(self.game.sides) > 2:
            raise ValueError(
                _("with more than two sides no clock decides: another plays on in that seat")
            )
        self._outcome = Outcome(self.game.sides[1 - self.game.side(seat)], "time")
        return self._outcome

    def _check_may_stop(self, seat: int) -> None:
        if seat not in range(self.game.seats):
            raise ValueError(
                _(
                    "there is no seat {seat}: they go from 0 to {last}",
                    seat=quote(seat),
                    last=self.game.seats - 1,
                )
            )
        if self._outcome:
            raise ValueError(
                _("the game is over: {reason}", reason=self.game.reason(self._outcome))
            )

    def _reset_after_change(self) -> None:
        """After a move or a takeback nothing that was said before it holds."""
        self.withdraw()
        self._outcome = self._find_outcome()

    def _find_outcome(self) -> Outcome | None:
        """What the board decides, and then what looks back."""
        game, position = self.game, self.position
        if decided := game.outcome(position):
            return decided
        if self._all_passed():
            return Outcome((), "passes")
        if self._occurrences[position] >= REPETITION_LIMIT:
            return game.jammed(position, "repetition")
        if game.quiet_limit is not None and self.quiet >= game.quiet_limit:
            return game.jammed(position, "quiet")
        return None

    def _all_passed(self) -> bool:
        """Whether every player has passed since the last real move."""
        if not self.moves or self.moves[-1] != PASS:
            return False
        before = self.positions[-1 - self.passes : -1]
        return len(set(map(self.game.seat, before))) == self.game.seats


def replay(game: Game[Any], start: str | None = None, moves: Iterable[str] = ()) -> Match[Any]:
    """The match after these moves, from a position as text or from the game's own start.

    MoveError at the first move that the rules refuse, ValueError if the position is impossible.
    """
    match = Match(game, None if start is None else game.read(start))
    for text in moves:
        match.play(text)
    return match


class MatchData(NamedTuple):
    """A game, its options, a start and the moves, all as text."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    start: str | None = None  # None for the game's own start
    moves: tuple[str, ...] = ()

    @classmethod
    def of(cls, match: Match[Any]) -> MatchData:
        """The data of a match; what was said beside the board is not part of it."""
        rules = match.game
        start = None if match.start == rules.start() else rules.write(match.start)
        return cls(rules.name, tuple(rules.chosen.items()), start, tuple(match.moves))

    def rules(self) -> Game[Any]:
        """The game with its options."""
        return game(self.game, **dict(self.options))

    def match(self) -> Match[Any]:
        """The match, replayed; ValueError if it cannot be."""
        return replay(self.rules(), self.start, self.moves)
