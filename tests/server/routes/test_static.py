"""The files beside the pages: a browser is told what each of them is."""

from __future__ import annotations

import mimetypes
from pathlib import Path

import pytest
from app_client import open_app

from quinconce.server.routes.pages import STATIC_TYPES
from quinconce.server.views.templates import STATIC_FOLDER, static_version

pytestmark = pytest.mark.anyio


async def test_types_are_ours_whatever_the_system_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mimetypes, "types_map", dict.fromkeys(mimetypes.types_map, "text/plain"))
    types = {"match.js": "text/javascript", "mark.svg": "image/svg+xml", "style.css": "text/css"}
    async with open_app(tmp_path) as app:
        for name, kind in types.items():
            answer = await app.visitor.get(f"/static/{static_version()}/{name}")
            assert answer.headers["content-type"].split(";")[0] == kind


def test_every_file_has_a_type_and_so_has_compiled_code() -> None:
    endings = {path.suffix.removeprefix(".") for path in STATIC_FOLDER.iterdir()}
    assert endings <= STATIC_TYPES.keys()
    assert STATIC_TYPES["wasm"] == "application/wasm"
