"""Endings worked out by several processes or machines, part by part, each part kept when done.

Whoever works needs the same folder: what was solved before is read there, and a finished part is
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

from quinconce.core.files import told_by_name
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase as _
from quinconce.core.registry import game as named_game
from quinconce.core.worker_pools import ATTEMPTS, DYING, OFTEN, Crew, Hire, finished
from quinconce.kernels.kernel import kernel
from quinconce.solvers.endgames.files import Table, about, part_path, read, sweep, table_path, write
from quinconce.solvers.endgames.layers import Part, parts, span_of, worked_out
from quinconce.solvers.endgames.tables import Endings, from_file, in_memory, sizes

Tell = Callable[[float, int], None]  # numbers done, of how many


class Task(NamedTuple):
    """A part to be worked out, as plain data."""

    game: str
    options: dict[str, str]
    part: Part
    folder: str


def work(task: Task) -> None:
    """What a worker does: work out a part and write it down."""
    rules, folder, part = named_game(task.game, **task.options), Path(task.folder), task.part
    path = part_path(folder, rules, part)
    progress, told = path.with_suffix(".progress"), 0.0

    def tell(done: float) -> None:
        nonlocal told
        if time.monotonic() - told > OFTEN:
            told = time.monotonic()
            with suppress(OSError):  # it is only for those who watch
                progress.write_text(f"{done:.4f}")

    lower = below(folder, rules, part.pieces)
    found = worked_out(kernel(rules), part, lower.worths, tell)
    figures = {part: (found.weak, found.strong, found.classes)}
    with told_by_name(path):
        write(path, about(rules, part.pieces, part), [found.worths], figures)
        progress.unlink(missing_ok=True)


def below(folder: Path, game: Game[Any], pieces: int) -> Endings:
    """All layers below one, which are solved; ValueError if this worker does not find them."""
    if pieces == 1:
        return in_memory(game, 0)
    found = from_file(game, pieces - 1, folder, larger=False)
    if not found:
        raise ValueError(
            _("{file}: a worker does not find here what was solved before", file=folder)
        )
    return found


class Campaign:
    """The endings of a game with at most so many pieces, in a folder."""

    def __init__(self, game: Game[Any], pieces: int, folder: Path) -> None:
        self.game, self.pieces = game, pieces
        self.folder = folder.absolute()
        self._numbers = kernel(game)
        self._sizes = sizes(self._numbers)

    def run(self, hire: Hire, tell: Tell) -> Endings:
        """Work out what is missing; the endings in the end."""
        with told_by_name(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            sweep(self.folder, self.game)
        found = from_file(self.game, self.pieces, self.folder)
        if not found:
            known = self._known(self.pieces - 1)
            for layer in range(1, known + 1):
                self._clear(layer)  # somebody may have been stopped before he did
            with Crew(hire) as crew:
                for layer in range(known + 1, self.pieces + 1):
                    self._work_out(layer, crew, tell)
            found = from_file(self.game, self.pieces, self.folder)
        return found or self._gone()

    def _gone(self) -> NoReturn:
        raise ValueError(_("{file}: what was written here is gone", file=self.folder))

    def _known(self, last: int) -> int:
        """The last layer that is whole, with all before it."""
        for layer in range(last, 0, -1):
            if from_file(self.game, layer, self.folder, larger=False):
                return layer
        return 0

    def _part(self, part: Part) -> Table | None:
        path, subject = part_path(self.folder, self.game, part), about(self.game, part.pieces, part)
        return read(path, subject, span_of(self._numbers, part).total)

    def _work_out(self, layer: int, crew: Crew, tell: Tell) -> None:
        """The parts of a layer that are not there yet, then the layer."""
        for _attempt in range(ATTEMPTS):
            missing = [part for part in parts(layer) if not self._part(part)]
            try:
                self._share_out(missing, crew, lambda: self._look(layer, tell))
                break
            except BrokenExecutor:
                crew.dismiss()
        else:
            raise ValueError(DYING)
        self._gather(layer)
        self._look(layer, tell)

    def _share_out(self, missing: list[Part], crew: Crew, look: Callable[[], None]) -> None:
        options = {name: str(value) for name, value in self.game.chosen.items()}
        missing.sort(key=lambda part: -span_of(self._numbers, part).total)  # nobody waits for it
        running = {
            crew.submit(work, Task(self.game.name, options, part, str(self.folder)))
            for part in missing
        }
        while running:
            done, running = wait(running, OFTEN, FIRST_COMPLETED)
            for task in done:
                finished(task)
            look()

    def _gather(self, layer: int) -> None:
        """Write the table with a layer more."""
        lower = below(self.folder, self.game, layer)
        stretches, figures = [(0, lower.worths)], dict(lower.figures)
        for part in parts(layer):
            table = self._part(part)
            if not table:  # somebody else was at it, and quicker
                if self._known(layer) < layer:
                    self._gone()
                return
            figures |= table.figures
            stretches += span_of(self._numbers, part).stretches(table.worths)
        path = table_path(self.folder, self.game, layer)
        in_order = [worths for _first, worths in sorted(stretches, key=lambda pair: pair[0])]
        with told_by_name(path):
            write(path, about(self.game, layer), in_order, figures)
            self._clear(layer)

    def _clear(self, layer: int) -> None:
        """Throw away the parts of a layer that is whole."""
        for part in parts(layer):
            part_path(self.folder, self.game, part).unlink(missing_ok=True)

    def _look(self, layer: int, tell: Tell) -> None:
        """Tell how many numbers are done, of all."""
        done = float(self._sizes[layer - 1])
        if table_path(self.folder, self.game, layer).exists():
            done = self._sizes[layer]
        else:
            for part in parts(layer):
                done += span_of(self._numbers, part).total * self._share_done(part)
        tell(done, self._sizes[self.pieces])

    def _share_done(self, part: Part) -> float:
        path = part_path(self.folder, self.game, part)
        if path.exists():
            return 1
        try:
            return float(path.with_suffix(".progress").read_text())
        except (OSError, ValueError):
            return 0
