"""How much time the two sides of a match have, what they have used, and how an engine shares it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.engine.match_runner import ForfeitError

# What lies between two processes: how late a timed move may be, and all moves by a clock together.
LAG_SECONDS: Final = 0.5
MOVES_AHEAD: Final = 40  # moves that the time on a clock is shared among
INCREMENT_SHARE: Final = 0.8  # of the increment that is spent at once
SAFE_SECONDS: Final = 0.05  # that an engine leaves on its clock
LEAST_SHARE: Final = 0.1  # of its time that an engine uses, however little that is
MAX_SECONDS: Final = 1e6  # that a move or a clock may be given


def seconds_for_move(left: float, increment: float = 0.0) -> float:
    """The seconds to think about the next move with this much time on the clock."""
    share = left / MOVES_AHEAD + INCREMENT_SHARE * increment
    return max(0.0, min(share, max(left - SAFE_SECONDS, LEAST_SHARE * left)))


@dataclass(frozen=True)
class TimeControl:
    """The time of a side: seconds for every move; or a clock for a whole match, in seconds."""

    seconds: float = 1.0
    clock: float | None = None
    increment: float = 0.0  # that a move adds to the clock
    lag: float = LAG_SECONDS


@dataclass
class SideTime:
    """What one side has left of its time, and how it used it."""

    left: float  # on its clock; less than nothing as far as lag is allowed
    used: float = 0.0
    moves: int = 0
    longest: float = 0.0


@dataclass
class MatchClock:
    """The time of both sides in one match."""

    control: TimeControl
    sides: tuple[SideTime, SideTime] = field(init=False)

    def __post_init__(self) -> None:
        left = self.control.clock or 0.0
        self.sides = (SideTime(left), SideTime(left))

    def limit(self, side: int) -> float:
        """The seconds after which a side has lost, unless it has moved."""
        clock = self.control.clock
        return (self.control.seconds if clock is None else self.sides[side].left) + self.control.lag

    def budget(self, side: int) -> float:
        """The seconds that an engine on this side should think."""
        if self.control.clock is None:
            return self.control.seconds
        return seconds_for_move(self.sides[side].left, self.control.increment)

    def charge(self, side: int, seconds: float, name: str) -> None:
        """Count what a side used for a move; ForfeitError if that was too much."""
        late, time = seconds >= self.limit(side), self.sides[side]
        time.used += seconds
        time.moves += 1
        time.longest = max(time.longest, seconds)
        time.left += self.control.increment - seconds
        if late:
            spent = seconds if self.control.clock is None else time.used
            raise ForfeitError(
                "time",
                _("{name} was out of time after {seconds:.2f} s", name=name, seconds=spent),
            )

    def go_words(self) -> str:
        """The time as the command `go` of UGI tells it."""
        if self.control.clock is None:
            return f"movetime {milliseconds(self.control.seconds)}"
        first, second = (milliseconds(max(0.0, side.left)) for side in self.sides)
        each = milliseconds(self.control.increment)
        return f"p1time {first} p2time {second} p1inc {each} p2inc {each}"


def milliseconds(seconds: float) -> int:
    """A time in whole milliseconds."""
    return round(1000 * seconds)


def side_to_move(match: Match[Any]) -> int:
    """The side whose turn it is: p1 of UGI is the first."""
    return match.game.side(match.seat)


def check_two_sides(game: Game[Any]) -> None:
    """ValueError if more than two sides play, which UGI knows nothing of."""
    if len(game.sides) > 2:
        raise ValueError(
            _("UGI knows two sides: in this form of {game} each plays alone", game=game.title)
        )
