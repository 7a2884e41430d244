"""The rooms of the house: what may import what, and where a game may be named."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

import quinconce

HOUSE = Path(quinconce.__file__).parent
FILES = sorted(HOUSE.rglob("*.py"))
# Each room, the rooms and the libraries it may import from; a file beside the rooms has no limits.
ROOMS: dict[str, tuple[set[str], set[str]]] = {
    "core": ({"core"}, set()),
    "games": ({"core"}, set()),
    "words": ({"core"}, set()),
    "draw": ({"core", "draw"}, set()),
    "kernels": ({"core", "kernels"}, {"numba", "numpy", "platformdirs"}),
    "solvers": ({"core", "kernels", "solvers"}, {"numba", "numpy", "platformdirs"}),
    "engine": ({"core", "kernels", "solvers", "engine"}, {"numpy"}),
    "puzzles": ({"core", "engine", "kernels", "puzzles", "solvers", "words"}, set()),
    "facts": (
        {"core", "draw", "engine", "facts", "kernels", "solvers", "words"},
        {"numpy"},
    ),
    "terminal": ({"core", "engine", "puzzles", "solvers", "terminal", "words"}, {"click", "rich"}),
    "server": (
        {"core", "draw", "engine", "facts", "puzzles", "server", "words"},
        {
            "alembic",
            "jinja2",
            "litestar",
            "markdown_it",
            "markupsafe",
            "msgspec",
            "platformdirs",
            "segno",
            "sqlalchemy",
            "uvicorn",
        },
    ),
    "commands": (
        {
            "commands",
            "core",
            "draw",
            "engine",
            "facts",
            "kernels",
            "puzzles",
            "server",
            "solvers",
            "terminal",
            "words",
        },
        {"click", "msgspec", "resvg_py", "rich"},
    ),
}
NAMED = ("games", "kernels")
# Modules of solvers/proofs that need no kernel and no solver: anybody can check a certificate.
CHECKING = ("certificate", "verify", "shipped_certificates")
# What a browser is sent is code too.
SENT = sorted(path for kind in ("js", "html", "css", "svg") for path in HOUSE.rglob(f"*.{kind}"))
LONGEST_MODULE = 250  # lines of a module for the browser


def room(path: Path) -> str:
    parts = path.relative_to(HOUSE).parts
    return parts[0] if len(parts) > 1 else ""


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_every_folder_is_a_known_room() -> None:
    assert {room(path) for path in FILES} - {""} == set(ROOMS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_room_imports_only_from_the_rooms_above_it(path: Path) -> None:
    if room(path) not in ROOMS:
        return
    rooms, libraries = ROOMS[room(path)]
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "quinconce":
            assert rest[0] in rooms, f"{path.name} imports {name}"
        else:
            assert first in sys.stdlib_module_names | libraries, f"{path.name} imports {name}"


@pytest.mark.parametrize("name", CHECKING)
def test_a_certificate_is_checked_without_kernels_or_solvers(name: str) -> None:
    for imported in imports(HOUSE / "solvers" / "proofs" / f"{name}.py"):
        first, *rest = imported.split(".")
        assert (
            first in sys.stdlib_module_names
            or rest[0] == "core"
            or (rest[:2] == ["solvers", "proofs"] and rest[2] in CHECKING)
        ), f"{name} imports {imported}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_game_is_named_only_in_its_own_rooms(path: Path) -> None:
    if room(path) in NAMED:
        own = path.stem
        named = {name for name in quinconce.names() if name != own}
        imported = {part for name in imports(path) for part in name.split(".")}
        assert not imported & named
        return
    assert not games_named(path)


def games_named(path: Path) -> set[str]:
    words = set(re.findall(r"[^\W\d_]+", path.read_text(encoding="utf-8").lower()))
    return words & {*quinconce.names(), "diädema"}


@pytest.mark.parametrize("path", SENT, ids=lambda path: str(path.relative_to(HOUSE)))
def test_no_game_is_named_in_what_a_browser_is_sent(path: Path) -> None:
    assert not games_named(path)


@pytest.mark.parametrize("path", sorted(HOUSE.rglob("*.js")), ids=lambda path: path.name)
def test_a_module_for_the_browser_is_short_and_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"/\*\* [A-Z<].*\. \*/\n", text), "one sentence opens every module"
    assert len(text.splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_one_sentence_opens_every_module(path: Path) -> None:
    opening = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert opening
    assert opening.split("\n")[0].endswith(".")
