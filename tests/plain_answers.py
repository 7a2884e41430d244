"""What kernels and engine answer: asked of compiled code here, of plain Python elsewhere."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from corpus import FORMS, NEAR_FORMS, positions, random_match

from quinconce import Game, Match
from quinconce.engine import choose, move_choice
from quinconce.engine.readiness import NotCompiledError, needs_compiled
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel_for

Answers = dict[str, Any]
POSITIONS = 10  # of each form
SHOWN = 12  # successors of a position that are looked at
# After so many random plies these levels move.
TURNS = {0: (1, 4, 7), 9: (2, 5, 8), 40: (3, 6, 9)}


def as_text(thing: Any) -> str:
    """An answer, the same for numbers of Python and of NumPy."""
    if isinstance(thing, tuple):
        return " ".join(map(as_text, thing))
    return str(int(thing))


def state_answers(kernel: Kernel, state: Any) -> Iterator[tuple[str, Any]]:
    """What a kernel says of a state."""
    weights: Any = np.arange(3, 3 + len(kernel.features), dtype=np.int64)
    for name in ("winner", "key", "urgency", "jammed", "canonical", "index_count", "index"):
        yield name, getattr(calls, name)(state)
    yield "evaluate", calls.evaluate(state, weights)
    for n in range(0, calls.image_count(state), 5):
        yield f"image {n}", calls.image(state, n)
    for pieces in (1, 4, 6):
        yield f"layer {pieces}", calls.endgame_layer_start(state, pieces)
        yield f"part {pieces}", calls.endgame_part_start(state, pieces, 1)
    if (number := calls.index(state)) >= 0:
        yield "from index", calls.from_index(state, number)


def position_answers(kernel: Kernel, position: Any) -> Iterator[tuple[str, Any]]:
    """What a kernel says of a position and of some that follow it."""
    state, out = kernel.encode(position), kernel.new_rows(1)[0]
    yield from state_answers(kernel, state)
    yield "count", kernel.perft(position, 1)
    try:
        rows = calls.successors(state, out)
    except OverflowError:
        return
    yield "rows", rows
    for row in range(0, rows, rows // SHOWN + 1):
        after = calls.load(state, out, row)
        yield f"row {row}", after
        yield f"quiet {row}", calls.is_quiet(state, after)
        for name, answer in state_answers(kernel, after):
            yield f"row {row} {name}", answer


def kernel_answers() -> Answers:
    """What the kernels say of positions of every form."""
    found = {}
    for game in FORMS:
        kernel = kernel_for(game)
        for n, position in enumerate(positions(game, random.Random(game.form_id), POSITIONS)):
            for name, answer in position_answers(kernel, position):
                found[f"{game.form_id} {n} {name}"] = as_text(answer)
    return found


def unfinished_match(game: Game[Any], plies: int) -> Match[Any]:
    """A random match of so many plies that is not over."""
    chance = random.Random(f"{game.form_id} {plies}")
    while (match := random_match(game, chance, plies)).outcome():
        pass
    return match


def move_answers() -> Answers:
    """What the levels below the last play in every form played, whatever time they take."""
    return level_moves(NEAR_FORMS)


def few_move_answers() -> Answers:
    """The same in one form of each game."""
    return level_moves(
        [next(group) for _name, group in groupby(NEAR_FORMS, lambda form: form.name)]
    )


def level_moves(games: Sequence[Game[Any]]) -> Answers:
    """The moves of the levels below the last in some games."""
    vars(move_choice)["PLAIN_SECONDS"] = 3600
    return {
        f"{game.form_id} {plies} {level}": choose(
            unfinished_match(game, plies), level, seed=7 * plies
        )
        for game in games
        for plies, levels in TURNS.items()
        for level in levels
    }


def refusal_answers() -> Answers:
    """What full strength says at the start of each form played, and whether Numba was loaded."""
    vars(move_choice)["PLAIN_SECONDS"] = 0.01
    found: Answers = {}
    for game in NEAR_FORMS:
        match = Match(game)
        reason = needs_compiled(match, 10)
        refusal = None
        try:
            choose(match, 10)
        except NotCompiledError as error:
            refusal = str(error)
        assert refusal == reason
        found[game.form_id] = reason
    return found | {"numba": "numba" in sys.modules}


def plain_python(question: Callable[[], Answers]) -> Answers:
    """What a process without compiled code answers to one of the functions above."""
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__, question.__name__],
        env=os.environ
        | {
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path]),
        },
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    answers: Answers = json.loads(done.stdout)
    return answers


if __name__ == "__main__":
    sys.stdout.write(json.dumps(globals()[sys.argv[1]]()))
