"""Files that are there whole or not at all, also after a power cut."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from quinconce.core.files import make_new, write_atomically


@pytest.mark.skipif(os.name == "nt", reason="Windows opens no folders")
def test_a_saved_file_and_then_its_folder_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, bool]] = []
    fsync = os.fsync

    def note(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        synced.append((kind, (tmp_path / "saved").exists()))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", note)
    write_atomically(tmp_path / "saved", "text")
    # The file is on the disk before its name is; the name is before the call returns.
    assert synced == [("file", False), ("folder", True)]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    with pytest.raises(OSError, match="saved"):
        write_atomically(tmp_path / "saved", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]


def test_what_is_made_within_one_second_has_names_of_its_own(tmp_path: Path) -> None:
    folders = [make_new(tmp_path / "now", Path.mkdir).name for _ in range(3)]
    assert folders == ["now", "now-2", "now-3"]
    assert all((tmp_path / name).is_dir() for name in folders)
    files = [make_new(tmp_path / "a.txt", lambda path: path.open("x").close()) for _ in range(2)]
    assert [file.name for file in files] == ["a.txt", "a-2.txt"]
