"""A server that offers the folder of `quinconce site`."""

from __future__ import annotations

import mimetypes
from pathlib import Path

import pytest
from app_client import open_app

pytestmark = pytest.mark.anyio
FILES = {
    "en/index.html": b"<!doctype html>",
    "static/abc/api.js": b"export {}",
    "python/314/pyodide.asm.wasm.gz": b"\x1f\x8b packed",
    "en/manifest.webmanifest": b"{}",
    "static/abc/mark.svg": b"<svg/>",
}
MODULE_AND_PICTURE = {
    "static/abc/api.js": ("text/javascript", "application/javascript"),  # older Pythons say so
    "static/abc/mark.svg": ("image/svg+xml",),
}


def write_folder(folder: Path) -> Path:
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


async def test_a_server_offers_the_folder_and_its_front_page_leads_there(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "site")
    async with open_app(tmp_path, site=folder) as app:
        for name, content in FILES.items():
            answer = await app.visitor.get(f"/site/{name}")
            assert (answer.status_code, answer.content) == (200, content)
            lasts = name.startswith(("static/", "python/"))
            assert ("immutable" in answer.headers["cache-control"]) is lasts
        packed = await app.visitor.get("/site/python/314/pyodide.asm.wasm.gz")
        assert packed.headers["content-type"] == "application/gzip"
        assert "content-encoding" not in packed.headers
        home = await app.visitor.get("/?lang=fr")
        assert 'href="/site/fr/index.html"' in home.text


async def test_a_type_is_the_same_whatever_the_system_says_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mimetypes, "guess_type", lambda *_asked: ("text/plain", None))
    folder = write_folder(tmp_path / "site")
    async with open_app(tmp_path, site=folder) as app:
        for name, kinds in MODULE_AND_PICTURE.items():
            answer = await app.visitor.get(f"/site/{name}")
            assert answer.headers["content-type"].partition(";")[0] in kinds


async def test_nothing_but_the_files_of_the_folder_is_handed_out(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "site")
    (tmp_path / "secret").write_text("secret")
    async with open_app(tmp_path, site=folder) as app:
        for name in ("../secret", "%2e%2e/secret", "en/../../secret", "en", "", "nothing"):
            assert (await app.visitor.get(f"/site/{name}")).status_code in (400, 404)


async def test_without_the_folder_nothing_is_offered(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        assert (await app.visitor.get("/site/en/index.html")).status_code == 404
        assert "/site/" not in (await app.visitor.get("/")).text
