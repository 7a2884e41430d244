"""The ten levels of the engine: how much each of them sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from quinconce.core.phrase import Phrase, _, quote


class Level(NamedTuple):
    """A strength: a number of nodes, so that it is the same on every machine; or a time."""

    name: Phrase
    nodes: int | None
    noise: int = 0  # how far estimates are off, in hundredths of a pawn
    blindness: int = 0  # how many of 1024 positions are overlooked
    blind_from_ply: int = 2  # from this ply on: from the third level every answer to a move is seen
    seconds: float | None = None
    contempt: int = 0  # by how much a draw is worth less, in hundredths of a pawn
    # How many positions it pictures before it moves, a move and its replies together: of 40 moves
    # with 40 replies each it looks at two if there are 80. None: at every move it sees.
    attention: int | None = None

    def moves_looked_at(self, moves: int) -> int:
        """How many of its moves it looks at: fewer, the more there are, and at least two."""
        return moves if self.attention is None else max(2, self.attention // moves)

    @property
    def is_full_strength(self) -> bool:
        """Whether it plays as well as it can."""
        return self.nodes is None


LEVELS: Final[Sequence[Level]] = (
    Level(_("beginner"), 60, noise=2000, blindness=380, blind_from_ply=1, attention=80),
    Level(_("novice"), 80, noise=380, blindness=280, blind_from_ply=0),
    Level(_("learner"), 120, noise=300, blindness=250),
    Level(_("amateur"), 220, noise=240, blindness=180),
    Level(_("regular"), 400, noise=190, blindness=130),
    Level(_("club player"), 800, noise=150, blindness=90),
    Level(_("strong player"), 1800, noise=110, blindness=50, contempt=10),
    Level(_("expert"), 5000, noise=70, blindness=15, contempt=15),
    Level(_("master"), 15_000, noise=30, contempt=20),
    Level(_("full strength"), None, seconds=1.0, contempt=25),
)
LEVEL_NUMBERS: Final = range(1, len(LEVELS) + 1)
LAST_LEVEL: Final = LEVEL_NUMBERS[-1]
FIRST_LEVEL: Final = 2  # for people who have not played yet: it can be beaten


def level_by_number(number: object) -> Level:
    """The level with this number, from 1."""
    if type(number) is not int or not 1 <= number <= LAST_LEVEL:
        raise ValueError(
            _(
                "{wrong} is not a level: they go from 1 to {last}",
                wrong=quote(number),
                last=LAST_LEVEL,
            )
        )
    return LEVELS[number - 1]
