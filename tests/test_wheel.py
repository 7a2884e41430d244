"""The wheel, installed away from the sources, has its data: it plays, serves and draws."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an empty environment with the wheel in it, and no way to the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.check_output([python, "-c", code], text=True).strip())
    wheel = next(folder.glob("*.whl"))
    install = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([sys.executable, *install, "--target", packages, wheel], check=True)
    # The libraries are those of this environment. Its own .pth files, and with them the sources,
    # are not read from there.
    libraries = sysconfig.get_path("purelib")
    (packages / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    return python


def run(python: Path, *arguments: str, typed: str = "") -> str:
    """What a program prints in the empty environment, far from the sources."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, *arguments],
        cwd=python.parent,
        env=environ | {"QUINCONCE_LANG": "fr"},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def quinconce(python: Path, *arguments: str, typed: str = "") -> str:
    return run(python, "-m", "quinconce", *arguments, typed=typed)


def test_the_package_is_not_that_of_the_sources(python: Path) -> None:
    where = Path(run(python, "-c", "import quinconce; print(quinconce.__file__)").strip())
    assert python.parents[1] in where.parents
    assert ROOT / "src" not in where.parents


def test_it_plays(python: Path) -> None:
    played = quinconce(python, "play", "diam", typed="r@1\nm@1\nr@5\nm@5\n")
    assert "joueur 2" in played.lower()


def test_it_reads_rules_and_names_in_french(python: Path) -> None:
    assert "Diam" in quinconce(python, "rules", "diam")
    assert "en une phrase" in quinconce(python, "games")


def test_it_draws(python: Path) -> None:
    assert quinconce(python, "draw", "seega").startswith("<svg")
    quinconce(python, "draw", "diadema", "--out", "board.png")
    assert (python.parent / "board.png").read_bytes().startswith(b"\x89PNG")


def test_it_lists_puzzles(python: Path) -> None:
    for game in ("diam", "diadema", "seega", "buts"):
        assert len(quinconce(python, "puzzles", game, "--list").splitlines()) > 10


def test_it_has_weights_certificates_and_facts(python: Path) -> None:
    run(
        python,
        "-c",
        "import quinconce\n"
        "from quinconce.engine.weights import read_weights_file\n"
        "from quinconce.facts.files import load_shipped_facts\n"
        "from quinconce.solvers.proofs.shipped_certificates import certificate_player\n"
        "assert read_weights_file() and load_shipped_facts()\n"
        "for players in (2, 3, 4):\n"
        "    assert certificate_player(quinconce.game('diam', players=players))\n",
    )


def test_it_has_the_board_of_a_notebook_as_one_module(python: Path) -> None:
    run(
        python,
        "-c",
        "from quinconce.bridges.bundle import bundle\n"
        "from quinconce.bridges.notebook import BUILT_MODULE, STATIC_FOLDER\n"
        "built = BUILT_MODULE.read_text(encoding='utf-8')\n"
        "assert built == bundle(STATIC_FOLDER / 'widget.js')\n",
    )


@pytest.fixture
def address(python: Path, tmp_path: Path) -> Iterator[str]:
    """Where a server listens that the wheel has started, with a new database."""
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    arguments = ["-m", "quinconce", "serve", "--port", "0", "--database", database]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen(
        [python, *arguments],
        cwd=tmp_path,
        env=environ | {"QUINCONCE_LANG": "en", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as server:
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            yield found[0].rstrip("/")
        finally:
            server.send_signal(signal.SIGINT)


def get(address: str) -> str:
    request = urllib.request.Request(address, headers={"Accept-Language": "fr"})
    with urllib.request.urlopen(request) as answer:
        text: str = answer.read().decode()
        return text


def test_it_serves_pages_in_french(address: str) -> None:
    home = get(address)
    assert 'lang="fr"' in home
    assert "Diädema" in home
    module = re.search(r'src="([^"]+\.js[^"]*)"', home)
    assert module
    assert get(address + module[1]).startswith("/**")
    assert "<svg" in get(f"{address}/game/seega")
