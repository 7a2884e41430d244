"""The folder of `quinconce site`, offered by a server to who wants to keep it on a device."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from litestar import Response, get

from quinconce.server.errors import RouteError
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import CACHE_FOREVER, PathText, ServicesDep

SITE_PATH: Final = "/site"
PACKED_FILES: Final = f"^{SITE_PATH}/python/"  # which nobody need compress again
NAMED_BY_DIGEST: Final = ("static/", "python/")  # how the names of such files begin
MANIFEST_TYPE: Final = "application/manifest+json"
# Python's own list: what the system says of a file may be wrong, as in the registry of Windows.
MEDIA_TYPES: Final = mimetypes.MimeTypes()


@cache
def files_of(folder: Path) -> Mapping[str, Path]:
    """The files of a folder by their names in it: nothing else can be asked for."""
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


def media_type(name: str) -> str:
    """The type of a file, as a plain file server tells it: a packed one is not unpacked."""
    if name.endswith(".webmanifest"):
        return MANIFEST_TYPE
    kind, packing = MEDIA_TYPES.guess_type(name)
    return "application/gzip" if packing else kind or "application/octet-stream"


@get(f"{SITE_PATH}/{{path:path}}", include_in_schema=False)
async def site_file(path: PathText, services: ServicesDep) -> Response[bytes]:
    """A file of the folder."""
    folder, name = services.settings.site, path.lstrip("/")
    found = (await run_brief(files_of, folder)).get(name) if folder else None
    if found is None:
        raise RouteError(404, "missing")
    caching = CACHE_FOREVER if name.startswith(NAMED_BY_DIGEST) else "no-cache"
    content = await run_brief(found.read_bytes)
    return Response(content, media_type=media_type(name), headers={"Cache-Control": caching})


ROUTES: Final = [site_file]
