"""Files that are there whole or not at all, also after a power cut."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from quinconce.core.files import write_atomically


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
