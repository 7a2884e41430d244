"""Which home compiled code has, and what is said where there is none."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quinconce.core.errors import NoHostError
from quinconce.kernels import homes
from quinconce.kernels.code_cache import is_ours_alone
from quinconce.kernels.homes import NoNativeHomeError, is_native, load_wasmtime, use_native

# A machine for which wasmtime has no library, and one that it has never heard of.
FEW_ADDRESSES = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({0}, {0}))"
NO_WASMTIME = "import sys; sys.modules['wasmtime'] = None"
OTHER_MACHINE = "import platform; platform.machine = lambda: 'riscv64'"
COMMANDS = ("analyse buts --depth 1", "match buts 1 2 --games 1", "perft buts 3", "ugi buts")


def run_where(script: str, arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a process that begins with a script, in the home of modules."""
    begin = f"{script}; from quinconce.cli import main; main({arguments.split()})"
    return subprocess.run(
        [sys.executable, "-c", begin],
        env=os.environ | {"QUINCONCE_HOME": "wasm", "QUINCONCE_LANG": "en"},
        input="isready\ngo\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.process
@pytest.mark.parametrize("script", [NO_WASMTIME, OTHER_MACHINE])
def test_without_wasmtime_the_engine_says_so_on_one_line_with_exit_code_2(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        done = run_where(script, command)
        assert done.returncode == 2, command
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith("quinconce: the engine needs wasmtime")
    assert not list(tmp_path.iterdir())  # no folder for records that do not come
    assert run_where(script, "moves buts").returncode == 0  # the rules need none


@pytest.mark.process
def test_people_play_without_wasmtime_and_an_engine_is_refused() -> None:
    done = run_where(NO_WASMTIME, "play buts --seat 1=engine:3")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("quinconce: the engine needs wasmtime")
    assert run_where(NO_WASMTIME, "play buts").returncode == 0


@pytest.mark.process
@pytest.mark.skipif(platform.system() != "Linux", reason="elsewhere addresses are not counted")
def test_a_process_with_few_addresses_has_the_engine_and_one_with_fewer_says_so() -> None:
    done = run_where(FEW_ADDRESSES.format(4_000_000_000), "analyse buts --depth 2")
    assert (done.returncode, done.stderr) == (0, "")
    done = run_where(FEW_ADDRESSES.format(500_000_000), "analyse buts --depth 2")
    assert (done.returncode, done.stderr) == (2, "quinconce: this machine has no 256 MB to give\n")


def test_the_error_has_a_phrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(NoHostError, match="quinconce\\[native\\]"):
        load_wasmtime()


def test_the_native_home_needs_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "has_compiler", lambda: False)
    monkeypatch.setenv("QUINCONCE_HOME", "native")
    with pytest.raises(NoNativeHomeError, match="QUINCONCE_HOME=native needs the compiler"):
        is_native()
    with pytest.raises(NoNativeHomeError, match="quinconce solve needs the compiler"):
        use_native("quinconce solve")
    monkeypatch.delenv("QUINCONCE_HOME")
    assert not is_native()
    monkeypatch.setenv("QUINCONCE_HOME", "elsewhere")
    with pytest.raises(ValueError, match="'elsewhere'"):
        is_native()


@pytest.mark.skipif(platform.system() == "Windows", reason="folders have no mode there")
def test_a_folder_that_others_can_write_to_holds_no_compiled_code(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    for mode, own in ((0o700, True), (0o755, True), (0o770, False), (0o777, False)):
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)
        assert is_ours_alone(folder) == own


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _kept: b"",
    "cut short": lambda kept: kept[: len(kept) // 2],
    "zeros in the code": lambda kept: kept[: len(kept) // 3].ljust(len(kept), b"\0"),
    "something else": lambda _kept: b"#!/bin/sh\n",
}


@pytest.mark.process
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_machine_code_that_is_damaged_is_made_anew(
    damage: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_CACHE", str(tmp_path))
    first = run_where("pass", "perft buts 3")
    (kept,) = tmp_path.glob("*/*.code")
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    again = run_where("pass", "perft buts 3")
    assert (again.returncode, again.stdout, again.stderr) == (0, first.stdout, "")
    assert kept.read_bytes() == whole
