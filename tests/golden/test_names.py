"""Names that other programs and browsers keep: they are data, and stay when code is renamed."""

from __future__ import annotations

import re
from pathlib import Path

import quinconce

SOURCES = Path(quinconce.__file__).parent
VARIABLE = re.compile(r"\bQUINCONCE_[A-Z_]+")
STORED = re.compile(r"\b(kept|visit)\.(?:read|readJson|write|remove)\(([^,()]+(?:\(.*?\))?)")
STORAGES = {"kept": "local", "visit": "session"}  # the constants of browser_storage.js
ANY_KEY = "key"  # of a file that is taken in


def definition(name: str, own: str, all_sources: list[str]) -> str:
    """What a constant, or a function that makes a key, is: here, or where it is imported from."""
    known = re.compile(rf"^(?:export )?const {name} = (?:\([^)]*\) => )?([\"`].*[\"`]);", re.M)
    found = [match[1] for text in (own, *all_sources) for match in [known.search(text)] if match]
    assert found, f"{name} is no constant"
    return found[0]


def test_environment_variables_keep_their_names() -> None:
    found = {
        name
        for path in SOURCES.rglob("*")
        if path.suffix in (".py", ".js", ".html")
        for name in VARIABLE.findall(path.read_text(encoding="utf-8"))
    }
    assert found == {
        "QUINCONCE_CACHE",
        "QUINCONCE_HOME",
        "QUINCONCE_DATABASE",
        "QUINCONCE_ENDINGS",
        "QUINCONCE_LANG",
        "QUINCONCE_LIMIT_",  # and the name of a limit
        "QUINCONCE_METRICS_TOKEN",
    }


def test_what_a_browser_stores_keeps_its_names() -> None:
    scripts = [path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.js")]
    found = set()
    for text in scripts:
        for storage, argument in STORED.findall(text):
            key = argument.strip()
            if key == ANY_KEY:
                continue
            if key[0] not in "\"'`":
                key = definition(key.partition("(")[0], text, scripts)
            found.add((STORAGES[storage], key[1:-1]))
    assert found == {
        ("local", "lessons"),
        ("local", "level"),
        ("local", "name"),
        ("local", "puzzle-run"),
        ("local", "puzzles"),
        ("local", "remarks"),
        ("local", "sound"),
        ("local", "study-${this.id}"),
        ("local", "truth"),
        ("session", "links-${match}"),
        ("session", "told-of-device"),
    }
