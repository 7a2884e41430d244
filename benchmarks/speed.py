"""How fast the rules, the kernels and the search are: figures a second of CPU time, and ratios."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

import quinconce
from quinconce import Game, Match
from quinconce.engine.analysis import run_search
from quinconce.engine.limits import Limits
from quinconce.engine.position_search import PositionSearch
from quinconce.engine.preparation import new_search
from quinconce.kernels.kernel import kernel_for, random_playouts

SAMPLE_POSITIONS: Final = 400
BENCH_SEED: Final = 20031997
MAX_PLAYOUT_PLIES: Final = 1000  # plies of a random game
SIGNATURE_DEPTH: Final = 6
RUN_COUNT: Final = 3  # of which the best counts
OPENING_COUNT: Final = 12  # from which one and two threads search
ORDER_COUNT: Final = 2  # that they do, with the first moves in another order
MAX_OPENING_TURNS: Final = 5  # of chance before an opening, at most

Figures = dict[str, float | None]  # by name; None where there is nothing to measure


class Subject(NamedTuple):
    """A game with its options, and the position that is measured from."""

    name: str
    game: Game[Any]
    start: Any


def bench_subjects(names: Iterable[str]) -> list[Subject]:
    """Every game by its default options, and the forms that work differently."""
    games = {name: quinconce.game(name) for name in names}
    found = [Subject(name, game, game.start()) for name, game in games.items()]
    if "diam" in games:
        for edition, players in ((2003, 3), (2003, 4), (1997, 2), (1997, 4)):
            game = quinconce.game("diam", edition=edition, players=players)
            found.append(Subject(f"diam {edition} {players}p", game, game.start()))
    if "seega" in games:
        for size in (5, 7, 9):
            game = quinconce.game("seega", size=size)
            found.append(Subject(f"seega {size}×{size} phase 2", game, random_setup(game)))
    return found


def random_setup(game: Game[Any]) -> Any:
    """The first position of phase 2 after a random placing, always the same."""
    chance = random.Random(BENCH_SEED)
    position = game.start()
    while position.phase == 1:
        position = chance.choice(list(game.moves(position)))[1]
    return position


def measurements(subject: Subject, seconds: float, thorough: bool) -> list[Callable[[], Figures]]:
    """What is measured of a subject, one figure or a few at a time.

    What takes minutes is only measured thoroughly: code compiled in another way, and two threads.
    """
    quick = [rules_figures, perft_figures, playout_figures, search_figures]
    measured = [*quick, gain_figures, two_threads] if thorough else quick
    return [partial(measure, subject, seconds) for measure in measured]


def rules_figures(subject: Subject, seconds: float) -> Figures:
    """What the plain rules do in a second."""
    return {"rules_moves_per_s": rules_moves_per_s(subject, seconds)}


def perft_figures(subject: Subject, seconds: float) -> Figures:
    """What the kernel counts in a second."""
    return {"perft_leaves_per_s": perft_leaves_per_s(subject, seconds)}


def playout_figures(subject: Subject, seconds: float) -> Figures:
    """The random games of a second, and their plies."""
    games, plies = playouts_per_s(subject, seconds)
    return {"playouts_per_s": games, "playout_plies_per_s": plies}


def search_figures(subject: Subject, seconds: float) -> Figures:
    """What one thread searches."""
    return {
        "search_nodes_per_s": search_nodes_per_s(subject, seconds),
        "search_depth_in_1_s": search_depth(subject),
        "search_signature": search_signature(subject),
    }


def gain_figures(subject: Subject, seconds: float) -> Figures:
    """What is gained by the way in which kernels are compiled."""
    return {"perft_gain_without_nrt": perft_gain_without_nrt(subject, seconds)}


def rules_moves_per_s(subject: Subject, seconds: float) -> float:
    """Moves that the plain rules generate: each with its text and where it leads."""
    sample = bench_positions(subject)

    def work() -> int:
        return sum(sum(1 for _move in subject.game.moves(position)) for position in sample)

    return per_second(work, seconds)


def perft_leaves_per_s(subject: Subject, seconds: float) -> float:
    """Sequences of moves that the kernel counts, the last ply in bulk, as deep as time allows."""
    kernel = kernel_for(subject.game)
    depth, spent, leaves = 1, 0.0, 0
    kernel.perft(subject.start, depth)  # compiles
    while spent < seconds / 10:
        depth += 1
        started = time.process_time()
        leaves = kernel.perft(subject.start, depth)
        spent = time.process_time() - started
    return leaves / spent


def playouts_per_s(subject: Subject, seconds: float) -> tuple[float, float]:
    """Random games of the kernel to the board's own end, repetition ignored; and their plies."""
    kernel = kernel_for(subject.game)
    state, out = kernel.encode(subject.start), kernel.new_rows(1)[0]
    plies = games = 0

    def work() -> int:
        nonlocal plies, games
        plies += random_playouts(state, out, BENCH_SEED + games, 50, MAX_PLAYOUT_PLIES)[0]
        games += 50
        return 50

    work()  # compiles
    plies = games = 0
    speed = per_second(work, seconds)
    return speed, speed * plies / games


