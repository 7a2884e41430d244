"""The ten levels of the engine: how much each of them sees."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from quinconce.core.phrase import Phrase, _, quote


class Level(NamedTuple):
    """A strength: a number of nodes, so that it is the same on every machine; or a time.

    >>> LEVELS[4].is_full_strength, LEVELS[9].is_full_strength
    (False, True)
    """

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


class Skill(NamedTuple):
    """How much somebody sees: one of several between a beginner and a master."""

    nodes: int
    noise: int
    blindness: int
    blind_from_ply: int = 2
    attention: int | None = None


SEES_EVERY_MOVE: Final = 100_000  # an attention that suffices in every game

# From weak to strong; only the first that sees all answers is weaker than the one before.
SKILLS: Final[Sequence[Skill]] = (
    # Those who overlook moves of their own, and answers to them.
    Skill(60, 2000, 380, blind_from_ply=1, attention=80),
    Skill(80, 2000, 280, blind_from_ply=0, attention=320),
    Skill(80, 900, 280, blind_from_ply=0, attention=SEES_EVERY_MOVE),
    Skill(80, 380, 280, blind_from_ply=0, attention=SEES_EVERY_MOVE),
    # Those who see every answer to a move.
    Skill(100, 2000, 250),
    Skill(100, 1000, 250),
    Skill(110, 600, 250),
    Skill(120, 300, 250),
    Skill(220, 240, 180),
    Skill(400, 190, 130),
    Skill(800, 150, 90),
    Skill(1800, 110, 50),
    Skill(5000, 70, 15),
    Skill(15_000, 30, 0),
    Skill(40_000, 12, 0),
    Skill(120_000, 0, 0),
    Skill(400_000, 0, 0),
)

NAMES: Final[Sequence[Phrase]] = (
    _("beginner"),
    _("novice"),
    _("learner"),
    _("amateur"),
    _("regular"),
    _("club player"),
    _("strong player"),
    _("expert"),
    _("master"),
    _("full strength"),
)

UNRATED: Final = ""  # the name of a form that nobody rated
# The name of a form of a game, or how it begins -> where among SKILLS the first nine levels stand,
# so that they are equally far apart; measured by `benchmarks.level_ratings`.
PLACES_FILE: Final = "level_places.json"
CONTEMPT: Final[Mapping[int, int]] = {7: 10, 8: 15, 9: 20, 10: 25}  # of a level by its number
FULL_SECONDS: Final = 1.0


def skill_at(place: float) -> Skill:
    """The skill at a place between two of SKILLS."""
    before = min(int(place), len(SKILLS) - 2)
    share, weaker, stronger = place - before, SKILLS[before], SKILLS[before + 1]

    def between(low: int, high: int) -> int:
        return round(low + (high - low) * share)

    def between_powers(low: int, high: int) -> int:
        return round(low * math.exp(share * math.log(high / low)))

    attention = weaker.attention and between_powers(
        weaker.attention, stronger.attention or SEES_EVERY_MOVE
    )
    return Skill(
        between_powers(weaker.nodes, stronger.nodes),
        between(weaker.noise, stronger.noise),
        between(weaker.blindness, stronger.blindness),
        weaker.blind_from_ply,
        attention,
    )


@cache
def read_places() -> dict[str, list[float]]:
    """Where the levels of all forms stand."""
    text = files(__package__).joinpath(PLACES_FILE).read_text(encoding="utf-8")
    found: dict[str, list[float]] = json.loads(text)
    return found


@cache
def levels_of(form: str) -> tuple[Level, ...]:
    """The ten levels as they play a form of a game, given by its name.

    >>> from quinconce import game
    >>> len(levels_of(game("diam").form_id))
    10
    """
    known = read_places()
    places = known[max((start for start in known if form.startswith(start)), key=len)]
    found = []
    for number, name in enumerate(NAMES, start=1):
        contempt = CONTEMPT.get(number, 0)
        if number <= len(places):
            found.append(Level(name, contempt=contempt, **skill_at(places[number - 1])._asdict()))
        else:
            found.append(Level(name, None, contempt=contempt, seconds=FULL_SECONDS))
    return tuple(found)


LEVELS: Final = levels_of(UNRATED)
LEVEL_NUMBERS: Final = range(1, len(LEVELS) + 1)
LAST_LEVEL: Final = LEVEL_NUMBERS[-1]
FIRST_LEVEL: Final = 2  # for people who have not played yet: it can be beaten


def level_by_number(number: object, form: str = UNRATED) -> Level:
    """The level with this number, from 1, as it plays a form of a game, given by its name."""
    if type(number) is not int or not 1 <= number <= LAST_LEVEL:
        raise ValueError(
            _(
                "{wrong} is not a level: they go from 1 to {last}",
                wrong=quote(number),
                last=LAST_LEVEL,
            )
        )
    return levels_of(form)[number - 1]
