"""What thinking longer is worth: full strength against the same with a tenth of its nodes.

    python -m benchmarks.tenth_of_nodes GAME [KEY=VALUE …] [--games 40] [--nodes 2000000] [--jobs 1]
                                        [--opening 4] [--uneven 100] [--fair 250] [--seed 10]

`nodes` are those of a second on the machine in question (`quinconce bench` tells), so that the
result does not depend on what else the machine does during the matches. A victory by counting is
worth 0.75 of a match.
"""

from __future__ import annotations

import argparse
import sys

from rich.progress import track

import quinconce
from benchmarks.fit_weights import balanced_openings, node_player
from quinconce.engine.elo import MatchScore
from quinconce.engine.match_runner import OPENING_TURNS, run_matches
from quinconce.engine.scores import INFINITE


def main() -> None:
    """Play the matches of one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--opening", type=int, default=OPENING_TURNS, help="turns of chance")
    parser.add_argument("--uneven", type=int, default=0, help="how uneven openings must be")
    parser.add_argument("--fair", type=int, default=INFINITE, help="how uneven openings may be")
    parser.add_argument("--seed", type=int, default=10, help="of the openings")
    given = parser.parse_args()
    game = quinconce.game(given.game, **dict(option.split("=") for option in given.options))
    score = MatchScore(graded=True)
    players = node_player(given.nodes, None), node_player(given.nodes // 10, None)
    matches = run_matches(
        game,
        *players,
        given.games,
        seed=given.seed,
        jobs=given.jobs,
        opening=given.opening,
        accepts=balanced_openings(given.fair, given.uneven),
    )
    for played in track(matches, total=given.games, description=game.name):
        score.add(played)
    difference, low, high = score.elo_interval()
    better, worse = score.opening_leads()
    sys.stdout.write(
        f"{game.name} {given.options}: {given.nodes} nodes against a tenth, "
        f"{score.wins_draws_losses()} of {score.games}, {100 * score.share:.1f} %, "
        f"{difference:+.0f} ({low:+.0f} to {high:+.0f}); better in {better} of "
        f"{len(score.opening_shares())} openings, worse in {worse} "
        f"(by chance: {score.sign_test():.2g})\n"
    )


if __name__ == "__main__":
    main()
