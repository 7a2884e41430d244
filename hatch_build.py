"""Compiles the gettext catalogues while the package is built or installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """Writes a .mo beside every .po."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatch calls this before it packs; `version` is `standard` or `editable`."""
        for catalogue in Path(self.root, "src", "quinconce", "words").rglob("*.po"):
            with catalogue.open("rb") as source, catalogue.with_suffix(".mo").open("wb") as target:
                write_mo(target, read_po(source, locale=catalogue.parts[-3]))
