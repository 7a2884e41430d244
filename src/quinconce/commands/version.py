"""What `--version` says: the version, and which libraries and extras are installed."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, version
from typing import Final

from quinconce.core.phrase import _

PACKAGE: Final = "quinconce"
FOR_DEVELOPERS: Final = "dev"  # the extra that says nothing to people who use the package
# A requirement begins with a name, and may end with the extra that it belongs to.
NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
EXTRA: Final = re.compile(r"extra == ['\"]([^'\"]+)['\"]")


def version_lines() -> Iterator[str]:
    """The version, Python and the libraries, and a line for every extra."""
    yield _("{package}, version {version}", package=PACKAGE, version=version(PACKAGE))
    yield f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    libraries = required_libraries()
    yield ", ".join(installed_versions(libraries.pop(None, [])))
    libraries.pop(FOR_DEVELOPERS, None)
    for extra, needed in sorted(libraries.items()):
        found = installed_versions(needed)
        if len(found) == len(needed):
            yield f"[{extra}] {', '.join(found)}"
        else:
            yield _("[{extra}] is not installed", extra=extra)


def required_libraries() -> dict[str | None, list[str]]:
    """The names of the libraries that the package needs, and under its extras those of each."""
    wanted: dict[str | None, list[str]] = {}
    for requirement in distribution(PACKAGE).requires or ():
        name, extra = NAME.match(requirement), EXTRA.search(requirement)
        if name:
            wanted.setdefault(extra[1] if extra else None, []).append(name[0])
    return wanted


def installed_versions(names: list[str]) -> list[str]:
    """Those of some libraries that are here, with their versions."""
    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
