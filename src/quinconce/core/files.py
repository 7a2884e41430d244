"""Files that are there whole or not at all, and what can go wrong with them, in words."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final

from quinconce.core.phrase import _, ngettext

OS_ERROR_PHRASES: Final = {
    errno.ENOENT: _("there is no such file or folder"),
    errno.EISDIR: _("this is a folder"),
    errno.ENOTDIR: _("a part of the path is not a folder"),
    errno.EACCES: _("access is not allowed"),
    errno.EPERM: _("access is not allowed"),
    errno.EROFS: _("this place cannot be written to"),
    errno.ENOSPC: _("the disk is full"),
    errno.ENAMETOOLONG: _("the name is too long"),
}


def describe_error(error: Exception) -> str:
    """What is wrong with a file, as a phrase where it is a common case."""
    code = error.errno if isinstance(error, OSError) else None
    return OS_ERROR_PHRASES.get(code or 0) or getattr(error, "strerror", None) or str(error)


@contextmanager
def name_file_in_errors(path: Path) -> Iterator[None]:
    """Let every error about a file name it."""
    try:
        yield
    except OSError as error:
        raise ValueError(_("{file}: {why}", file=path, why=describe_error(error))) from None
    except ValueError as error:
        raise ValueError(_("{file}: {why}", file=path, why=error.args[0])) from None


def make_new(path: Path, make: Callable[[Path], object]) -> Path:
    """The path at which `make` has made what was not there; its name gets a number if need be.

    `make` raises FileExistsError where something is: two processes may want one name at once.
    """
    for number in count(1):
        wanted = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        with suppress(FileExistsError):
            make(wanted)
            return wanted
    raise AssertionError


@contextmanager
def atomic_writer(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes its place, fsynced, once it is whole; never half of it is seen."""
    path = path.resolve()  # a link stays a link
    temporary = path.with_name(f".{path.name[:40]}.{os.urandom(16).hex()}")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode)
        temporary.replace(path)
        sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Have the disk know the names in a folder: a rename alone may be lost in a power cut."""
    if os.name == "nt":  # which opens no folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.ENOTSUP):  # not everywhere possible
            raise
    finally:
        os.close(handle)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file by temporary file, fsync and rename."""
    with atomic_writer(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def read_text(path: Path, max_bytes: int) -> str:
    """The text of a regular file of at most `max_bytes`; ValueError for anything else."""
    if path.exists() and not path.is_dir() and not path.is_file():
        raise ValueError(_("this is not a regular file"))
    with path.open("rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(
            ngettext("this is longer than {n} byte", "this is longer than {n} bytes", max_bytes)
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(_("this is not text")) from None
