"""Files of endings: what is damaged or about something else is never used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from mmap import mmap
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from waiting import until

import quinconce
from quinconce import Game
from quinconce.solvers.endgames import files
from quinconce.solvers.endgames import tables as room
from quinconce.solvers.endgames.tables import (
    EndgameTable,
    available_table,
    endgame_table,
    load_table,
    save_table,
    solve_table,
)

SEEGA = quinconce.game("seega")
PIECES = 3


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, and a process that has solved nothing yet."""
    monkeypatch.setenv(files.FOLDER_VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(room, "ready_tables", {})
    monkeypatch.setattr(room, "requested_games", set())
    room._load_or_solve.cache_clear()
    yield tmp_path / "kept"
    room._load_or_solve.cache_clear()


def test_endings_are_kept_and_mapped_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = endgame_table(SEEGA, PIECES)
    assert first
    assert [path.name for path in folder.iterdir()] == [files.table_path(folder, SEEGA, 3).name]
    room._load_or_solve.cache_clear()
    monkeypatch.setattr(room, "solve_table", refuse)
    again = endgame_table(SEEGA, PIECES)
    assert again
    assert again is not first
    assert is_mapped(again.distances)
    assert not is_mapped(first.distances)
    assert again.distances.dtype == np.int16
    assert np.array_equal(again.distances, first.distances)
    assert again.statistics == first.statistics


def is_mapped(worths: Any) -> bool:
    while isinstance(worths, np.ndarray):
        worths = worths.base
    return isinstance(worths, mmap)


def refuse(*_arguments: object) -> EndgameTable:
    raise AssertionError("it should have been in a file")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flipped(at: int) -> Callable[[Path], None]:
    def flip(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[at] ^= 1
        path.write_bytes(content)

    return flip


def another(before: str, after: str) -> Callable[[Path], None]:
    """A head that says something else, with a checksum that holds."""

    def change(path: Path) -> None:
        table = files.read_table(
            path, files.header(SEEGA, PIECES), len(solve_table(SEEGA, PIECES).distances)
        )
        assert table
        about = files.header(SEEGA, PIECES)
        about[before] = after
        files.write_table(path, about, [table.distances], table.statistics)

    return change


DAMAGE = {
    "cut": cut,
    "longer": longer,
    "empty": empty,
    "no JSON": flipped(0),
    "head": flipped(9),
    "a worth": flipped(files.HEADER_BYTES + 5000),
    "checksum": flipped(-1),
    "format": another("format", "quinconce endings 0"),
    "game": another("game", "chess"),
    "options": another("options", "{}"),
    "rules": another("rules", "0"),
    "pieces": another("pieces", "4"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_solved_again(damage: Callable[[Path], None], folder: Path) -> None:
    first = endgame_table(SEEGA, PIECES)
    path = files.table_path(folder, SEEGA, PIECES)
    assert first
    whole = path.read_bytes()
    damage(path)
    assert path.read_bytes() != whole
    assert load_table(SEEGA, PIECES, folder) is None
    room._load_or_solve.cache_clear()
    again = endgame_table(SEEGA, PIECES)
    assert again
    assert np.array_equal(again.distances, first.distances)
    assert path.read_bytes() == whole


def test_other_options_have_files_of_their_own(folder: Path) -> None:
    games = [quinconce.game("seega", reach=r, quiet=q) for r in ("slide", "step") for q in (40, 9)]
    assert len({files.table_path(folder, game, 5) for game in games}) == len(games)


def test_a_larger_table_will_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_table(solve_table(SEEGA, 4), folder)
    small = solve_table(SEEGA, PIECES)
    monkeypatch.setattr(room, "solve_table", refuse)
    found = endgame_table(SEEGA, PIECES)
    assert found
    assert found.pieces == PIECES
    assert np.array_equal(found.distances, small.distances)
    assert found.statistics == small.statistics


def test_where_nothing_can_be_written_endings_are_solved_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(files.FOLDER_VARIABLE, str(tmp_path / "file" / "folder"))
    found = endgame_table(SEEGA, PIECES)
    assert found
    assert found.distances.any()


def test_what_a_dead_process_left_behind_is_swept_away(folder: Path) -> None:
    folder.mkdir()
    old, new, foreign = folder / ".seega-5.0", folder / ".seega-5.1", folder / "mine"
    for path in (old, new, foreign):
        path.write_text("")
    os.utime(old, (0, 0))
    os.utime(foreign, (0, 0))
    files.remove_stale_files(folder, SEEGA)
    assert set(folder.iterdir()) == {new, foreign}


def waited_for(game: Game[Any], pieces: int) -> EndgameTable:
    """What `ready` comes to have in the background."""

    def table() -> EndgameTable | None:
        found = available_table(game)
        return found if found and found.pieces == pieces else None

    awaited: EndgameTable = until(table)
    return awaited


def test_what_is_not_ready_is_solved_meanwhile_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "DEFAULT_PIECES", PIECES)
    go_on, begun = Event(), []

    def slowly(game: Game[Any]) -> EndgameTable | None:
        begun.append(game)
        go_on.wait()
        return solve_table(game, PIECES)

    monkeypatch.setattr(room, "endgame_table", slowly)
    assert available_table(SEEGA) is None
    assert available_table(quinconce.game("seega")) is None
    go_on.set()
    assert waited_for(SEEGA, PIECES).distances.any()
    assert begun == [SEEGA]


def test_a_file_is_ready_at_once_and_a_larger_one_soon(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "DEFAULT_PIECES", PIECES)
    save_table(solve_table(SEEGA, PIECES), folder)
    save_table(solve_table(SEEGA, PIECES + 1), folder)
    monkeypatch.setattr(room, "solve_table", refuse)
    first = available_table(SEEGA)
    assert first
    assert first.pieces in (PIECES, PIECES + 1)
    assert (
        waited_for(SEEGA, PIECES + 1).statistics.keys() > first.statistics.keys()
        or first.pieces > 3
    )


def test_a_game_without_endings_is_never_ready() -> None:
    for game in (quinconce.game("buts"), quinconce.game("seega", chain="optional")):
        assert available_table(game) is None
        assert endgame_table(game) is None
        assert available_table(game) is None
