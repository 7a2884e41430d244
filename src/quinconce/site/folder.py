"""Writes the whole folder beside its place, and puts it there when nothing is missing."""

from __future__ import annotations

import errno
import gzip
import html
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final

from quinconce.core.files import name_file_in_errors
from quinconce.core.phrase import _
from quinconce.engine.page_search import module_files
from quinconce.server.views.templates import (
    GENERATED_FILES,
    STATIC_FOLDER,
    read_static,
)
from quinconce.site.icons import SIZES, icon_files
from quinconce.site.page_source import Asker, open_application
from quinconce.site.pages import (
    OPEN_PAGES,
    PAGE_POLICY,
    SHELL,
    SitePages,
    file_name,
    find_pages,
    first_answers,
    shell_page,
)
from quinconce.site.python_files import digest_of, python_files
from quinconce.words import LANGUAGES, Voice

MARKER: Final = "quinconce-site.json"  # by which a folder is known to be ours
NAMED_BY_DIGEST: Final = ("static/", "python/")  # how the names of such folders begin
NOT_SHIPPED: Final = ("embed", "widget", "service_worker")  # how the names of such files begin
WORKER: Final = "service_worker.js"
PYTHON_LIST: Final = "python.json"
KEPT_LIST: Final = "kept.json"  # what a device keeps, if its user wants to
KEPT_PAGES: Final = "pages.json.gz"
Files = dict[str, bytes]


def static_files() -> dict[str, bytes]:
    """The modules, style sheets and pictures of the pages, by their names."""
    names = {path.name for path in STATIC_FOLDER.iterdir() if path.is_file()}
    names |= {*GENERATED_FILES, *module_files()}
    return {name: read_static(name) for name in names if not name.startswith(NOT_SHIPPED)}


def manifest(language: str) -> bytes:
    """What a phone asks about the app."""
    say = Voice(language)
    icons = [
        {
            "src": f"../icons/{size}.png",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "any maskable",
        }
        for size in SIZES
    ]
    facts = {
        "name": "Quinconce",
        "short_name": "Quinconce",
        "description": say(_("Abstract board games, with everything on this device.")),
        "lang": language,
        "start_url": "index.html",
        "scope": "../",
        "display": "standalone",
        "background_color": "#f7f2ea",
        "theme_color": "#f7f2ea",
        "icons": icons,
    }
    return json.dumps(facts, ensure_ascii=False).encode()


def front_page(static: str, chosen: str | None, base: str = "") -> str:
    """The page at the top, which leads to a language; where no page is, it leads home as well."""
    first = chosen or LANGUAGES[0]
    links = " · ".join(f'<a href="{base}{each}/index.html">{each}</a>' for each in LANGUAGES)
    wish = f' data-language="{html.escape(chosen)}"' if chosen else ""
    return (
        f'<!doctype html>\n<html lang="{first}"{wish}>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(PAGE_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>Quinconce</title>\n<script src="{base}{static}/front.js"></script>\n'
        f"</head>\n<body><p>{links}</p></body>\n</html>\n"
    )


async def site_files(chosen: str | None, base: str, report: Callable[[str], None]) -> Files:
    """Every file of the folder by its path; `report` is told what is being made."""
    report("python")
    python = python_files()
    shipped = static_files() | python.packages | {PYTHON_LIST: python.list()}
    static = f"static/{digest_of(shipped)}"
    files: Files = {f"{static}/{name}": content for name, content in shipped.items()}
    files |= {f"python/{python.folder}/{name}": data for name, data in python.pyodide.items()}
    files |= {f"icons/{name}": content for name, content in icon_files().items()}
    pages: Files = {}
    with tempfile.TemporaryDirectory() as folder:
        async with open_application(Path(folder)) as ask:
            for language in LANGUAGES:
                report(language)
                pages |= await language_pages(ask, language, static)
                files[f"{language}/manifest.webmanifest"] = manifest(language)
    pages["index.html"] = front_page(static, chosen).encode()
    files[f"{static}/{KEPT_PAGES}"] = gzip.compress(pack_pages(pages), mtime=0)
    listed = {
        "pages": f"{static}/{KEPT_PAGES}",
        "files": sorted(files),
        "bytes": sum(map(len, files.values())),
    }
    files[f"{static}/{KEPT_LIST}"] = json.dumps(listed).encode()
    files |= pages
    if base:
        files["404.html"] = front_page(static, chosen, base).encode()
    worker = read_static(WORKER)
    facts = {"list": f"{static}/{KEPT_LIST}", "version": digest_of(files | {WORKER: worker})}
    files[WORKER] = f"self.quinconce = {json.dumps(facts)};\n".encode() + worker
    return files


async def language_pages(ask: Asker, language: str, static: str) -> Files:
    """The pages of a language by their files."""
    found = await find_pages(ask, language)
    facts = {"pages": list(found), "open": OPEN_PAGES, "static": static}
    prepare = SitePages(found.keys(), static, facts).prepare
    shell = f"{language}/{SHELL}"
    files = {shell: prepare(shell_page(language), shell, {}).encode()}
    for path, page in found.items():
        file = f"{language}/{file_name(path)}"
        answers = await first_answers(ask, path, page, language)
        files[file] = prepare(page, file, answers).encode()
    return files


def pack_pages(pages: Files) -> bytes:
    """The pages in one file, which a service worker takes apart."""
    return json.dumps({name: page.decode() for name, page in pages.items()}).encode()


def check_place(folder: Path) -> None:
    """ValueError if a folder is there that we have not made, or if none may be made."""
    with name_file_in_errors(folder):
        found = next(path for path in (folder, *folder.parents) if path.exists())
        full = any(found.iterdir())  # it is an error if this is no folder
        if found == folder and full and not (folder / MARKER).is_file():
            raise ValueError(_("this folder holds something else: name an empty or a new one"))
        above = found.parent if found == folder else found  # where it is written, and put in place
        if not os.access(above, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))


def write_folder(folder: Path, files: Files) -> None:
    """Put the files in place of what the folder held; it is never seen half written.

    What the pages of the version before load stays for one version: browsers may still have them.
    """
    folder = folder.resolve()
    named = sorted({name.rpartition("/")[0] for name in files if name.startswith(NAMED_BY_DIGEST)})
    check_place(folder)
    with name_file_in_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            for name, content in files.items():
                (made / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).write_bytes(content)
            for name in named_before(folder):
                if name not in named:
                    shutil.copytree(folder / name, made / name)
            facts = {"quinconce": version("quinconce"), "named": named}
            (made / MARKER).write_text(json.dumps(facts))
            made.chmod(0o755)
            replace_folder(folder, made)
        finally:
            shutil.rmtree(made, ignore_errors=True)


def named_before(folder: Path) -> list[str]:
    """The folders named by digests which the version that a folder holds has brought."""
    marker = folder / MARKER
    named = json.loads(marker.read_text()).get("named", []) if marker.exists() else []
    return [name for name in named if (folder / name).is_dir()]


def replace_folder(folder: Path, made: Path) -> None:
    """Let a folder take the place of another, which goes; if it cannot, the other stays."""
    if not folder.exists():
        made.rename(folder)
        return
    old = made.with_name(f"{made.name}.old")
    folder.rename(old)
    try:
        made.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old)
