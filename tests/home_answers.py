"""What kernels, engine and solvers answer: asked of native code here, of the modules elsewhere."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from corpus import FORMS, NEAR_FORMS, positions, random_match

from quinconce import Game, Match
from quinconce.core.claim import Claim
from quinconce.core.registry import game_forms, menu_names
from quinconce.engine import choose
from quinconce.engine.analysis import run_search
from quinconce.engine.limits import Limits
from quinconce.engine.move_values import known_moves
from quinconce.engine.preparation import new_search
from quinconce.kernels import calls
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.solvers.endgames.tables import most_pieces, solve_table
from quinconce.solvers.proofs.prover import Prover

Answers = dict[str, Any]
POSITIONS = 6  # of each form
SHOWN = 5  # successors of a position that are looked at
SEARCH_NODES = 3000
PROOF_PLIES = 7
ENDING_PIECES = 3
# After so many random plies these levels move.
TURNS = {0: (1, 4, 7), 9: (2, 5, 8), 40: (3, 6, 9)}


def as_text(thing: Any) -> str:
    """An answer, the same for numbers of Python and of NumPy."""
    if isinstance(thing, tuple):
        return " ".join(map(as_text, thing))
    return str(int(thing))


def state_answers(kernel: Kernel, state: Any) -> Iterator[tuple[str, Any]]:
    """What a kernel says of a state."""
    import numpy as np

    weights: Any = np.arange(3, 3 + len(kernel.features), dtype=np.int64)
    for name in ("winner", "key", "urgency", "jammed", "canonical", "index_count", "index"):
        yield name, getattr(calls, name)(state)
    yield "evaluate", calls.evaluate(state, weights)
    for n in range(0, calls.image_count(state), 5):
        yield f"image {n}", calls.image(state, n)
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
        yield "rows", -1
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
        found[f"{game.form_id} perft"] = as_text(kernel.perft(game.start(), 2))
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


def search_answers() -> Answers:
    """Nodes, scores and lines of searches in every form, of what is proved too."""
    found: Answers = {}
    for game in FORMS:
        for plies in (0, 12, 40):
            match = unfinished_match(game, plies)
            search = new_search(match, Limits(nodes=SEARCH_NODES), contempt=20)
            run_search(search, lines=2)
            lines = [(line.moves, line.score, line.value) for line in search.lines(2)]
            found[f"{game.form_id} {plies}"] = f"{search.depth} {search.nodes} {lines}"
    return found


def interrupted_answers() -> Answers:
    """Searches for which memory is left over that others have written to, while one is open."""
    found: Answers = {}
    for game in first_forms():
        match, limits = unfinished_match(game, 4), Limits(nodes=SEARCH_NODES)
        opened = new_search(match, limits)
        kernel = kernel_for(game)
        kernel.perft(match.position, 2)
        kernel.successors(match.position)
        search = new_search(match, limits)
        for each in (search, opened):
            run_search(each)
        found[game.form_id] = f"{search.nodes} {search.lines(1)}"
        assert opened.nodes == search.nodes > 0, game.form_id
    return found


def proof_answers() -> Answers:
    """What is proved in one form of each game: by tables, certificates, endings, the prover."""
    found: Answers = {}
    for game in first_forms():
        if len(game.sides) == 2:
            for plies in (0, 14):
                match = unfinished_match(game, plies)
                found[f"{game.form_id} {plies}"] = str(known_moves(match))
            prover = Prover(Claim(game, match.position, 0, PROOF_PLIES), 1.0)
            pair = prover.search_slice(prover.kernel.encode(match.position), PROOF_PLIES)
            found[f"{game.form_id} proof"] = f"{pair} {prover.progress.nodes}"
        if most_pieces(game):
            table = solve_table(game, ENDING_PIECES)
            found[f"{game.form_id} endings"] = f"{sum(table.distances.tolist())} {table.statistics}"
    return found


def move_answers() -> Answers:
    """What the levels below the last play in every form played."""
    return level_moves(NEAR_FORMS)


def few_move_answers() -> Answers:
    """The same in one form of each game."""
    return level_moves(first_forms())


def first_forms() -> list[Game[Any]]:
    """Each game as it is mostly played."""
    return [game_forms(name)[0] for name in menu_names()]


def level_moves(games: Sequence[Game[Any]]) -> Answers:
    """The moves of the levels below the last in some games."""
    return {
        f"{game.form_id} {plies} {level}": choose(
            unfinished_match(game, plies), level, seed=7 * plies
        )
        for game in games
        for plies, levels in TURNS.items()
        for level in levels
    }


def full_strength_answers() -> Answers:
    """Whether full strength moves in every form played, and whether the compiler was loaded."""
    moved = {game.form_id: choose(Match(game), 10, seconds=0.01) != "" for game in NEAR_FORMS}
    return moved | {"numba": "numba" in sys.modules, "numpy": bool(sys.modules.get("numpy"))}


def asked_of_modules(question: Callable[[], Answers], *, numpy: bool = True) -> Answers:
    """What a process whose home is WebAssembly answers to one of the functions above.

    As in a page it may have to do without NumPy.
    """
    script = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], None, '__main__')"
    if not numpy:
        script = f"import sys; sys.modules['numpy'] = None; {script}"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, __file__, question.__name__],
        env=os.environ
        | {
            "QUINCONCE_HOME": "wasm",
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
