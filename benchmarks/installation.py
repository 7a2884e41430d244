"""What an installation weighs, and how soon it shows a page and plays: `python -m` it with ENVs.

Each ENV is the folder of an environment in which some version of Quinconce is installed. All caches
are empty at first.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.first_move import Page
from quinconce import game

LEVEL: Final = 5
MEGABYTE: Final = 1 << 20


def megabytes(folder: Path) -> float:
    """What the files of a folder weigh on the disk."""
    blocks = (path.lstat().st_blocks for path in folder.rglob("*") if not path.is_dir())
    return 512 * sum(blocks) / MEGABYTE


def first_times(environment: Path) -> tuple[float, float]:
    """Seconds from the start of a server to its first page, and to the first move of the engine."""
    with tempfile.TemporaryDirectory() as folder:
        kept = dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME"), folder)
        started = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 (the environments are the caller's)
            [environment / "bin" / "quinconce", "serve", "--port", "0"],
            env=os.environ | kept | {"QUINCONCE_LANG": "en", "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        try:
            assert process.stdout
            found = re.search(r"http://(\S+)", process.stdout.readline())
            assert found, "the server did not start"
            page = Page(found[1])
            page.get("/")
            shown = time.perf_counter() - started
            page.first_move(game("diam"), LEVEL)
            return shown, time.perf_counter() - started
        finally:
            process.terminate()
            process.communicate()


def main() -> None:
    """Print the figures of each environment, the best of some runs in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environments", type=Path, nargs="+", metavar="ENV")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    times: dict[Path, list[tuple[float, float]]] = {each: [] for each in options.environments}
    for _run in range(options.runs):
        for environment, found in times.items():
            found.append(first_times(environment))
    for environment, found in times.items():
        shown, moved = (min(each) for each in zip(*found, strict=True))
        sys.stdout.write(
            f"{environment.name}: {megabytes(environment):.0f} MB, the first page after"
            f" {shown:.2f} s, a move of level {LEVEL} after {moved:.2f} s\n"
        )


if __name__ == "__main__":
    main()
