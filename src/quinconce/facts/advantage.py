"""What it is worth to move first: the engine against itself, both sides at the same level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.elo import Z_95, MatchScore
from quinconce.engine.match_runner import run_matches
from quinconce.engine.move_choice import level_player
from quinconce.facts.files import Fact

MATCH_SEED: Final = 2003
SHARE_DIGITS: Final = 4  # of a share


def advantage_fact(
    game: Game[Any], level: int, opening: int, games: int, jobs: int, watch: Callable[[float], None]
) -> Fact:
    """The share of every side, after a number of turns of chance; the same on every machine."""
    player, scores = level_player(level), [MatchScore() for _side in game.sides]
    drawn = plies = 0
    for done in run_matches(
        game, player, player, games, seed=MATCH_SEED, jobs=jobs, opening=opening
    ):
        for side, score in enumerate(scores):
            score.shares[done.number] = match_share(done.match, side)
        outcome = done.match.outcome()
        drawn += not (outcome and outcome.winners)
        plies += len(done.match.moves)
        watch(scores[0].games / games)
    return {
        "sides": [side_fact(score) for score in scores],
        "drawn": drawn,
        "plies": round(plies / games),
    }


def match_share(match: Match[Any], side: int) -> float:
    """What a side got of a match; all sides share a draw."""
    outcome, sides = match.outcome(), match.game.sides
    if outcome is None or not outcome.winners:
        return 1 / len(sides)
    return float(outcome.winners[0] in sides[side])


def side_fact(score: MatchScore) -> Fact:
    """The matches that a side won, its share, and where the true share is to be expected."""
    wide = Z_95 * score.standard_error()
    low, high = max(0.0, score.share - wide), min(1.0, score.share + wide)
    shares = {"share": score.share, "low": low, "high": high}
    won = sum(each == 1 for each in score.shares.values())
    return {"won": won, **{name: round(value, SHARE_DIGITS) for name, value in shares.items()}}
