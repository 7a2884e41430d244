"""The ten levels of the engine: how much each of them sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from quinconce.core.phrase import Phrase as _
from quinconce.core.phrase import quoted


class Level(NamedTuple):
    """A strength: so many nodes, so that it is the same on every machine; or a time."""

    name: _
    nodes: int | None
    noise: int = 0  # how far estimates are off, in hundredths of a pawn
    blind: int = 0  # of 1024 positions so many are overlooked
    sight: int = 2  # from this ply on: from the third level every answer to a move is seen
    seconds: float | None = None

    @property
    def full(self) -> bool:
        """Whether it plays as well as it can."""
        return self.nodes is None


LEVELS: Final[Sequence[Level]] = (
    Level(_("beginner"), 60, noise=450, blind=380, sight=0),
    Level(_("novice"), 80, noise=380, blind=280, sight=0),
    Level(_("learner"), 120, noise=300, blind=250),
    Level(_("amateur"), 220, noise=240, blind=180),
    Level(_("regular"), 400, noise=190, blind=130),
    Level(_("club player"), 800, noise=150, blind=90),
    Level(_("strong player"), 1800, noise=110, blind=50),
    Level(_("expert"), 5000, noise=70, blind=15),
    Level(_("master"), 15_000, noise=30),
    Level(_("full strength"), None, seconds=1.0),
)
LAST: Final = len(LEVELS)


def level_of(number: object) -> Level:
    """The level with this number, from 1."""
    if type(number) is not int or not 1 <= number <= LAST:
        raise ValueError(
            _("{wrong} is not a level: they go from 1 to {last}", wrong=quoted(number), last=LAST)
        )
    return LEVELS[number - 1]
