"""The themes of a puzzle, by which people choose: all follow from what its file says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _
from quinconce.puzzles.puzzle import WIN, Puzzle

MANY_MOVES: Final = 4  # from this number of moves on, puzzles share a theme
THEMES: Final[dict[str, Phrase]] = {
    "win": _("win"),
    "save": _("save the draw"),
    "moves-2": _("in two moves"),
    "moves-3": _("in three moves"),
    "moves-4": _("in four moves or more"),
    "captures": _("with captures"),
    "quiet": _("without captures"),
    "placing": _("begins by placing"),
    "moving": _("begins by moving"),
}


@cache
def themes_of(puzzle: Puzzle) -> tuple[str, ...]:
    """The themes of a puzzle, in the order of THEMES."""
    found = set(find_themes(puzzle))
    return tuple(name for name in THEMES if name in found)


def find_themes(puzzle: Puzzle) -> Iterator[str]:
    """Win or save, the number of moves to find, captures, and how the first move begins."""
    rules, match = puzzle.game, puzzle.match(puzzle.line)
    yield "win" if puzzle.goal == WIN else "save"
    yield f"moves-{min(max(puzzle.turns, 2), MANY_MOVES)}"
    mine = [rules.side(rules.seat(position)) == puzzle.side for position in match.positions]
    counts = [count_pieces(rules, position, puzzle.side) for position in match.positions]
    taken = any(
        after[1] < before[1]
        for own, before, after in zip(mine, counts, counts[1:], strict=False)
        if own
    )
    yield "captures" if taken else "quiet"
    yield "placing" if counts[1][0] > counts[0][0] else "moving"


def count_pieces(rules: Game[Any], position: Any, side: int) -> tuple[int, int]:
    """How many pieces a side and the others have on the board."""
    own = "".join(kind.letter for kind in rules.kinds if rules.side(kind.seat) == side)
    mine = sum(letter in own for letter in position.board)
    return mine, sum(letter in rules.letters for letter in position.board) - mine


def dividing_themes(puzzles: Sequence[Puzzle]) -> tuple[str, ...]:
    """The themes that some of these puzzles have and others have not."""
    found = [themes_of(puzzle) for puzzle in puzzles]
    return tuple(name for name in THEMES if len({name in each for each in found}) > 1)