def perft_gain_without_nrt(subject: Subject, seconds: float) -> float | None:
    """How many times faster the kernel counts because it is compiled without reference counting."""
    if subject.start != subject.game.start() or subject.name != subject.game.name:
        return None  # one measurement a game will do
    leaves = [
        float(run_in_subprocess(subject.name, counting, seconds)) for counting in (False, True)
    ]
    return leaves[0] / leaves[1]


def run_in_subprocess(name: str, counting: bool, seconds: float) -> str:
    """Perft leaves a second in a process that compiles everything anew, one way or the other."""
    code = (
        "import numba, sys; from quinconce.kernels import compiled;"
        f"compiled.OPTIONS['_nrt'] = {counting}; numba.config.CACHE_DIR = sys.argv[1];"
        "from benchmarks.speed import perft_leaves_per_s, bench_subjects;"
        f"print(perft_leaves_per_s(bench_subjects([{name!r}])[0], {seconds}))"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, folder]
        root = Path(__file__).parents[1]
        return subprocess.run(  # noqa: S603 (our own code)
            command, cwd=root, capture_output=True, text=True, check=True
        ).stdout


def search_nodes_per_s(subject: Subject, seconds: float) -> float:
    """Positions that one thread searches; with more than two sides, random games it plays.

    The best of some runs: the first waits for the system to find memory.
    """
    best = 0.0
    for _run in range(RUN_COUNT):
        thought, spent = timed_search(Match(subject.game, subject.start), seconds)
        best = max(best, thought.nodes / spent)
        del thought  # and leaves its memory to the next
    return best


def search_depth(subject: Subject) -> float:
    """The depth that one thread has finished after a second."""
    thought, _spent = timed_search(Match(subject.game, subject.start), 1)
    return max(1, thought.depth_reached)


def timed_search(match: Match[Any], seconds: float) -> tuple[PositionSearch, float]:
    """A search that is told nothing beforehand after some time, and the CPU time it took."""
    thought = new_search(match, Limits(nodes=1 << 40))
    timer = threading.Timer(seconds, thought.stop)
    started = time.process_time()
    timer.start()
    run_search(thought)
    spent = time.process_time() - started
    timer.cancel()
    return thought, spent


def search_signature(subject: Subject) -> float | None:
    """The nodes of searches to a fixed depth: they change when the search or a weight does.

    With more than two sides there is no such search.
    """
    if len(subject.game.sides) != 2:
        return None
    total = 0
    for match in sample_openings(subject, 5):
        thought = new_search(match, Limits(depth=SIGNATURE_DEPTH))
        run_search(thought)
        total += thought.nodes
    return total


