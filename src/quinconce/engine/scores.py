"""The scores of a search, and the expected scores from 0 to 1 that they stand for in results.

As an expected score a win counts 1, a draw 0.5, and a victory by counting, where a game knows it,
0.75 to the winner and 0.25 to the other. Among more than two sides a draw is an equal share for
each. Nothing here loads compiled code.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from quinconce.core.game import Game
from quinconce.core.position import Outcome

if TYPE_CHECKING:
    from quinconce.engine.principal_variation import Line

# Scores are in hundredths of a pawn, from the view of the player to move. What is proved lies
# beyond every estimate: a win on the board, less the plies to it; below it one that a table of
# endgames promises, less the plies to the next capture there; below that, where one asks what is
# proved of it, a victory by counting after a jam, less the plies to it. A loss is a win of the
# other's. A search for the best move puts a jam neither above all its hopes nor below all its
# fears: a jam is worth as much as a clear advantage.
WIN: Final = 1_000_000
ENDGAME_WIN: Final = 750_000
COUNTED_WIN: Final = 500_000
PROVED_THRESHOLD: Final = 250_000
MAX_ESTIMATE: Final = 100_000  # no estimate goes beyond
INFINITE: Final = 2_000_000
NO_SCORE: Final = INFINITE + 1  # where there is no score to return
JAM_SCORE: Final = 300  # a jam, to the one who has more, as long as one plays for the best

COUNTED_WIN_SCORE: Final = 0.75  # of a victory by counting after a jam
ODDS_SCALE: Final = 400.0  # points for every ten times as good odds, as the evaluations are fitted
ROUNDING: Final = 1e-9  # two expected scores no further apart are equal
SCALES_FILE: Final = "score_scales.json"  # a game with some of its options -> its scale


def is_endgame_score(score: int) -> bool:
    """Whether it comes from a table of endgames, and the end may be nearer or further."""
    return COUNTED_WIN < abs(score) <= ENDGAME_WIN


class ScoreBounds(NamedTuple):
    """What is proved of an expected score: it lies between these two."""

    least: float = 0.0
    most: float = 1.0

    @property
    def exact(self) -> bool:
        """Whether nothing is open."""
        return self.most - self.least < ROUNDING

    def opposite(self) -> ScoreBounds:
        """The same for the other of two sides."""
        return ScoreBounds(1 - self.most, 1 - self.least)

    def clamp(self, score: float) -> float:
        """The score within these bounds that is nearest to one."""
        return min(max(score, self.least), self.most)


class ScoreScale(NamedTuple):
    """How the scores of a game become expected scores; fitted by `benchmarks/calibration.py`."""

    points: float = ODDS_SCALE  # for every ten times as good odds
    doubt: float = 0.0  # the part of the point that may be lost, however high a score is


def expected_score(game: Game[Any], line: Line) -> float:
    """What the player to move may expect who plays a line, from 0 to 1."""
    return proven_bounds(game, line).clamp(score_share(game, line.score))


def proven_bounds(game: Game[Any], line: Line) -> ScoreBounds:
    """The least and the most that the player to move gets, as far as the line is proved.

    A victory by counting is proved as a score that is an estimate's: there may be more to win.
    """
    counted = abs(line.score) <= MAX_ESTIMATE
    if line.value == "draw":
        return ScoreBounds(drawn_share(game), drawn_share(game))
    if line.value == "win":
        return ScoreBounds(COUNTED_WIN_SCORE if counted else 1.0, 1.0)
    if line.value == "loss":
        return ScoreBounds(0.0, 1 - COUNTED_WIN_SCORE if counted else 0.0)
    return ScoreBounds()


def score_share(game: Game[Any], score: int) -> float:
    """The share of the point that an engine's score stands for; 0 is a fair share."""
    if abs(score) > MAX_ESTIMATE:
        return float(score > 0)
    fair, scale = drawn_share(game), score_scale(game)
    odds = fair / (1 - fair) * 10.0 ** (score / scale.points)
    return float(scale.doubt + (1 - 2 * scale.doubt) * odds / (1 + odds))


def drawn_share(game: Game[Any]) -> float:
    """What a draw is worth to each side."""
    return 1 / len(game.sides)


def outcome_scores(game: Game[Any], outcome: Outcome) -> tuple[float, ...]:
    """What each side got of a match that is over."""
    if not outcome.winners:
        return (drawn_share(game),) * len(game.sides)
    won = COUNTED_WIN_SCORE if outcome.by is not None else 1.0
    winner = game.side(outcome.winners[0])
    lost = (1 - won) / (len(game.sides) - 1)
    return tuple(won if side == winner else lost for side in range(len(game.sides)))


def score_scale(game: Game[Any]) -> ScoreScale:
    """The scale of a game: the nearest form's there is. Among more sides, scores are shares."""
    chosen = {f"{name}={value}" for name, value in game.chosen.items()}
    fitting = [
        (len(options), scale)
        for form, scale in read_scales_file().items()
        for name, *options in [form.split(" ")]
        if name == game.name and chosen.issuperset(options)
    ]
    return max(fitting)[1] if fitting and len(game.sides) == 2 else ScoreScale()


@cache
def read_scales_file() -> dict[str, ScoreScale]:
    """All scales that were fitted on the results of matches."""
    text = files(__package__).joinpath(SCALES_FILE).read_text(encoding="utf-8")
    return {form: ScoreScale(*values) for form, values in json.loads(text).items()}
