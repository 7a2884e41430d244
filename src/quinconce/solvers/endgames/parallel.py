"""Endings worked out by several processes or machines, part by part, each part kept when done.

All workers need the same folder: what was solved before is read there, and a finished part is
written there. So a campaign that is interrupted goes on from the parts that are whole, and a worker
that dies takes nothing with it but the part it was at.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from quinconce.core.files import name_file_in_errors
from quinconce.core.game import Game
from quinconce.core.match import Match, MatchData
from quinconce.core.phrase import _
from quinconce.core.worker_pools import (
    POOL_ATTEMPTS,
    PROGRESS_INTERVAL,
    WORKERS_DIE,
    PoolFactory,
    WorkerPool,
    task_result,
)
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.files import (
    TableContent,
    header,
    part_path,
    read_table,
    remove_stale_files,
    rounds_path,
    table_path,
    write_table,
)
from quinconce.solvers.endgames.layers import (
    MOST_PIECES_KEPT,
    Part,
    layer_parts,
    part_numbers,
    solve_part,
)
from quinconce.solvers.endgames.needs import (
    NUMBER_BYTES,
    Needs,
    free_memory,
    part_needs,
    positions_of_part,
    sum_of_largest,
)
from quinconce.solvers.endgames.rounds import (
    Rounds,
    RoundsSolver,
    rounds_from_words,
    words_to_keep,
)
from quinconce.solvers.endgames.tables import EndgameTable, load_table, solve_table, table_sizes

ReportDone = Callable[[float, int], None]  # numbers done, of how many


class PartJob(NamedTuple):
    """A part to be worked out, as plain data."""

    game: MatchData  # with its options, and no moves
    part: Part
    folder: str
    compact: bool = False  # find moves again instead of keeping them


def run_part_job(task: PartJob) -> None:
    """What a worker does: work out a part and write it down."""
    rules, folder, part = task.game.rules(), Path(task.folder), task.part
    path = part_path(folder, rules, part)
    progress, last_report = path.with_suffix(".progress"), 0.0

    def on_progress(done: float) -> None:
        nonlocal last_report
        if time.monotonic() - last_report > PROGRESS_INTERVAL:
            last_report = time.monotonic()
            with suppress(OSError):  # it is only for those who watch
                write_progress(progress, done)

    lower = load_lower_layers(folder, rules, part.pieces)
    if task.compact:
        saved = rounds_path(folder, rules, part)
        solver = resume_rounds(saved, rules, part, lower)
        solver.run(on_progress, lambda rounds: save_rounds(saved, rules, part, rounds))
        figures = {part: solver.counts()}
        stretches = solver.stretches_of_worths(on_progress)
    else:
        found = solve_part(kernel_for(rules), part, lower.distances, on_progress)
        figures = {part: (found.weak, found.strong, found.classes)}
        stretches = iter([found.distances])
    with name_file_in_errors(path):
        write_table(path, header(rules, part.pieces, part), stretches, figures)
        rounds_path(folder, rules, part).unlink(missing_ok=True)
        progress.unlink(missing_ok=True)


def write_progress(path: Path, done: float) -> None:
    """Note how much of a part is done; who reads it meanwhile never finds an empty file."""
    whole = path.with_name(f".{path.name}")
    whole.write_text(f"{done:.4f}")
    whole.replace(path)


def save_rounds(path: Path, game: Game[Any], part: Part, rounds: Rounds) -> None:
    """Keep how far a part has come."""
    with name_file_in_errors(path):
        write_table(path, rounds_header(game, part), rounds.words(), {})


def resume_rounds(path: Path, game: Game[Any], part: Part, lower: EndgameTable) -> RoundsSolver:
    """A part as far as it had come; from the beginning if nothing was kept, or it is damaged."""
    solver = RoundsSolver(kernel_for(game), part, lower.distances)
    words = words_to_keep(solver.entries)
    if saved := read_table(path, rounds_header(game, part), words):
        solver.rounds = rounds_from_words(saved.distances, solver.entries)
    return solver


def rounds_header(game: Game[Any], part: Part) -> dict[str, Any]:
    """What tells the file of a part in the making from another."""
    return {**header(game, part.pieces, part), "rounds": 1}


def load_lower_layers(folder: Path, game: Game[Any], pieces: int) -> EndgameTable:
    """All layers below one, which are solved; ValueError if this worker does not find them."""
    if pieces == 1:
        return solve_table(game, 0)
    found = load_table(game, pieces - 1, folder, larger=False)
    if not found:
        raise ValueError(
            _("{file}: a worker process does not find here what was solved before", file=folder)
        )
    return found


class TableBuilder:
    """The endings of a game with at most a given number of pieces, in a folder."""

    def __init__(
        self, game: Game[Any], pieces: int, folder: Path, jobs: int = 1, compact: bool = False
    ) -> None:
        self.game, self.pieces = game, pieces
        self.folder, self.jobs, self.compact = folder.absolute(), jobs, compact
        self._kernel = kernel_for(game)
        self._sizes = table_sizes(self._kernel)

    def run(self, make_executor: PoolFactory, on_progress: ReportDone) -> EndgameTable:
        """Work out what is missing; the endings in the end."""
        with name_file_in_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            remove_stale_files(self.folder, self.game)
        found = load_table(self.game, self.pieces, self.folder)
        if not found:
            known = self._last_complete_layer(self.pieces - 1)
            for layer in range(1, known + 1):
                self._remove_parts(layer)  # an earlier run may have been stopped before it did
            with WorkerPool(make_executor) as pool:
                for layer in range(known + 1, self.pieces + 1):
                    self._solve_layer(layer, pool, on_progress)
            found = load_table(self.game, self.pieces, self.folder)
        return found or self._raise_missing()

    def needs(self) -> Needs | None:
        """What is needed for what is missing; None if nothing is."""
        last = self._last_complete_layer(self.pieces)
        if last == self.pieces or load_table(self.game, self.pieces, self.folder):
            return None
        layers = range(last + 1, self.pieces + 1)
        parts = [part for layer in layers for part in layer_parts(layer)]
        missing = [part for part in parts if not self._part_file(part).exists()]
        each = [part_needs(self._kernel, part, self._is_compact(part)) for part in missing]
        numbers = sum(self._sizes[layer] for layer in layers)
        numbers += sum(
            part_numbers(self._kernel, part).total for part in missing if part.pieces == self.pieces
        )
        return Needs(
            sum(positions_of_part(self._kernel, part) for part in missing),
            sum_of_largest((part.memory for part in each), self.jobs),
            NUMBER_BYTES * numbers + sum_of_largest((part.saved for part in each), self.jobs),
            sum(part.seconds for part in each),
        )

    def _is_compact(self, part: Part) -> bool:
        """Whether a part is worked out without keeping its moves: if asked to, or for want."""
        if self.compact or part.pieces > MOST_PIECES_KEPT:
            return True
        free = free_memory()
        return free is not None and self.jobs * part_needs(self._kernel, part, False).memory > free

    def _part_file(self, part: Part) -> Path:
        return part_path(self.folder, self.game, part)

    def _raise_missing(self) -> NoReturn:
        raise ValueError(_("{file}: what was written here is gone", file=self.folder))

    def _last_complete_layer(self, last: int) -> int:
        """The last layer that is whole, with all before it."""
        for layer in range(last, 0, -1):
            if load_table(self.game, layer, self.folder, larger=False):
                return layer
        return 0

    def _read_part(self, part: Part) -> TableContent | None:
        subject = header(self.game, part.pieces, part)
        return read_table(self._part_file(part), subject, part_numbers(self._kernel, part).total)

    def _solve_layer(self, layer: int, pool: WorkerPool, on_progress: ReportDone) -> None:
        """The parts of a layer that are not there yet, then the layer."""
        for _attempt in range(POOL_ATTEMPTS):
            missing = [part for part in layer_parts(layer) if not self._read_part(part)]
            try:
                self._run_part_jobs(
                    missing, pool, lambda: self._report_progress(layer, on_progress)
                )
                break
            except BrokenExecutor:
                pool.kill()
        else:
            raise ValueError(WORKERS_DIE)
        self._merge_parts(layer)
        self._report_progress(layer, on_progress)

    def _run_part_jobs(
        self, missing: list[Part], pool: WorkerPool, look: Callable[[], None]
    ) -> None:
        game, folder = MatchData.of(Match(self.game)), str(self.folder)
        missing.sort(
            key=lambda part: -part_numbers(self._kernel, part).total
        )  # nobody waits for it
        jobs = [PartJob(game, part, folder, self._is_compact(part)) for part in missing]
        running = {pool.submit(run_part_job, task) for task in jobs}
        while running:
            done, running = wait(running, PROGRESS_INTERVAL, FIRST_COMPLETED)
            for task in done:
                task_result(task)
            look()

    def _merge_parts(self, layer: int) -> None:
        """Write the table with a layer more."""
        lower = load_lower_layers(self.folder, self.game, layer)
        stretches, figures = [(0, lower.distances)], dict(lower.statistics)
        for part in layer_parts(layer):
            table = self._read_part(part)
            if not table:  # another process was quicker
                if self._last_complete_layer(layer) < layer:
                    self._raise_missing()
                return
            figures |= table.statistics
            stretches += part_numbers(self._kernel, part).stretches(table.distances)
        path = table_path(self.folder, self.game, layer)
        in_order = [worths for _first, worths in sorted(stretches, key=lambda pair: pair[0])]
        with name_file_in_errors(path):
            write_table(path, header(self.game, layer), in_order, figures)
            self._remove_parts(layer)

    def _remove_parts(self, layer: int) -> None:
        """Throw away the parts of a layer that is whole."""
        for part in layer_parts(layer):
            self._part_file(part).unlink(missing_ok=True)
            rounds_path(self.folder, self.game, part).unlink(missing_ok=True)

    def _report_progress(self, layer: int, on_progress: ReportDone) -> None:
        """Tell how many numbers are done, of all."""
        done = float(self._sizes[layer - 1])
        if table_path(self.folder, self.game, layer).exists():
            done = self._sizes[layer]
        else:
            for part in layer_parts(layer):
                done += part_numbers(self._kernel, part).total * self._part_progress(part)
        on_progress(done, self._sizes[self.pieces])

    def _part_progress(self, part: Part) -> float:
        path = self._part_file(part)
        try:
            return 1 if path.exists() else float(path.with_suffix(".progress").read_text())
        except (OSError, ValueError):
            return int(path.exists())  # it may have been finished meanwhile
