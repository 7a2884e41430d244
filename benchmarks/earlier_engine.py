"""Whether the engine plays better than it did: matches against an earlier commit, at equal nodes.

    python -m benchmarks.earlier_engine FOLDER GAME [KEY=VALUE …] [--games 200] [--nodes 5000]
                                        [--opening 12] [--fair 250] [--seed 1]

FOLDER holds the earlier commit (`git worktree add FOLDER COMMIT`), whose engine searches in a
process of its own. Both are compiled on this machine; nodes are the same in the modules. Openings
are turns of chance after which a short search sees nobody ahead by more than `fair`; each is played
twice with the sides exchanged. A draw is half a match; in the graded share a victory by counting is
worth 0.75.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from rich.progress import track

import quinconce
from benchmarks.fast_matches import FastMatchRunner, FastPlayer
from benchmarks.fit_weights import CHECK_NOISE, RESULT_POINTS
from quinconce import Game
from quinconce.engine.elo import MatchScore
from quinconce.engine.weights import evaluation_weights
from quinconce.engine.workspace import EVALUATION_NOISE, MAX_PLY, WEAKNESS_SEED
from quinconce.kernels import calls
from quinconce.kernels.arrays import NativeArrays
from quinconce.kernels.kernel import kernel_for

ENDINGS: Final = {2: "won", 1: "won by counting", 0: "drawn", -1: "lost by counting", -2: "lost"}


class EarlierPlayer(FastPlayer):
    """The engine of an earlier commit, asked in a process of its own."""

    def __init__(self, folder: Path, game: Game[Any], nodes: int) -> None:
        super().__init__(game, evaluation_weights(kernel_for(game)), nodes)
        self.rows = NativeArrays().empty(*self.space.rows.shape[1:])
        words = [game.name, *(f"{name}={value}" for name, value in game.chosen.items())]
        self.process = subprocess.Popen(  # noqa: S603 (a script of this folder)
            [sys.executable, __file__, "--answer", str(nodes), *words],
            env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{folder / 'src'}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def best_row(self, state: Any, calm: int, before: Counter[int]) -> tuple[int, int]:
        """The row of the move that it plays, and its score."""
        assert self.process.stdin
        assert self.process.stdout
        noise, seed = self.space.control[[EVALUATION_NOISE, WEAKNESS_SEED]].tolist()
        asked = [list(map(int, state)), calm, list(before.items()), noise, seed]
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        wanted, score = json.loads(self.process.stdout.readline())
        for row in range(calls.successors(state, self.rows)):
            if list(map(int, calls.load(state, self.rows, row))) == wanted:
                return row, score
        return 0, score

    def close(self) -> None:
        """End its process."""
        self.process.communicate()


def chosen_game(words: list[str]) -> Game[Any]:
    """The game that is named with its options."""
    name, *options = words
    return quinconce.game(name, **dict(option.split("=") for option in options))


def answer(nodes: int, words: list[str]) -> None:
    """Be the earlier engine: for each position that is asked, where its move leads."""
    game = chosen_game(words)
    player = FastPlayer(game, evaluation_weights(kernel_for(game)), nodes)
    kind, rows = type(kernel_for(game).encode(game.start())), player.space.rows[MAX_PLY]
    for line in sys.stdin:
        fields, calm, before, noise, seed = json.loads(line)
        player.space.control[[EVALUATION_NOISE, WEAKNESS_SEED]] = noise, seed
        state = kind(*fields)
        row, score = player.best_row(state, calm, Counter(dict(map(tuple, before))))
        count = calls.successors(state, rows)
        after = list(map(int, calls.load(state, rows, row))) if count else None
        sys.stdout.write(json.dumps([after, score]) + "\n")
        sys.stdout.flush()


def interval(score: MatchScore) -> str:
    """The share in percent, and the interval that holds it with a confidence of 95 %."""
    low, high = (100 / (1 + 10 ** (-edge / 400)) for edge in score.elo_interval()[1:])
    return f"{100 * score.share:.1f} % ({low:.1f} to {high:.1f})"


def play(given: argparse.Namespace) -> str:
    """Play, and tell what the engine of today got."""
    game = chosen_game([given.game, *given.options])
    weights = evaluation_weights(kernel_for(game))
    runner = FastMatchRunner(game, weights, given.fair)
    today = FastPlayer(game, weights, given.nodes)
    before = EarlierPlayer(given.folder.resolve(), game, given.nodes)
    plain, graded, ends = MatchScore(), MatchScore(graded=True), Counter[str]()
    chance = random.Random(given.seed)
    for number in track(range(0, given.games, 2), description=game.form_id):
        opening = runner.random_opening(chance, (given.opening, given.opening))
        for side, seated in enumerate(((today, before), (before, today))):
            result = runner.play(opening, seated, chance, CHECK_NOISE).result
            gained = -result if side else result
            sign = (gained > 0) - (gained < 0)
            graded.shares[number + side] = 0.5 + sign * RESULT_POINTS[abs(gained)]
            plain.shares[number + side] = 0.5 + sign * 0.5
            ends[ENDINGS[gained]] += 1
    before.close()
    return (
        f"{game.form_id}, {given.nodes} nodes a move, fair {given.fair}, {plain.games} matches: "
        f"{interval(plain)}, graded {interval(graded)}; {dict(ends.most_common())}\n"
    )


def main() -> None:
    """Play, or answer another process that does."""
    if sys.argv[1] == "--answer":
        return answer(int(sys.argv[2]), sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--opening", type=int, default=12, help="turns of chance")
    parser.add_argument("--fair", type=int, default=250, help="how uneven openings may be")
    parser.add_argument("--seed", type=int, default=1)
    sys.stdout.write(play(parser.parse_args()))
    return None


if __name__ == "__main__":
    main()
