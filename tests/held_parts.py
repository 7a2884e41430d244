"""`quinconce` whose workers stop in the midst of an endgame table, until a test lets them go on.

Run as a program with the arguments of a command; the workers import it, too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from waiting import until

from quinconce.cli import main
from quinconce.solvers.endgames import files, parallel
from quinconce.solvers.endgames.parallel import PartJob, write_progress

LAYER = 4  # the one whose parts are held
FOLDER_VARIABLE = "HELD_PARTS"
PROGRAM = (sys.executable, __file__)
work_out = parallel.run_part_job  # as it is before it is replaced below


def environment(folder: Path) -> dict[str, str]:
    """The variables of the program and of its workers: notes go to a folder."""
    return {FOLDER_VARIABLE: str(folder), "PYTHONPATH": str(Path(__file__).parent)}


def held_workers(folder: Path) -> int:
    """How many workers wait in the midst of a part."""
    return len(list(folder.glob("*.held")))


def release(folder: Path) -> None:
    """Let all workers go on, and hold nobody from now on."""
    (folder / "go").touch()


def run_part_job(task: PartJob) -> None:
    """Work out a part; in the midst of one of LAYER, wait."""
    folder = Path(os.environ[FOLDER_VARIABLE])
    if task.part.pieces == LAYER:
        part = files.part_path(Path(task.folder), task.game.rules(), task.part)
        write_progress(part.with_suffix(".progress"), 0.5)
        (folder / f"{os.getpid()}.held").touch()
        until((folder / "go").exists)
    work_out(task)


if __name__ == "__main__":
    import held_parts  # by its name, so that workers find it

    parallel.run_part_job = held_parts.run_part_job
    main(sys.argv[1:])
