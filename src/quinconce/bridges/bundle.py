"""Joins ES modules into one, for programs that load a module from memory and not from a folder."""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./(\w+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.M)
DEFAULT = re.compile(r"^export default (.*);\n", re.M)
OTHER = re.compile(r"^(?:import|export)\b.*", re.M)


def bundle(entry: Path) -> str:
    """A module and everything that it imports, as one module with the default export of `entry`.

    Each module becomes a function that is called once and returns its exports, so that names do
    not meet. Modules import names from files beside them, without circles; anything else is a
    ValueError.
    """
    written: dict[str, str] = {}
    _add(entry, written, ())
    last = entry.stem
    return "\n".join([*written.values(), f"export default {_variable(last)}.default;\n"])


def _add(path: Path, written: dict[str, str], importers: tuple[str, ...]) -> None:
    """Write a module behind those that it imports."""
    if path.stem in importers:
        raise ValueError(f"{path.name} imports itself by way of {', '.join(importers)}")
    if path.stem in written:
        return
    text = path.read_text(encoding="utf-8")
    for _names, name in IMPORT.findall(text):
        _add(path.with_name(f"{name}.js"), written, (*importers, path.stem))
    written[path.stem] = _as_function(path.name, text)


def _as_function(name: str, text: str) -> str:
    """A module as the call of a function that returns what it exports."""
    exported = EXPORT.findall(text)
    text = IMPORT.sub(_assignment, text)
    if found := DEFAULT.search(text):
        text = DEFAULT.sub("", text)
        exported.append(f"default: {found[1]}")
    text = EXPORT.sub("", text)
    if left := OTHER.search(text):
        raise ValueError(f"{name}: this cannot be joined: {left[0]}")
    inside = f"{text}return {{ {', '.join(exported)} }};\n"
    return f"const {_variable(Path(name).stem)} = (() => {{\n{inside}}})();\n"


def _assignment(statement: re.Match[str]) -> str:
    """An import as an assignment; one that imports no name has been run already."""
    names, module = statement.groups()
    if names is None:
        return ""
    return f"const {{{re.sub(r' as ', ': ', names)}}} = {_variable(module)};\n"


def _variable(module: str) -> str:
    """The variable with the exports of a module."""
    return f"{module}_exports"
