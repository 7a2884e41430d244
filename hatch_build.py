"""Compiles the gettext catalogues while the package is built or installed, and joins ES modules."""

from __future__ import annotations

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MadeFiles(BuildHookInterface[Any]):
    """Writes a .mo beside every .po, and into a wheel the browser's part of the widget."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatch calls this before it packs; `version` is `standard` or `editable`."""
        for catalogue in Path(self.root, "src", "quinconce", "words").rglob("*.po"):
            with catalogue.open("rb") as source, catalogue.with_suffix(".mo").open("wb") as target:
                write_mo(target, read_po(source, locale=catalogue.parts[-3]))
        if version == "standard":  # from the sources, the widget joins them itself
            self._folder = TemporaryDirectory()
            module = Path(self._folder.name, "widget.js")
            package = Path(self.root, "src", "quinconce")
            bundle = runpy.run_path(str(package / "bridges" / "bundle.py"))["bundle"]
            module.write_text(bundle(package / "web" / "static" / "widget.js"), encoding="utf-8")
            build_data["force_include"][str(module)] = "quinconce/bridges/widget.js"

    def finalize(self, version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Hatch calls this when it has packed."""
        if version == "standard":
            self._folder.cleanup()
