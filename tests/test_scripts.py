"""./run and ./test on machines that lack something: one line that says what to do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone in which nothing is installed yet."""
    for name in ("run", "pyproject.toml", "hatch_build.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def start(clone: Path, python3: str) -> subprocess.CompletedProcess[str]:
    """`./run` where the only Python is a stand-in."""
    programs = clone / "programs"
    programs.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "rm"):
        (programs / name).symlink_to(shutil.which(name) or name)
    stand_in = programs / "python3"
    stand_in.write_text(f"#!/bin/sh\n{python3}\n")
    stand_in.chmod(0o755)
    return subprocess.run(
        [clone / "run"],
        env={"PATH": str(programs)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_missing_venv_names_the_line_that_installs_it(clone: Path) -> None:
    done = start(clone, 'case "$2" in *ensurepip*) exit 1 ;; *version_info*) exit 0 ;; esac')
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("sudo apt-get install python3-venv")


def test_an_old_python_is_told(clone: Path) -> None:
    done = start(clone, 'case "$1" in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac')
    assert done.returncode == 2
    assert "needs Python 3.11 or newer (python3 is Python 3.9.2)" in done.stderr
    assert not (clone / ".venv").exists()


# The checks of ./test.


def run_checks(tier: str, *lines: str, path: str = os.defpath) -> subprocess.CompletedProcess[str]:
    """What ./test does with these lines in a tier."""
    sourced = [f". {ROOT}/tools/venv.sh", f". {ROOT}/tools/checks.sh", f"tier={tier}"]
    return subprocess.run(
        ["/bin/sh", "-euc", "\n".join([*sourced, *lines, "report"])],
        env={"PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_checks_go_on_after_one_that_fails_and_the_report_names_it() -> None:
    done = run_checks("default", "check one true", "check two false", "check three true")
    assert done.returncode == 1
    results = [line.split()[:2] for line in done.stdout.splitlines() if line]
    assert results[:3] == [["one", "passed"], ["two", "FAILED"], ["three", "passed"]]
    assert re.search(r"^\./test default: \d+ s$", done.stdout, re.M)
    assert done.stderr == "Failed: two\n"


def test_checks_that_pass_are_reported() -> None:
    done = run_checks("quick", "check one true")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("what", ["chromium", "postgresql"])
def test_what_cannot_be_tested_is_said_in_a_line_and_fails_the_longest_tier(
    what: str, tmp_path: Path
) -> None:
    (tmp_path / "date").symlink_to(shutil.which("date") or "date")
    for tier, status in (("default", 0), ("all", 1)):
        line = f"need_{what} || missing that"
        if what == "postgresql":  # wherever Debian has put it
            line = f"has_postgresql() {{ return 1; }}; {line}"
        done = run_checks(tier, line, path=str(tmp_path))
        assert done.returncode == status
        how, untested = done.stderr.splitlines()
        assert how.endswith(f"install {what} (Debian: sudo apt-get install {what}).")
        assert untested.startswith("Not tested: that")


FAKE_APT = """#!/bin/sh
case "$*" in *update*) exit ;; esac
for package; do :; done
case " {offered} " in *" $package "*) ;; *) exit 100 ;; esac
echo '#!/bin/sh' >{folder}/$package && {chmod} +x {folder}/$package
"""
SHELL = "chromium-headless-shell"


@pytest.mark.parametrize(
    ("there", "offered", "installed"),
    [
        ([], [SHELL, "chromium"], [SHELL]),
        ([], ["chromium"], ["chromium"]),
        (["chromium"], [SHELL], [SHELL]),
        (["chromium"], [], []),
        ([SHELL], ["chromium"], []),
    ],
)
def test_chromium_without_windows_is_preferred_where_debian_has_it(
    there: list[str], offered: list[str], installed: list[str], tmp_path: Path
) -> None:
    apt = FAKE_APT.format(offered=" ".join(offered), folder=tmp_path, chmod=shutil.which("chmod"))
    known = int(SHELL not in offered)
    scripts = {"apt-get": apt, "apt-cache": f"#!/bin/sh\nexit {known}\n", "sudo": '#!/bin/sh\n"$@"'}
    for name, text in (scripts | dict.fromkeys(there, "#!/bin/sh\n")).items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name in ("id", "date"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    before = {path.name for path in tmp_path.iterdir()}
    done = run_checks("all", "need_chromium || missing pages", path=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} - before == set(installed)


def test_a_tier_takes_no_arguments() -> None:
    done = subprocess.run(
        [ROOT / "test", "quick", "tests/games"], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 2
    assert "takes no arguments" in done.stderr
