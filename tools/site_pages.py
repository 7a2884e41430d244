"""Hooks of MkDocs: the menu, the pages from the top of the repository, and the reference."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).parents[1]
# Where files from outside of docs/ are on the site.
TOP_FILES = {
    "README.md": "project/about.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
}
REFERENCE = {
    "reference/library.md": ("quinconce", "Reference of the library"),
    "reference/engine.md": ("quinconce.engine", "Reference of the engine"),
    "reference/client.md": ("quinconce.client", "Reference of the client"),
}
REFERENCE_SECTION = "To script"
OWN_CSS = """
[data-bs-theme=light] :is([role=main], .bs-sidebar) a { color: #0f5f55 !important; }
[data-bs-theme=dark] :is([role=main], .bs-sidebar) a { color: #7fe3d0 !important; }
.doc h3 { font-size: 1.25rem; }
.doc-contents:not(.first) { padding-left: 1rem; border-left: 1px solid #8884; }
img { max-width: 100%; height: auto; }
table { display: block; overflow-x: auto; }
"""
FENCED = re.compile(r"(^```.*?^```$)", re.M | re.S)
LINK = re.compile(r'(\]\(|\bsrc(?:set)?=")([^)"\s#:]+)(?=[)"#])')


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the menu: the sections and links of docs/README.md, with the reference."""
    menu: list[Any] = [{"Contents": "README.md"}]
    for section in (ROOT / "docs" / "README.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _newline, text = section.partition("\n")
        entries: list[dict[str, str]] = []
        for name, target in re.findall(r"^- \[([^]]*)\]\(([^)#]*)", text, re.M):
            if (uri := site_uri(normpath(f"docs/{target}"))).endswith(".md"):
                entries.append({name: uri})
        if title == REFERENCE_SECTION:
            entries += [{name: uri} for uri, (_module, name) in REFERENCE.items()]
        menu.append({title: entries})
    config.nav = menu
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what does not stand in docs/."""
    for name, uri in TOP_FILES.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / name)))
    for uri, (module, title) in REFERENCE.items():
        text = reference(import_module(module), title)
        files.append(File.generated(config, uri, content=text))
    files.append(File.generated(config, "assets/site.css", content=site_css()))
    return files


def on_page_markdown(markdown: str, page: Page, **_others: object) -> str:
    """Let links lead to where their targets are on the site."""
    uri = page.file.src_uri
    source = next((name for name, at in TOP_FILES.items() if at == uri), f"docs/{uri}")
    folder = str(PurePosixPath(uri).parent)

    def lead(link: re.Match[str]) -> str:
        target = normpath(str(PurePosixPath(source).parent / link[2]))
        return link[1] + relpath(site_uri(target), folder)

    parts = FENCED.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(lead, part) for part in parts)


def site_uri(path: str) -> str:
    """Where a file of the repository is on the site; MkDocs warns if it is not there."""
    return TOP_FILES.get(path) or path.removeprefix("docs/")


def site_css() -> str:
    """The colours of code, by day and by night."""
    day, night = (HtmlFormatter(style=style) for style in ("tango", "monokai"))
    dark = night.get_style_defs("[data-bs-theme=dark] .highlight")
    return f"{day.get_style_defs('.highlight')}\n{dark}\n{OWN_CSS}"


def reference(module: ModuleType, title: str) -> str:
    """A page with every public name of a module, where it is defined."""
    names = sorted(module.__all__, key=str.casefold)
    entries = "\n".join(f"::: {defined_at(module, name)}\n" for name in names)
    return f"# {title}\n\n{(module.__doc__ or '').strip()}\n\n{entries}"


def defined_at(module: ModuleType, name: str) -> str:
    """The full name of something public; a constant is documented where it is offered."""
    thing = getattr(module, name)
    home = getattr(thing, "__module__", None) or module.__name__
    return f"{home}.{getattr(thing, '__qualname__', name)}"
