"""What players of known strength get in the exam: `python -m benchmarks.exam_reference [FORM …]`.

Random and one-ply players, plain UCT with a number of random games for each move, and the levels of
the engine; with `--every N` every Nth question only, and with `--levels N` the levels up to N.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from quinconce import Game, Match
from quinconce.bridges.exam import (
    EXAM_VERSION,
    ExamReport,
    Player,
    ask_player,
    exam_path,
    questions,
)
from quinconce.core.registry import game_forms, names
from quinconce.engine.levels import LAST_LEVEL
from quinconce.engine.move_choice import choose
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel_for, random_playout

SEED: Final = 20031997
EXPLORATION: Final = math.sqrt(2)
MAX_PLAYOUT_PLIES: Final = 300


def random_player(match: Match[Any]) -> str:
    """Any legal move."""
    return random.Random(f"{SEED} {match.position}").choice(sorted(match.legal()))


def one_ply_player(match: Match[Any]) -> str:
    """The move that looks best after it; one that wins at once, and none that loses at once."""
    game, kernel = match.game, kernel_for(match.game)
    weights = evaluation_weights(kernel)

    def look(after: Any) -> float:
        if outcome := game.outcome(after):
            return math.inf if match.seat in outcome.winners else -math.inf
        return -float(calls.evaluate(kernel.encode(after), weights))

    return max(sorted(match.legal().items()), key=lambda move: look(move[1]))[0]


class UctNode:
    """A position of a tree of UCT for two sides: what its visits brought to who moved there."""

    def __init__(self, state: Any, side: int) -> None:
        self.state, self.side = state, side  # the side that moved here
        self.visits, self.points = 0, 0.0
        self.children: list[UctNode] | None = None


class Uct:
    """Plain UCT: a child for every move, and one random game for every leaf."""

    def __init__(self, game: Game[Any], games: int) -> None:
        self.game, self.games = game, games
        self.kernel: Kernel = kernel_for(game)
        self.rows = self.kernel.new_rows(1)[0]
        self.chance = random.Random(SEED)
        self.sides = [game.side(seat) for seat in game.cycle]

    def __call__(self, match: Match[Any]) -> str:
        root = UctNode(self.kernel.encode(match.position), -1)
        for _game in range(self.games):
            self.visit(root)
        assert root.children
        best = self.kernel.decode(max(root.children, key=lambda child: child.visits).state)
        return next(text for text, after in match.legal().items() if after == best)

    def visit(self, root: UctNode) -> None:
        """Go down to a leaf, play a random game from there, and count it all the way up."""
        path = [root]
        while path[-1].children:
            path.append(self.choose_child(path[-1]))
        leaf = path[-1]
        if leaf.visits and leaf.children is None:
            leaf.children = list(self.expand(leaf))
            if leaf.children:
                path.append(self.chance.choice(leaf.children))
        _plies, won, _seed = random_playout(
            path[-1].state, self.rows, self.chance.getrandbits(60), MAX_PLAYOUT_PLIES
        )
        for node in path:
            node.visits += 1
            node.points += 0.5 if won < 0 else float(won == node.side)

    def choose_child(self, node: UctNode) -> UctNode:
        """The child with the best bound; those never visited first."""
        children = node.children or []
        log = math.log(node.visits)

        def bound(child: UctNode) -> float:
            if not child.visits:
                return math.inf
            return child.points / child.visits + EXPLORATION * math.sqrt(log / child.visits)

        return max(children, key=bound)

    def expand(self, node: UctNode) -> Iterator[UctNode]:
        """A child for every move."""
        side = self.sides[node.state.turn]
        for row in range(int(calls.successors(node.state, self.rows))):
            yield UctNode(calls.load(node.state, self.rows, row), side)


def players(game: Game[Any], last_level: int) -> Iterator[tuple[str, Player]]:
    """Who is asked, from weak to strong."""
    yield "random", random_player
    yield "one ply", one_ply_player
    for games in (100, 1000):
        yield f"UCT, {games} games", Uct(game, games)
    for level in range(1, last_level + 1):
        yield f"level {level}", partial(choose, level=level, seed=SEED)


def main() -> None:
    """Print a row of a table for each player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--levels", type=int, default=LAST_LEVEL)
    given = parser.parse_args()
    for game in (form for name in names() for form in game_forms(name)):
        exists = exam_path(game).exists()
        if not exists or (given.forms and game.form_id not in given.forms):
            continue
        asked = questions(game)[:: given.every]
        print(f"{game.form_id}, exam {EXAM_VERSION}, {len(asked)} questions")  # noqa: T201
        for name, player in players(game, given.levels):
            began = time.process_time()
            report = ExamReport(EXAM_VERSION, tuple(ask_player(player, each) for each in asked))
            low, high = report.total.interval
            grades = " ".join(f"{k}: {v.share:.0%}" for k, v in report.by_grade().items())
            spent = (time.process_time() - began) / len(asked)
            print(  # noqa: T201
                f"| {name} | {report.total.share:.0%} | {low:.0%}–{high:.0%} | {spent:.3f} s |"
                f" {grades}",
                flush=True,
            )


if __name__ == "__main__":
    main()
