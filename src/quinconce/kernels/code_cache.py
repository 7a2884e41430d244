"""Where compiled code is kept: a folder for the sources of today, and marks of what lies in it.

Nothing here needs Numba, so that one can ask what is compiled without loading it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

COMPILED_PACKAGES: Final = ("kernels", "solvers", "engine")  # the rooms with compiled code in them
PACKAGE: Final = Path(__file__).parents[1]
CACHE_VARIABLE: Final = "QUINCONCE_CACHE"  # a folder to use instead of the user's cache
PROCESSOR_FILE: Final = Path("/proc/cpuinfo")
CACHE_LIFETIME: Final = 30 * 24 * 3600  # seconds, after which what older sources made goes


def sources(package: Path = PACKAGE) -> list[Path]:
    """Every module that may hold compiled code, those in sub-folders too."""
    return [path for room in COMPILED_PACKAGES for path in sorted((package / room).rglob("*.py"))]


def numba_version() -> str:
    """The version of the compiler; nothing where there is none."""
    try:
        return version("numba")
    except PackageNotFoundError:
        return ""


def sources_digest(package: Path = PACKAGE) -> str:
    """Names the sources: Numba does not see that a function called from another file changed."""
    digest = hashlib.sha256(f"{numba_version()} {sys.version}".encode())
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder of ours that holds a folder of compiled code for each state of the sources."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    import platformdirs

    return platformdirs.user_cache_path("quinconce") / "compiled"


@cache
def cache_directory() -> Path:
    """A folder of ours for compiled code, or a temporary one where there can be none.

    Processes that are started later use the temporary one, too.
    """
    try:
        root = cache_root()
        folder = root / sources_digest()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours_alone(folder):
            raise PermissionError(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        prune_cache(root, folder)
    except OSError:
        root = Path(tempfile.mkdtemp(prefix="quinconce-"))
        atexit.register(shutil.rmtree, root, ignore_errors=True)
        os.environ[CACHE_VARIABLE] = str(root)
        folder = root / sources_digest()
        folder.mkdir()
    return folder


def is_ours_alone(folder: Path) -> bool:
    """Whether nobody else can write to a folder: it holds pickles and machine code."""
    known = folder.stat()
    return not hasattr(os, "getuid") or (
        known.st_uid == os.getuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def prune_cache(root: Path, current: Path) -> None:
    """Throw away what was compiled from older sources and not used for long."""
    os.utime(current)
    for folder in root.iterdir():
        if folder != current and time.time() - folder.stat().st_mtime > CACHE_LIFETIME:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def processor_digest() -> str:
    """Names the processor: Numba compiles anew for one that can do other things."""
    able = {platform.machine(), platform.processor()}
    with suppress(OSError):
        lines = PROCESSOR_FILE.read_text(encoding="utf-8", errors="replace").splitlines()
        able |= {line for line in lines if line.startswith(("model name", "flags", "Features"))}
    return hashlib.sha256("\n".join(sorted(able)).encode()).hexdigest()[:8]


def mark_name(what: str) -> str:
    """The file that says that something is compiled for this processor."""
    return f"{what}.{processor_digest()}.ready"


def mark_compiled(what: str) -> None:
    """Note that the code for something lies in the cache."""
    with suppress(OSError):
        (cache_directory() / mark_name(what)).touch()


def is_marked_compiled(what: str) -> bool:
    """Whether the code for something lies in the cache; no folder is made, nothing is loaded."""
    try:
        return (cache_root() / current_digest() / mark_name(what)).exists()
    except OSError:
        return False


@cache
def current_digest() -> str:
    """The digest of the sources, read once a process."""
    return sources_digest()
