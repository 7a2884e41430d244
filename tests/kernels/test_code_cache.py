"""Where compiled code is kept, if the user's cache cannot be written to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PARENT = """
import subprocess, sys
from quinconce.kernels.code_cache import cache_directory, is_marked_compiled, mark_compiled
folder = cache_directory()
mark_compiled("something")
child = "from quinconce.kernels import code_cache as c;"
child += "print(c.cache_directory(), c.is_marked_compiled('something'))"
told = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout
print(is_marked_compiled("something"), told.strip() == f"{folder} True")
print(folder)
"""


@pytest.mark.process
def test_processes_share_a_temporary_folder_that_is_gone_afterwards(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.touch()  # a file where a folder is wanted
    done = subprocess.run(
        [sys.executable, "-c", PARENT],
        env=os.environ | {"XDG_CACHE_HOME": str(taken)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    shared, folder = done.stdout.splitlines()
    assert shared == "True True"
    assert not Path(folder).exists()