def two_threads(subject: Subject, seconds: float) -> Figures:
    """How much sooner two threads are at the depths that one reaches in some seconds.

    Moves are put in a new order every time: how lucky one thread is with an order is the same in
    every run, moves the ratio of a single opening between 1 and 2.5, and was good luck on average
    (4 to 8 % fewer nodes) where the depth had been chosen because it was finished in time.

    And what that has to be measured by: what two cores of this machine are worth to searches that
    share nothing; and how many nodes fewer each thread searches, whatever the machine is like.
    """
    if len(subject.game.sides) != 2:
        return dict.fromkeys(("two_threads_sooner", "two_cores_worth", "two_threads_fewer_nodes"))
    alone = together = apart = nodes = shared = 0.0
    for match in sample_openings(subject, OPENING_COUNT):
        thought, _spent = timed_search(match, seconds)
        depth = max(thought.depth_reached, 2)
        del thought
        one, two, both = [], [], []
        for seed in range(ORDER_COUNT):
            one.append(search_to_depth(match, depth, 1, seed))
            two.append(search_to_depth(match, depth, 2, seed))
            both.append(two_independent_searches(match, depth, seed))
        alone += best_case_seconds(one)
        together += best_case_seconds(two)
        apart += min(both)
        nodes += mean(searched for _seconds, searched in one)
        shared += mean(searched for _seconds, searched in two)
    return {
        "two_threads_sooner": alone / together,
        "two_cores_worth": 2 * alone / apart,
        "two_threads_fewer_nodes": 2 * nodes / shared,
    }


def search_to_depth(match: Match[Any], depth: int, threads: int, seed: int) -> tuple[float, int]:
    """The seconds and nodes that a search to a depth takes, its first moves in random order."""
    started = time.monotonic()
    thought = new_search(match, Limits(depth=depth, threads=threads))
    thought.shuffle_equal_moves(random.Random(seed))
    run_search(thought)
    return time.monotonic() - started, thought.nodes


def best_case_seconds(efforts: list[tuple[float, int]]) -> float:
    """The seconds of the nodes that some searches took, at the speed of the quickest.

    Other work on the machine only makes them slower; that one took fewer nodes than the others is
    no reason to leave those out.
    """
    return mean(nodes for _s, nodes in efforts) * min(spent / nodes for spent, nodes in efforts)


def two_independent_searches(match: Match[Any], depth: int, seed: int) -> float:
    """The seconds that two searches to a depth take side by side."""
    started = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _side: search_to_depth(match, depth, 1, seed), range(2)))
    return time.monotonic() - started


def sample_openings(subject: Subject, n: int) -> list[Match[Any]]:
    """The start of a subject, and the same after a few random turns that decided nothing."""
    chance = random.Random(BENCH_SEED)
    found = [Match(subject.game, subject.start)]
    while len(found) < n:
        match = Match(subject.game, subject.start)
        for _turn in range(1 + (len(found) - 1) % MAX_OPENING_TURNS):
            if legal := match.legal():
                match.play(chance.choice(sorted(legal)))
        if not match.outcome():
            found.append(match)
    return found


def per_second(work: Callable[[], int], seconds: float) -> float:
    """How many things get done in a second of CPU time; `work` tells how many it did.

    The best of some runs: other work on the machine only makes them slower.
    """
    best = 0.0
    for _run in range(RUN_COUNT):
        done = 0
        started = time.process_time()
        while (spent := time.process_time() - started) < seconds / RUN_COUNT:
            done += work()
        best = max(best, done / spent)
    return best


def bench_positions(subject: Subject) -> list[Any]:
    """Positions of random games, always the same ones."""
    chance = random.Random(BENCH_SEED)
    found: list[Any] = []
    while len(found) < SAMPLE_POSITIONS:
        match = Match(subject.game, subject.start)
        while legal := match.legal():
            found.append(match.position)
            match.play(chance.choice(sorted(legal)))
    return chance.sample(found, SAMPLE_POSITIONS)
