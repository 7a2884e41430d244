"""Makes the questions of the exam: positions of random games whose moves are all decided.

    python tools/exam_positions.py [FORM …]

Where a game or its endings have a table, the table decides. Elsewhere a position is kept if each of
its moves is proved to win, or to lose, within MOST_PLIES plies. The same seed makes the same files.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

import quinconce
from quinconce import Game, Match
from quinconce.bridges.batch import Batch
from quinconce.bridges.exam import EXAM_FOLDER, Question, exam_path, format_questions
from quinconce.bridges.labels import Labels, label_positions, table_of
from quinconce.core.symmetry import canonical_position
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.puzzles.oracle import Oracle, TooHardError
from quinconce.solvers.endgames.tables import DEFAULT_PIECES

SEED = 1
WANTED = 240  # questions of each exam
MOST_OF_ONE_GRADE = 12  # with the same distance and number of right moves
MOST_PLIES = 6  # of a proof, after the move
MOST_TRIES = 1500  # positions that are decided, where proofs decide them
CLOSE = 9  # plies before the end of a random game, where proofs are short
FORMS = [
    quinconce.game("diadema"),
    quinconce.game("diam"),
    quinconce.game("diam", edition=1997),
    quinconce.game("seega"),
]


def right_moves(found: Labels, n: int, game: Game[Any], position: Any) -> frozenset[str]:
    """The moves that keep the value of a labelled position."""
    legal = dict(game.moves(position))
    after = label_positions(game, list(legal.values()), pieces=DEFAULT_PIECES)
    right = set()
    for row, (text, there) in enumerate(legal.items()):
        outcome = game.outcome(there)
        if outcome:
            value = 1 if game.seat(position) in outcome.winners else -1
        else:
            assert after.known[row], game.write(there)
            value = -int(after.value[row])
        if value == found.value[n]:
            right.add(text)
    return frozenset(right)


def table_questions(game: Game[Any], chance: random.Random) -> Iterator[Question]:
    """Positions of a table, from random games or drawn by lot among endings, with their moves."""
    while True:
        sample = list(random_positions(game, chance))
        found = label_positions(game, sample)
        for n in np.flatnonzero(found.known & (found.value >= 0)):
            right = right_moves(found, n, game, sample[n])
            value = "win" if found.value[n] > 0 else "draw"
            plies = max(int(found.distance[n]), 0)
            yield Question(game, sample[n], value, plies, right)


def random_positions(game: Game[Any], chance: random.Random) -> Iterator[Any]:
    """Positions of a whole table by playing, of endings by their numbers."""
    kernel = kernel_for(game)
    start = kernel.encode(game.start())
    table = table_of(game, DEFAULT_PIECES)
    assert table
    if not table.to_capture:
        batch = Batch(game, 64, seed=chance.getrandbits(30))
        for _step in range(chance.randrange(4, 40)):
            batch.step(batch.random_actions())
        yield from (batch.position(n) for n in np.flatnonzero(~batch.done))
        return
    for _try in range(64):
        pieces = chance.randint(3, DEFAULT_PIECES)
        first, last = (int(calls.endgame_layer_start(start, n)) for n in (pieces, pieces + 1))
        position = kernel.decode(calls.from_index(start, chance.randrange(first, last)))
        if game.outcome(position) is None:
            yield position


def proved_questions(game: Game[Any], chance: random.Random) -> Iterator[Question]:
    """Positions near the end of random games in which every move is proved to win or to lose."""
    oracle = Oracle(game, slices=1)
    while True:
        match = Match(game)
        while not match.outcome() and len(match.moves) < 300:
            match.play(chance.choice(list(match.legal())))
        if not (outcome := match.outcome()) or not outcome.winners:
            continue
        for position in match.positions[-CLOSE:-1]:
            oracle.reset_allowance()
            try:
                if question := prove(oracle, game, position):
                    yield question
            except TooHardError:
                continue


def prove(oracle: Oracle, game: Game[Any], position: Any) -> Question | None:
    """The question of a position that is won; None if a move is not decided."""
    side = game.side(game.seat(position))
    right: dict[str, Any] = {}
    for text, after in game.moves(position):
        if oracle.wins_within(after, side, MOST_PLIES):
            right[text] = after
        elif not oracle.wins_within(after, 1 - side, MOST_PLIES):
            return None
    if not right:
        return None
    far = [oracle.shortest_win(after, side, MOST_PLIES) for after in right.values()]
    plies = 1 + min(plies for plies in far if plies is not None)
    return Question(game, position, "win", plies, frozenset(right))


def choose(game: Game[Any]) -> list[Question]:
    """As many questions as are wanted, of all grades, no two of them symmetric."""
    chance = random.Random(f"{SEED} {game.form_id}")
    source = table_questions if table_of(game, DEFAULT_PIECES) else proved_questions
    kept: dict[Any, Question] = {}
    grades = Counter[tuple[str, str]]()
    for tries, question in enumerate(source(game, chance), start=1):
        legal = sum(1 for _move in game.moves(question.position))
        if len(question.right) < legal and grades[question.grades] < MOST_OF_ONE_GRADE:
            name = canonical_position(question.position, game.symmetries())
            grades[question.grades] += name not in kept
            kept.setdefault(name, question)
        if len(kept) == WANTED or (source is proved_questions and tries == MOST_TRIES):
            break
    return sorted(kept.values(), key=lambda each: (each.value, each.plies, -len(each.right)))


def main() -> None:
    """Write a file for each form."""
    EXAM_FOLDER.mkdir(exist_ok=True)
    for game in FORMS:
        if not sys.argv[1:] or game.form_id in sys.argv[1:]:
            found = choose(game)
            path = exam_path(game)
            path.write_text(format_questions(found), encoding="utf-8")
            print(game.form_id, len(found), Counter(each.grades for each in found))  # noqa: T201


if __name__ == "__main__":
    main()
